// `vitrine status`: every snapshot's state, from the store, or with --url from a running server.
import { fetchText } from "../../collector/http/fetch.ts";
import { openStore } from "../../snapshots/open-store.ts";
import { parseUrl } from "../../snapshots/rules.ts";
import { EXIT, type Context } from "../command.ts";
import { configure } from "../settings/configure.ts";
import { statusOfStore, statusOfText, type Row } from "../status.ts";
import { statusTable } from "../output/status-table.ts";

/** Milliseconds. */
const DEADLINE = 5_000;

export async function run(context: Context): Promise<number> {
  const { flags, terminal, stop } = context;
  const { url } = flags;
  let rows: Row[];
  try {
    rows =
      typeof url === "string"
        ? await rowsOfServer(url, stop)
        : await statusOfStore(openStore(configure(context).settings.snapshots));
  } catch (error) {
    if (typeof url !== "string") throw error;
    terminal.err(`${terminal.style("red", "✖")} ${url}: ${error instanceof Error ? error.message : String(error)}`);
    return EXIT.failed;
  }
  terminal.out(flags.json === true ? JSON.stringify({ snapshots: rows }, null, 2) : statusTable(terminal, rows));
  if (rows.some(({ state }) => state !== "fresh")) return EXIT.unavailable;
  return rows.some(({ held }) => held) ? EXIT.held : EXIT.ok;
}

/** @throws Error when the server cannot be asked or is no Vitrine. */
async function rowsOfServer(url: string, signal: AbortSignal): Promise<Row[]> {
  if (!parseUrl(url)) throw new Error("this is not an address");
  const answer = await fetchText(`${url.replace(/\/+$/, "")}/status`, { signal, deadline: DEADLINE });
  return answer === "unchanged" ? [] : statusOfText(answer.text);
}
