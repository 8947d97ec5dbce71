// `vitrine history [NAME]`: the kept changes, newest first.
import { readHistory, type HistoryEntry } from "../../snapshots/history.ts";
import type { Reader } from "../../snapshots/store.ts";
import { refuseOtherProduct, type SnapshotName } from "../../snapshots/snapshot.ts";
import { EXIT, Refused, type Context } from "../command.ts";
import { configure } from "../settings/configure.ts";
import { minute, shortName, type Terminal } from "../output/terminal.ts";
import { withReader } from "../with-store.ts";
import { readName, readPoint } from "./snapshot-arguments.ts";
import { typedHere } from "../command-hints.ts";

/** The table shows so many lines of one entry. */
const MAX_LINES = 4;

type ChangeRow = Pick<HistoryEntry, "name" | "revision" | "changedAt" | "changes">;

export async function run(context: Context): Promise<number> {
  const { terminal, flags, operands = [] } = context;
  const [word] = operands;
  const name = word === undefined ? undefined : nameOf(word);
  const rows = await withReader(configure(context), (store) => readRows(store, name));
  if (flags.json === true) terminal.out(JSON.stringify({ changes: rows }, null, 2));
  else if (rows.length > 0) terminal.out(table(terminal, rows));
  else terminal.err(`  the history is empty (${typedHere("collect")})`);
  return EXIT.ok;
}

async function readRows(store: Reader, name: SnapshotName | undefined): Promise<ChangeRow[]> {
  await refuseOtherProduct(store);
  const rows: ChangeRow[] = [];
  for await (const { name: of, revision, changedAt, changes } of readHistory(store, name)) {
    rows.push({ name: of, revision, changedAt, changes });
  }
  return rows;
}

/** @throws Refused */
function nameOf(word: string): SnapshotName {
  const point = readPoint(word);
  if (!point) return readName(word);
  const [kind, command] = "revision" in point ? ["revision", `diff plans ${word}`] : ["date", `diff ${word}`];
  throw new Refused(`"${word}" is a ${kind}; use: ${typedHere(command)}`);
}

function table({ style }: Terminal, rows: readonly ChangeRow[]): string {
  const width = Math.max(...rows.map(({ revision }) => String(revision).length));
  const lines = rows.map(({ name, revision, changedAt, changes }) => {
    const head = `  ${minute(changedAt)}   ${shortName(name).padEnd(8)} ${String(revision).padStart(width)}   `;
    const shown = changes.length > 0 ? changes.slice(0, MAX_LINES) : ["no difference"];
    const more = changes.length > MAX_LINES ? [style("dim", `and ${changes.length - MAX_LINES} more`)] : [];
    return head + [...shown, ...more].join(`\n${" ".repeat(head.length)}`);
  });
  return [
    style("dim", `  ${"time (UTC)".padEnd(18)} ${"name".padEnd(8)} ${"r".padStart(width)}   what changed`),
    ...lines,
  ].join("\n");
}
