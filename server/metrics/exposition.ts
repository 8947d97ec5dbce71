// Numbers in Prometheus' text format. Each metric is asked for its samples when somebody scrapes; nothing is kept between
// two scrapes. With the library it is loaded only when the settings ask for metrics.
import { Counter, Gauge, Registry } from "prom-client";
import type { Answer } from "../answers/answer.ts";

export interface Metric {
  kind: "counter" | "gauge";
  name: string;
  help: string;
  labels: readonly string[];
  /** A value for each set of labels; none is an answer. */
  samples(): Iterable<readonly [labels: Readonly<Record<string, string>>, value: number]>;
}

/** Gives what a scrape is answered. */
export function exposition(metrics: readonly Metric[]): () => Promise<Answer> {
  const registry = new Registry();
  for (const metric of metrics) register(registry, metric);
  return async () => {
    const body = Buffer.from(await registry.metrics());
    return {
      status: 200,
      headers: {
        "content-type": registry.contentType,
        "content-length": String(body.byteLength),
        "cache-control": "no-store",
        // And no CORS: this is for the operator's machines, not for anybody's pages.
        "x-content-type-options": "nosniff",
      },
      body,
    };
  };
}

function register(registry: Registry, { kind, name, help, labels, samples }: Metric): void {
  const common = { name, help, labelNames: [...labels], registers: [registry] };
  if (kind === "gauge") {
    const collect = () => {
      gauge.reset();
      for (const [of, value] of samples()) gauge.set(of, value);
    };
    const gauge = new Gauge({ ...common, collect });
    return;
  }
  const collect = () => {
    // The library's counters can only be counted up; these are counted elsewhere, so each scrape begins at nothing.
    counter.reset();
    for (const [of, value] of samples()) counter.inc(of, value);
  };
  const counter = new Counter({ ...common, collect });
}
