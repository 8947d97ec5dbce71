// `vitrine status`: the status of every snapshot, from the store, or with --url from a running server.
import { fetchText } from "../../collector/http/fetch.ts";
import { parseUrl } from "../../snapshots/rules.ts";
import { EXIT, type Context } from "../command.ts";
import { configure } from "../settings/configure.ts";
import { statusTable } from "../output/status-table.ts";
import { errorLine, messageOf } from "../output/terminal.ts";
import { withReader } from "../with-store.ts";
import { statusOfStore, statusOfText, type SnapshotStatus } from "../status.ts";

const DEADLINE_MS = 5_000;

export async function run(context: Context): Promise<number> {
  const { flags, terminal, stop } = context;
  const { url } = flags;
  let snapshots: SnapshotStatus[];
  try {
    snapshots =
      typeof url === "string" ? await statusOfServer(url, stop) : await withReader(configure(context), statusOfStore);
  } catch (error) {
    if (typeof url !== "string") throw error;
    terminal.err(errorLine(terminal, `${url}: ${messageOf(error)}`));
    return EXIT.failed;
  }
  terminal.out(flags.json === true ? JSON.stringify({ snapshots }, null, 2) : statusTable(terminal, snapshots));
  if (snapshots.some(({ state }) => state !== "fresh")) return EXIT.unavailable;
  return snapshots.some(({ held }) => held) ? EXIT.held : EXIT.ok;
}

/** @throws Error if the server cannot be reached or is not a Vitrine server. */
async function statusOfServer(url: string, signal: AbortSignal): Promise<SnapshotStatus[]> {
  if (!parseUrl(url)) throw new Error("not a valid URL");
  const answer = await fetchText(`${url.replace(/\/+$/, "")}/status`, { signal, deadline: DEADLINE_MS });
  return answer === "unchanged" ? [] : statusOfText(answer.text);
}
