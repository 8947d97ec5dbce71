// A bucket in Ceph, or where that is not installed in the double of S3.
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { startS3Double } from "../../support/s3-double.ts";
import { startProxy } from "../../support/tcp-proxy.ts";
import { missingTool, startCeph } from "../s3/ceph.ts";
import type { OnFinished } from "./clean-up.ts";
import { POLLED_TARGETS, type Engine, type Outage } from "./engines.ts";

const REPLICAS = 3;
const SNAPSHOTS = "s3://facts/acme";

export function s3Engine(onFinished: OnFinished): Promise<Engine> {
  return missingTool() === undefined ? cephEngine(onFinished) : doubleEngine(onFinished);
}

/** The replicas reach it through a proxy that can lose packets, a writer reaches it directly. */
async function cephEngine(onFinished: OnFinished): Promise<Engine> {
  const ceph = await startCeph(await temporaryDirectory(onFinished), onFinished);
  await ceph.createBucket("facts");
  const proxy = await startProxy(ceph.port, onFinished);
  const killed: Outage = {
    title: "killed",
    begin: () => ceph.signalGateway("SIGKILL"),
    end: () => ceph.restartGateway(),
  };
  const stopped: Outage = {
    title: "stopped",
    begin: () => ceph.signalGateway("SIGSTOP"),
    end: () => ceph.signalGateway("SIGCONT"),
  };
  const dropped: Outage = { title: "packets dropped", begin: () => proxy.drop(), end: () => proxy.restore() };
  const environment = { ...ceph.environment, SNAPSHOTS, AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${proxy.port}` };
  return {
    title: "S3, Ceph",
    replicas: Array.from({ length: REPLICAS }, () => environment),
    open: () => openStore(SNAPSHOTS, ceph.environment),
    outages: [killed, stopped, dropped],
    ...POLLED_TARGETS,
  };
}

async function doubleEngine(onFinished: OnFinished): Promise<Engine> {
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
    title: "S3, double",
    replicas: Array.from({ length: REPLICAS }, () => ({ ...double.environment, SNAPSHOTS })),
    open: () => double.open(),
    outages: [failing, silent],
    ...POLLED_TARGETS,
  };
}
