// `vitrine status DIR...`: one line for each folder, those in trouble first.
import type { SnapshotStatus } from "../../../snapshots/fact-state.ts";
import { span } from "../../../snapshots/rules.ts";
import { EXIT, type Context } from "../../command.ts";
import { aligned, shortName } from "../../output/terminal.ts";
import { codeOf, shownIn, statusHere } from "../status/status.ts";
import { gravityOf, problems } from "../status/status-table.ts";
import { eachInTurn, failureOf, foldersOf, worstOf, type Folder } from "./folders.ts";

interface Row {
  /** `!`: readers still get every fact. */
  mark: "✖" | "!" | "✔";
  text: string;
  shown: { folder: string; code: number };
}

export async function run(context: Context): Promise<number> {
  const rows = await eachInTurn(foldersOf(context, "status", ["json"]), (folder) => rowOf(folder, context));
  rows.sort((a, b) => rankOf(a) - rankOf(b));
  const shown = rows.map((row) => row.shown);
  const lines = aligned(rows.map(({ mark, text, shown: { folder } }) => [`  ${mark} ${folder}`, text]));
  context.terminal.out(context.flags.json === true ? JSON.stringify(shown, null, 2) : lines.join("\n"));
  return worstOf(shown.map(({ code }) => code));
}

/** The exit code says which trouble is worse; above all of them come doubts, and then none. */
function rankOf({ mark, shown: { code } }: Row): number {
  if (code !== EXIT.ok) return code;
  return mark === "!" ? 1_000 : 1_001;
}

async function rowOf({ name: folder, path }: Folder, { environment }: Context): Promise<Row> {
  try {
    const status = await statusHere({ flags: {}, environment, directory: path });
    const { snapshots } = status;
    const code = codeOf(snapshots);
    const texts = snapshots.flatMap((one) => troubleOf(one));
    const mark = code === EXIT.unavailable ? "✖" : texts.length > 0 ? "!" : "✔";
    const text = texts.length > 0 ? texts.join("; ") : `fresh for ${span(timeLeft(snapshots))}`;
    return { mark, text, shown: { folder, code, ...shownIn(status) } };
  } catch (error) {
    const { code, problems } = failureOf(error);
    return { mark: "✖", text: problems.join("; "), shown: Object.assign({ folder, code }, { problems }) };
  }
}

function troubleOf(snapshot: SnapshotStatus): string[] {
  if (gravityOf(snapshot) === undefined) return [];
  const { name, state, damage, damageReason } = snapshot;
  const ofOther = damageReason === "other" && damage !== undefined ? [damage] : [];
  return [`${shortName(name)} ${[state, ...ofOther, ...problems(snapshot, Date.now())].join(", ")}`];
}

/** Until the first fact is stale, in ms. */
function timeLeft(snapshots: readonly SnapshotStatus[]): number {
  return Math.min(...snapshots.map(({ freshUntil = "" }) => Date.parse(freshUntil))) - Date.now();
}
