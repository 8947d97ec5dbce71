// A bucket of the double of S3, in the process of the check.
import { startS3Double } from "../../support/s3-double.ts";
import type { OnFinished } from "./clean-up.ts";
import { POLLED_TARGETS, type Engine, type Outage } from "./engines.ts";

const REPLICAS = 3;

export async function s3Engine(onFinished: OnFinished): Promise<Engine> {
  const double = await startS3Double({ onFinished });
  const failing: Outage = {
    title: "503, back empty",
    begin: () => (double.constantFault = { status: 503 }),
    end() {
      double.objects.clear();
      double.constantFault = "none";
    },
  };
  const silent: Outage = {
    title: "silent",
    begin: () => (double.constantFault = "hang"),
    end: () => (double.constantFault = "none"),
  };
  return {
    title: "S3",
    replicas: Array.from({ length: REPLICAS }, () => ({ ...double.environment, SNAPSHOTS: "s3://facts/acme" })),
    open: () => double.open(),
    outages: [failing, silent],
    ...POLLED_TARGETS,
  };
}
