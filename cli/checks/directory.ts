// Whether this user may read and write the directory of the snapshots. Creates nothing.
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "../../snapshots/error-code.ts";
import { isRemote } from "../../snapshots/open-store.ts";
import { isForbidden } from "../../snapshots/store.ts";
import type { Configuration } from "../settings/configure.ts";
import { elsewhere } from "../settings/problems.ts";
import { statusOfStore } from "../status.ts";
import { withReader } from "../with-store.ts";

const { R_OK, W_OK, X_OK } = constants;

/** At most one line for the directory, and one for each snapshot in it that cannot be read. */
export async function directoryProblems(configuration: Configuration): Promise<string[]> {
  const { settings, origins } = configuration;
  const directory = settings.snapshots;
  if (isRemote(directory)) return [];
  const line = (text: string) => `snapshots   ${directory} ${text}${elsewhere("snapshots", origins.get("snapshots"))}`;
  const unreadable = await refusal(directory, R_OK | X_OK);
  if (unreadable === "ENOTDIR") return [line("is no directory, or is below a file (ENOTDIR); choose another")];
  if (unreadable !== undefined)
    return [line(`cannot be read (${unreadable}); give this user access, or choose another`)];
  const unwritable = await refusal(directory, W_OK);
  const statuses = await withReader(configuration, statusOfStore);
  return [
    ...(unwritable === undefined
      ? []
      : [line(`cannot be written (${unwritable}), as the collector must; give this user access, or choose another`)]),
    ...statuses.flatMap(({ name, damage = "" }) => (isForbidden(damage) ? [`snapshots   ${name}: ${damage}`] : [])),
  ];
}

/** The error code for the directory, or while it does not exist, for the one that it would be created in. */
async function refusal(directory: string, mode: number): Promise<string | undefined> {
  try {
    if (!(await stat(directory)).isDirectory()) return "ENOTDIR";
    await access(directory, mode);
    return undefined;
  } catch (error) {
    const code = errorCode(error) ?? "unknown error";
    const parent = dirname(directory);
    return code === "ENOENT" && parent !== directory ? refusal(parent, W_OK | X_OK) : code;
  }
}
