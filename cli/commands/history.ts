// `vitrine history [NAME]`: the changes that are kept, newest first.
import { readHistory } from "../../snapshots/history.ts";
import type { Entry } from "../../snapshots/history-entry.ts";
import { openStore } from "../../snapshots/open-store.ts";
import type { SnapshotName } from "../../snapshots/snapshot.ts";
import { EXIT, type Context } from "../command.ts";
import { configure } from "../settings/configure.ts";
import { NotThere, readName, readPoint } from "../snapshot-arguments.ts";
import { minute, shortName, type Terminal } from "../output/terminal.ts";

/** Most lines of one change in the table. */
const MOST_SHOWN = 4;

type Row = Pick<Entry, "name" | "revision" | "changedAt" | "changes">;

export async function run(context: Context): Promise<number> {
  const { terminal, flags, operands = [] } = context;
  const [word] = operands;
  try {
    const name = word === undefined ? undefined : nameOf(word);
    const rows: Row[] = [];
    for await (const entry of readHistory(openStore(configure(context).settings.snapshots), name)) {
      const { name, revision, changedAt, changes } = entry;
      rows.push({ name, revision, changedAt, changes });
    }
    if (flags.json === true) terminal.out(JSON.stringify({ changes: rows }, null, 2));
    else if (rows.length > 0) terminal.out(table(terminal, rows));
    else terminal.err("  no change is kept yet (vitrine collect)");
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof NotThere)) throw error;
    terminal.err(`${terminal.style("red", "✖")} ${error.message}`);
    return EXIT.settings;
  }
}

/** @throws NotThere */
function nameOf(word: string): SnapshotName {
  if (!readPoint(word)) return readName(word);
  throw new NotThere(`"${word}" is no name: what has changed since then tells vitrine diff ${word}`);
}

function table({ style }: Terminal, rows: readonly Row[]): string {
  const width = Math.max(...rows.map(({ revision }) => String(revision).length));
  const lines = rows.map(({ name, revision, changedAt, changes }) => {
    const head = `  ${minute(changedAt)}   ${shortName(name).padEnd(8)} ${String(revision).padStart(width)}   `;
    const more = changes.length > MOST_SHOWN ? [style("dim", `and ${changes.length - MOST_SHOWN} more`)] : [];
    return (
      head +
      [...(changes.length > 0 ? changes.slice(0, MOST_SHOWN) : ["the same facts again"]), ...more].join(
        `\n${" ".repeat(head.length)}`,
      )
    );
  });
  return [
    style("dim", `  ${"time (UTC)".padEnd(18)} ${"name".padEnd(8)} ${"r".padStart(width)}   what changed`),
    ...lines,
  ].join("\n");
}
