// `vitrine status`: every snapshot's state, from the store, or with --url from a running server.
import { readReport, type Report } from "../../snapshots/report.ts";
import { isFresh, SNAPSHOT_NAMES, type SnapshotName } from "../../snapshots/snapshot.ts";
import { readSnapshot } from "../../snapshots/exchange.ts";
import { heldReasons, readHeld, type Held } from "../../snapshots/held.ts";
import { openStore } from "../../snapshots/open-store.ts";
import type { Store } from "../../snapshots/store.ts";
import { fetchText } from "../../collector/fetch.ts";
import * as z from "zod";
import { EXIT, type Context } from "../command.ts";
import { configure } from "../config.ts";
import { shortName, span, type Terminal } from "../terminal.ts";

const Row = z.object({
  name: z.enum(SNAPSHOT_NAMES),
  state: z.enum(["fresh", "stale", "missing"]),
  revision: z.number().optional(),
  changedAt: z.string().optional(),
  confirmedAt: z.string().optional(),
  freshUntil: z.string().optional(),
  /** The guard holds a candidate back. `changes` only from the store. */
  held: z
    .object({
      since: z.string(),
      sightings: z.number(),
      reasons: z.array(z.string()),
      changes: z.array(z.string()).optional(),
    })
    .optional(),
  /** Only from the store: the last collection of it failed, and why. */
  lastError: z.string().optional(),
  /** Only from the store: the current file cannot be read, and why. */
  damage: z.string().optional(),
});
type Row = z.infer<typeof Row>;

const DEADLINE = 5_000;

export async function run(context: Context): Promise<number> {
  const { flags, terminal, stop } = context;
  const { url } = flags;
  let rows: Row[];
  try {
    if (typeof url === "string" && !URL.canParse(url)) throw new Error("this is not an address");
    rows =
      typeof url === "string"
        ? await rowsOfServer(url, stop)
        : await statusOfStore(openStore(configure(context).settings.snapshots));
  } catch (error) {
    if (typeof url !== "string") throw error;
    terminal.err(`${terminal.style("red", "✖")} ${url}: ${error instanceof Error ? error.message : String(error)}`);
    return EXIT.failed;
  }
  terminal.out(flags.json === true ? JSON.stringify({ snapshots: rows }, null, 2) : table(terminal, rows));
  if (rows.some(({ state }) => state !== "fresh")) return EXIT.unavailable;
  return rows.some(({ held }) => held) ? EXIT.held : EXIT.ok;
}

/** The state of every snapshot in a store, and what the last collection of it came to. */
export async function statusOfStore(store: Store): Promise<Row[]> {
  const report = await readReport(store);
  return Promise.all(SNAPSHOT_NAMES.map((name) => rowOf(store, name, report)));
}

async function rowOf(store: Store, name: SnapshotName, report: Report | undefined): Promise<Row> {
  const now = Date.now();
  const read = await readSnapshot(store, name, now);
  const last = report?.outcomes.find((outcome) => outcome.name === name);
  const lastError = last?.result === "failed" ? last.reason : undefined;
  const { held } = await readHeld(store, name);
  const trouble = {
    ...(held && { held: told(held) }),
    ...(lastError && { lastError }),
    ...(read.damage && { damage: read.damage }),
  };
  if (read.state === "missing") return { name, state: "missing", ...trouble };
  const { revision, changedAt, confirmedAt, freshUntil } = read.snapshot;
  const state = isFresh(read.snapshot, now) ? "fresh" : "stale";
  return { name, state, revision, changedAt, confirmedAt, freshUntil, ...trouble };
}

function told(held: Held): NonNullable<Row["held"]> {
  const { since, sightings, changes } = held;
  return { since, sightings, reasons: heldReasons(held), changes };
}

async function rowsOfServer(url: string, signal: AbortSignal): Promise<Row[]> {
  const answer = await fetchText(`${url.replace(/\/+$/, "")}/status`, { signal, deadline: DEADLINE });
  if (answer === "unchanged") return [];
  const parsed = z.object({ snapshots: z.array(Row) }).safeParse(parse(answer.text));
  if (!parsed.success) throw new Error("this is not the status of a Vitrine");
  return parsed.data.snapshots;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function table({ style }: Terminal, rows: readonly Row[]): string {
  const now = Date.now();
  const lines = rows.map((row) => {
    const mark = row.state === "fresh" ? style("green", "✔") : style("red", "✖");
    const head = `  ${mark} ${shortName(row.name).padEnd(9)} ${row.state.padEnd(8)}`;
    const trouble = [
      row.damage && `damaged: ${row.damage}`,
      row.lastError && `last collection failed: ${row.lastError}`,
    ];
    if (row.held) trouble.push(...heldLines(row.name, row.held, now));
    const notes = trouble.filter(Boolean).map((note) => `\n      ${style("yellow", String(note))}`);
    return head + times(row, now) + notes.join("");
  });
  return lines.join("\n");
}

function heldLines(name: SnapshotName, held: NonNullable<Row["held"]>, now: number): string[] {
  const { since, sightings, reasons, changes = [] } = held;
  const seen = `seen ${sightings === 1 ? "once" : `${sightings} times`}, first ${span(now - Date.parse(since))} ago`;
  return [
    `held back: ${reasons.join("; ")} (${seen})`,
    ...changes.map((change) => `  ${change}`),
    `publish it at once: vitrine collect --accept ${shortName(name)}`,
  ];
}

function times({ changedAt, confirmedAt, freshUntil, damage }: Row, now: number): string {
  if (!changedAt || !confirmedAt || !freshUntil) return damage ? "nothing readable" : "never collected";
  const left = Date.parse(freshUntil) - now;
  const ago = (time: string) => `${span(now - Date.parse(time))} ago`;
  const end = left > 0 ? `fresh for ${span(left)}` : `stale since ${span(-left)}`;
  return `changed ${ago(changedAt).padEnd(11)} confirmed ${ago(confirmedAt).padEnd(11)} ${end}`;
}
