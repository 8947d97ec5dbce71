// `vitrine history [NAME]`: lists the kept changes, newest first. With --forget, it takes one of them back before.
import { isSamePlace, type HistoryEntry, type HistoryPlace } from "../../../snapshots/features/history/entry.ts";
import { takeBack } from "../../../snapshots/features/history/history.ts";
import { listHistory, readShown } from "../../../snapshots/features/history/timeline.ts";
import type { Store } from "../../../snapshots/store.ts";
import { refuseOtherProduct, type Facts, readDatedAnyhow } from "../../../snapshots/facts.ts";
import { type SnapshotName } from "../../../snapshots/snapshot.ts";
import { EXIT, Refused, type Context } from "../../command.ts";
import { configure } from "../../settings/configure.ts";
import { minute, shortName, warningLine, type Terminal } from "../../output/terminal.ts";
import { withReader, withStore } from "../../with-store.ts";
import { readName, readPoint } from "./snapshot-arguments.ts";
import { typed, typedHere } from "../../command-hints.ts";

/** Lines of one entry in the table. */
const MAX_LINES = 4;

type ChangeRow = Pick<HistoryEntry, "name" | "revision" | "changedAt" | "changes"> & { takenBack?: true };

export async function run(context: Context): Promise<number> {
  const { terminal, flags, operands = [] } = context;
  const [word] = operands;
  const name = word === undefined ? undefined : nameWithoutPoint(word);
  const place = typeof flags.forget === "string" ? readPlace(flags.forget) : undefined;
  const configuration = configure(context);
  if (place) await withStore(configuration, (facts) => forget(facts, place));
  let damaged = 0;
  const rows = await withReader(configuration, (facts) => readRows(facts, name, () => damaged++));
  if (flags.json === true) terminal.out(JSON.stringify({ changes: rows }, null, 2));
  else if (rows.length > 0) terminal.out(table(terminal, rows));
  else if (damaged === 0) terminal.err(`  the history is empty (${typedHere("collect")})`);
  if (damaged > 0) terminal.err(warningLine(`${damaged} of the files in history/ are damaged, or of another product`));
  return EXIT.ok;
}

async function readRows(facts: Facts, name: SnapshotName | undefined, onDamaged: () => void): Promise<ChangeRow[]> {
  await refuseOtherProduct(facts);
  return (await readShown(facts, name, onDamaged)).map(({ name: of, revision, changedAt, changes, isTakenBack }) => {
    return { name: of, revision, changedAt, changes, ...(isTakenBack && { takenBack: true }) };
  });
}

type KnownPlace = Pick<HistoryPlace, "name" | "changedAt">;

/** @throws Refused */
function readPlace(text: string): KnownPlace {
  const [, word = "", time = ""] = /^(.*)@(.*)$/.exec(text) ?? [];
  const point = readPoint(time);
  if (point && "instant" in point) return { name: readName(word), changedAt: new Date(point.instant).toISOString() };
  const example = "plans@2026-11-01T09:30:00.000Z";
  throw new Refused(`"${text}" is not NAME@TIME, such as ${example}: ${typed("history --json")} has each changedAt`);
}

/** @throws Refused, OtherProduct, StoreError */
async function forget(facts: Facts<Store>, { name, changedAt }: KnownPlace): Promise<void> {
  const claim = await facts.store.claim();
  if (!claim) throw new Refused("another run is in progress on these snapshots: try again in a moment", EXIT.busy);
  try {
    const current = (await readDatedAnyhow(facts)).get(name);
    const places = await listHistory(facts, name);
    const place = places.find((one) => one.changedAt === changedAt);
    const label = ({ changedAt: time }: KnownPlace) => `${shortName(name)}@${time}`;
    if (!place)
      throw new Refused(
        `no change is kept at ${label({ name, changedAt })}; kept: ${places.map(label).join(", ") || "none"}`,
      );
    if (current?.state === "found" && isSamePlace(current.snapshot, place))
      throw new Refused(`${label(place)} is the present revision: it can be taken back when another one is published`);
    await takeBack(facts, place);
  } finally {
    await claim.release();
  }
}

/** @throws Refused */
function nameWithoutPoint(word: string): SnapshotName {
  const point = readPoint(word);
  if (!point) return readName(word);
  const [kind, command] = "revision" in point ? ["revision", `diff plans ${word}`] : ["date", `diff ${word}`];
  throw new Refused(`"${word}" is a ${kind}; use: ${typedHere(command)}`);
}

function table({ style }: Terminal, rows: readonly ChangeRow[]): string {
  const width = Math.max(...rows.map(({ revision }) => String(revision).length));
  const lines = rows.map(({ name, revision, changedAt, changes, takenBack }) => {
    const head = `  ${minute(changedAt)}   ${shortName(name).padEnd(8)} ${String(revision).padStart(width)}   `;
    const none = takenBack ? "taken back" : "no difference";
    const shown = changes.length > 0 ? changes.slice(0, MAX_LINES) : [none];
    const more = changes.length > MAX_LINES ? [style("dim", `and ${changes.length - MAX_LINES} more`)] : [];
    return head + [...shown, ...more].join(`\n${" ".repeat(head.length)}`);
  });
  return [
    style("dim", `  ${"time (UTC)".padEnd(18)} ${"name".padEnd(8)} ${"r".padStart(width)}   what changed`),
    ...lines,
  ].join("\n");
}
