// Collects plans from a payment provider: the source of its example in kinds.ts, over a stand-in of its upstream.
import { find } from "../../../collector/run/ask.ts";
import { openSources } from "../../../collector/settings.ts";
import { SourceSettings } from "../../../collector/sources/sources.ts";
import type { Found } from "../../../collector/source.ts";
import type { Payload } from "../../../snapshots/snapshot.ts";
import { KINDS, type KindExample } from "./kinds.ts";
import { json, startUpstream, type Behaviour } from "./upstream.ts";

export type Provider = "stripe" | "paddle" | "lemonsqueezy";

const exampleOf = (provider: Provider): KindExample => KINDS[provider]!;

/** @throws SettingsProblems, ZodError */
function open(settings: unknown, environment: Record<string, string>) {
  const [source] = openSources(
    { plans: SourceSettings.parse(settings), releases: { from: "none" } },
    { directory: ".", environment, file: "vitrine.config.json" },
  );
  if (!source) throw new Error("no source");
  return source;
}

/** The fact with what is said of it, and the requested paths. `documents`: those at other paths than the list of prices; undefined for none. @throws UpstreamError */
export async function candidateOf(
  provider: Provider,
  prices: Behaviour,
  { settings = {}, documents = {} }: { settings?: object; documents?: Record<string, unknown> } = {},
): Promise<Found & { payload: Payload; paths: string[] }> {
  const { source, path, others, secret = "" } = exampleOf(provider);
  const upstream = await startUpstream();
  upstream.set(path, prices);
  for (const [at, document] of Object.entries({ ...others, ...documents }))
    if (document !== undefined) upstream.set(at, json(document));
  const opened = open({ ...source(upstream.origin), timeout: "20s", ...settings }, { THE_SECRET: secret });
  const fetched = await opened.fetch({ signal: new AbortController().signal, validators: undefined });
  if (fetched === "unchanged") throw new Error("no answer");
  const paths = upstream.requests.map((request) => decodeURIComponent(request.path));
  const found = find(opened, "plans", fetched);
  return { ...found, payload: found.fact.payload, paths };
}

/** The problem that the settings of the example have with these in them, as text; empty if there is none. */
export function settingsProblem(provider: Provider, changes: object, key = exampleOf(provider).secret ?? ""): string {
  const settings = { ...exampleOf(provider).source("https://api.example"), ...changes };
  const { success, error } = SourceSettings.safeParse(settings);
  if (!success) return error.issues.map(({ path, message }) => `${path.join(".")} ${message}`).join("\n");
  try {
    open(settings, { THE_SECRET: key });
    return "";
  } catch (error) {
    return String(error);
  }
}
