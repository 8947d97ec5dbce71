// Exposes metrics in Prometheus' text format. Each scrape reads all samples anew; nothing is kept between scrapes.
import { Counter, Gauge, Registry } from "prom-client";
import type { Answer } from "../answers/answer.ts";

export interface Metric {
  kind: "counter" | "gauge";
  name: string;
  help: string;
  labels: readonly string[];
  /** A value for each set of labels; there may be none. */
  samples(): Iterable<readonly [labels: Readonly<Record<string, string>>, value: number]>;
}

/** Returns a function that answers a scrape. */
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
        // No CORS headers: metrics are for the operator's machines, not for web pages.
        "x-content-type-options": "nosniff",
      },
      body,
    };
  };
}

function register(registry: Registry, { kind, name, help, labels, samples }: Metric): void {
  const collect = () => {
    // The samples are totals, counted elsewhere: so each scrape starts at zero.
    metric.reset();
    for (const [labelValues, value] of samples()) metric.inc(labelValues, value);
  };
  const options = { name, help, labelNames: [...labels], registers: [registry], collect };
  const metric = kind === "gauge" ? new Gauge(options) : new Counter(options);
}
