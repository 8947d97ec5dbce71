// `vitrine diff [NAME] [A] [B]`: the last change of each snapshot or of one, or the difference between two of its
// states, each a revision or a date. Without B, between A and the newest; without NAME, of every snapshot.
import { difference, lineOf } from "../../../snapshots/features/differences/difference.ts";
import type { HistoryEntry, HistoryPlace } from "../../../snapshots/features/history/entry.ts";
import { listShown, readEntry } from "../../../snapshots/features/history/timeline.ts";
import { refuseOtherProduct, type Facts } from "../../../snapshots/facts.ts";
import { type Payload, SNAPSHOT_NAMES, type SnapshotName } from "../../../snapshots/snapshot.ts";
import { EXIT, Refused, type Context } from "../../command.ts";
import { configure } from "../../settings/configure.ts";
import { minute, shortName, type Terminal } from "../../output/terminal.ts";
import { withReader } from "../../with-store.ts";
import { findPlace, findSince, readName, readPoint, type HistoryPoint } from "./snapshot-arguments.ts";
import { typed, typedHere } from "../../command-hints.ts";

type State = Pick<HistoryEntry, "name" | "revision" | "changedAt"> & { payload: Payload };

/** `from` is null if nothing came before; `note` is a remark on its choice. */
interface Comparison {
  name: SnapshotName;
  from: State | null;
  to: State;
  changes: string[];
  note?: string;
}

export async function run(context: Context): Promise<number> {
  const { terminal, flags, operands = [] } = context;
  const words = readOperands(operands);
  const differences = await withReader(configure(context), (facts) => compare(facts, words));
  if (flags.json === true) terminal.out(JSON.stringify({ differences }, null, 2));
  else terminal.out(differences.map((found) => lines(terminal, found)).join("\n"));
  return EXIT.ok;
}

/** @throws Refused */
function readOperands([first, ...others]: readonly string[]): {
  names: readonly SnapshotName[];
  points: HistoryPoint[];
} {
  if (first === undefined) return { names: SNAPSHOT_NAMES, points: [] };
  const since = readPoint(first);
  if (since && "revision" in since)
    throw new Refused(`revision ${since.revision} of which snapshot? (${typedHere(`diff plans ${since.revision}`)})`);
  const names = since ? SNAPSHOT_NAMES : [readName(first)];
  const points = (since ? [first, ...others] : others).map((text) => {
    const point = readPoint(text);
    if (point) return point;
    throw new Refused(
      `"${text}" is neither a revision nor a date (${typed("diff plans 3 5")}, ${typed("diff plans 2026-11-01")})`,
    );
  });
  if (points.length > 2) throw new Refused("at most two revisions or dates can be compared");
  return { names, points };
}

/** @throws Refused, OtherProduct, StoreError */
async function compare(facts: Facts, { names, points }: ReturnType<typeof readOperands>): Promise<Comparison[]> {
  await refuseOtherProduct(facts);
  const shown = await Promise.all(names.map((name) => listShown(facts, name)));
  const kept = shown.filter((places) => places.length > 0);
  // Any arguments would fail.
  if (kept.length === 0)
    throw new Refused(`the history of ${names.map(shortName).join(", ")} is empty`, EXIT.unavailable);
  return Promise.all(kept.map((places) => compareOne(facts, places, points)));
}

/** `places`: of one snapshot, newest first, at least one. @throws Refused */
async function compareOne(
  facts: Facts,
  places: readonly HistoryPlace[],
  [a, b]: readonly HistoryPoint[],
): Promise<Comparison> {
  const [newest, before] = await newestStates(facts, places, a || b ? 1 : 2);
  const to = b ? await state(facts, findPlace(places, b)) : newest;
  if (!to) throw new Refused("every kept entry is damaged or incomplete");
  const { place, note } = a ? findSince(places, a) : {};
  const from = a ? place && (await state(facts, place)) : before;
  const changes = difference(from?.payload, to.payload).map(lineOf);
  return { name: to.name, from: from ?? null, to, changes, ...(note !== undefined && { note }) };
}

/** The newest states, up to `count`, without damaged and incomplete entries. */
async function newestStates(facts: Facts, places: readonly HistoryPlace[], count: number): Promise<State[]> {
  const states: State[] = [];
  for (const place of places) {
    const found = asState(await readEntry(facts, place));
    if (found && states.push(found) === count) break;
  }
  return states;
}

/** @throws Refused */
async function state(facts: Facts, place: HistoryPlace): Promise<State> {
  const entry = await readEntry(facts, place);
  const found = asState(entry);
  if (found) return found;
  const whole = entry?.isTakenBack ? "was taken back" : "was too large to keep in full";
  const why = entry ? whole : "is damaged";
  throw new Refused(`revision ${place.revision} of ${shortName(place.name)} ${why}`);
}

function asState(entry: HistoryEntry | undefined): State | undefined {
  if (!entry?.payload) return undefined;
  const { name, revision, changedAt, payload } = entry;
  return { name, revision, changedAt, payload };
}

function lines({ style }: Terminal, { name, from, to, changes, note }: Comparison): string {
  const label = ({ revision, changedAt }: State) => `${revision} (${minute(changedAt)} UTC)`;
  const head = `  ${style("bold", shortName(name))}   ${from ? label(from) : "nothing"} → ${label(to)}`;
  const shown = changes.length > 0 ? changes : ["no difference"];
  const notes = note === undefined ? [] : [`    ${style("dim", note)}`];
  return [head, ...notes, ...shown.map((line) => `    ${line}`)].join("\n");
}
