// `vitrine/hosting`: a vendor's folder as one function from a request to a response, for a server of many (examples/hosting). Settings,
// texts, pictures, facts and whose signatures count are as `vitrine serve` has them in the folder; the sources may be missing, because
// none is asked. No file outside of the folder is read. Without it, each vendor needs a server of its own.
// after: api-files, edge
import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fromSetting, SettingsProblems } from "../../../collector/settings-problems.ts";
import { readApiFiles } from "../../../server/features/api-files/api-files.ts";
import type { EdgeHandler } from "../../../server/features/edge/interface.ts";
import { handlerOver } from "../../../server/features/edge/over-store.ts";
import { isRemote, openReader } from "../../../snapshots/stores/open-store.ts";
import { errorCode } from "../../../snapshots/system-calls.ts";
import { isIn } from "../../command-hints.ts";
import { messageOf } from "../../output/terminal.ts";
import { API_FILES, CONFIG_FILE, configure, OTHER_FILE, withoutSources } from "../../settings/configure.ts";
import type { Vendor, VendorOptions } from "./interface.ts";

/** Of each file that is read whole. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** Opens a vendor. Never throws: whatever is wrong in a folder concerns this vendor alone. */
export function openVendor(folder: string, options: VendorOptions): Vendor {
  const seen: { look: () => string; found: string }[] = [];
  const watch = (look: () => string) => void seen.push({ look, found: look() });
  const isCurrent = () => seen.every(({ look, found }) => look() === found);
  try {
    return { handler: open(folder, { ...options, watch }), problems: [], isCurrent };
  } catch (error) {
    return { problems: error instanceof SettingsProblems ? error.problems : [messageOf(error)], isCurrent };
  }
}

/** `watch`: gets a function whose result changes when the vendor must be opened again. @throws SettingsProblems, Error */
function open(
  folder: string,
  { base, pace, warn, watch }: VendorOptions & { watch: (look: () => string) => void },
): EdgeHandler {
  const files = [CONFIG_FILE, OTHER_FILE].map((name) => join(folder, name));
  for (const path of files) watch(() => stampOf(path));
  const found = files.filter((path) => stampOf(path) !== "ENOENT");
  if (found.length === 0) throw new Error(`${CONFIG_FILE} is missing`);
  for (const path of found) fromSetting(path, CONFIG_FILE, () => fileIn(folder, path));
  const input = { flags: {}, environment: {}, directory: folder };
  const { settings, location, trust, file } = withoutSources(configure(input, { needsSources: false }));
  const { api, product, share } = settings;
  if (product === undefined)
    throw new SettingsProblems(file, ["product   is missing: set it or api.name, which say whose facts these are"]);
  for (const name of API_FILES) {
    const path = api[name];
    if (path === undefined) continue;
    watch(() => stampOf(path));
    api[name] = fromSetting(file, `api.${name}`, () => fileIn(folder, path));
  }
  const contents = readApiFiles(api);
  if (isRemote(location)) throw new SettingsProblems(file, ["snapshots   must be a directory in the vendor's folder"]);
  // Facts that vanish stay in memory until they are stale; ones elsewhere are none of this vendor's.
  const place = () => pathIn(folder, nearestOf(location));
  watch(() => orCode(() => place() && "in the folder"));
  fromSetting(file, "snapshots", place);
  const served = { api, product, trust, base: api.baseUrl ?? base, ...contents, share, warn };
  return handlerOver({ ...openReader(location), pace }, served);
}

/** The real path of a file in the folder. @throws Error that quotes nothing of the file */
function fileIn(folder: string, path: string): string {
  const real = pathIn(folder, path);
  const stats = statSync(real);
  if (!stats.isFile() || stats.size > MAX_FILE_BYTES) throw new Error("must be a file of at most 4 MiB");
  return real;
}

/** @throws Error for a path that is missing, or leads out of the folder by itself or by a link */
function pathIn(folder: string, path: string): string {
  let real: string;
  try {
    real = realpathSync.native(path);
  } catch (error) {
    throw new Error(`cannot be read (${errorCode(error) ?? "unknown error"})`, { cause: error });
  }
  if (!isIn(real, realpathSync.native(folder))) throw new Error("must lie in the vendor's folder, also behind a link");
  return real;
}

/** The path, or the nearest one above it that exists: before the first collection, there are no snapshots. */
function nearestOf(path: string): string {
  return existsSync(path) ? path : nearestOf(dirname(path));
}

/** Changes with each change of a file, which is not read. */
function stampOf(path: string): string {
  return orCode(() => {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join("-");
  });
}

/** The code of the error instead, if there is one. */
function orCode(look: () => string): string {
  try {
    return look();
  } catch (error) {
    return errorCode(error) ?? "unknown error";
  }
}
