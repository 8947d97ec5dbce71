// A dry run, and the page that a server would make of it: each candidate, also one that a run would hold back, and the published snapshot
// of a source that fails. The store of the settings is only read; the page has no history.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { dryRun, type Finding } from "../../../collector/features/dry-run/dry-run.ts";
import { withRunDeadline } from "../../../collector/run/schedule.ts";
import { openRun } from "../../../collector/settings.ts";
import { readApiFiles } from "../../../server/features/api-files/api-files.ts";
import { handlerOver } from "../../../server/features/edge/over-store.ts";
import { currentKey, readOwn } from "../../../snapshots/facts.ts";
import { encodeSnapshot, factOf, type Snapshot } from "../../../snapshots/snapshot.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { errorCode } from "../../../snapshots/system-calls.ts";
import { codeOf, EXIT, Refused, type Context } from "../../command.ts";
import { warningLine } from "../../output/terminal.ts";
import { configure, type Configuration } from "../../settings/configure.ts";
import { withReader } from "../../with-store.ts";
import { findingLines } from "../dry-run/dry-run-lines.ts";

/** Links on the page lead nowhere without a public address. */
const NO_BASE = "http://localhost:3000";

/** @throws Refused if the file cannot be written, or is no page */
export async function run(context: Context): Promise<number> {
  const { terminal, flags, directory } = context;
  const configuration = configure(context);
  const name = String(flags.page);
  const path = resolve(directory, name);
  await refuseOther(path, name);
  const { findings, snapshots } = await candidates(configuration, context);
  await writeFile(path, await pageOf(configuration, snapshots, terminal)).catch((error: unknown) => {
    throw new Refused(`${name} cannot be written (${errorCode(error) ?? "unknown error"}): name another`, EXIT.failed);
  });
  if (flags.json === true) terminal.out(JSON.stringify({ findings, page: name }, null, 2));
  else {
    for (const finding of findings) terminal.out(findingLines(terminal, finding));
    terminal.out(`  ✔ ${name} written: the page as it would be; nothing is published`);
  }
  return codeOf(findings.map(({ result }) => result));
}

async function candidates(configuration: Configuration, { companions, stop }: Context) {
  const { settings } = configuration;
  return withReader(configuration, async (facts) => {
    const opened = openRun(settings, { ...configuration, base: settings.api.baseUrl });
    const known = await companions();
    const findings = await withRunDeadline(stop, (signal) =>
      dryRun({ ...opened, facts, known, accept: new Set(), signal }),
    );
    const published = await readOwn(facts);
    const snapshots = findings.flatMap((finding) => {
      const read = published.get(finding.name);
      return shown(finding, read?.state === "found" ? read.snapshot : undefined, settings.staleAfter) ?? [];
    });
    return { findings, snapshots };
  });
}

/** The snapshot that the page shows. `staleAfter`: in ms. */
function shown(finding: Finding, published: Snapshot | undefined, staleAfter: number): Snapshot | undefined {
  const { name, result, payload, names, files, from } = finding;
  if (result === "failed" || !payload) return published;
  const confirmedAt = new Date().toISOString();
  const freshUntil = new Date(Date.now() + staleAfter).toISOString();
  const { revision = 1, changedAt = confirmedAt } = published ?? {};
  return { name, revision, changedAt, confirmedAt, freshUntil, source: from, names, files, ...factOf(payload) };
}

async function pageOf(
  { settings: { api, product, share } }: Configuration,
  snapshots: readonly Snapshot[],
  terminal: Context["terminal"],
): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), "vitrine-page-"));
  try {
    const store = openStore(scratch, {});
    for (const snapshot of snapshots) await store.put(currentKey(snapshot.name), encodeSnapshot(snapshot));
    const base = api.baseUrl ?? NO_BASE;
    const warn = (text: string) => terminal.err(warningLine(text));
    const answerTo = handlerOver(store, { api, product, trust: undefined, base, ...readApiFiles(api), share, warn });
    return (await (await answerTo(new Request(base, { headers: { accept: "text/html" } }))).text()) + OURS;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

const OURS = "<!-- written by vitrine check --page -->\n";

/** A slip such as `--page index.html` must cost no file. */
async function refuseOther(path: string, name: string): Promise<void> {
  if (name === "-") throw new Refused("--page - is no file: name one, such as page.html", EXIT.settings);
  const there = await readFile(path, "utf8").catch(() => "");
  if (there !== "" && !there.endsWith(OURS))
    throw new Refused(`${name} is there, and was not written by this command: name another file`, EXIT.settings);
}
