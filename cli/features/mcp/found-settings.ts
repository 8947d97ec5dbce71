// `vitrine mcp` runs in whatever folder a host has open, which may be a stranger's. Settings that were only found there run no
// command, get no secret and reach no file outside the folder; settings named with --config are the operator's own.
import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { secretNamesIn } from "../../../collector/http/request.ts";
import { askedOf } from "../../../collector/settings.ts";
import { SettingsProblems } from "../../../collector/settings-problems.ts";
import { attempt } from "../../../snapshots/rules.ts";
import { isRemote } from "../../../snapshots/stores/open-store.ts";
import { isIn } from "../../command-hints.ts";
import { API_FILES, type Configuration } from "../../settings/configure.ts";

/** `isCollecting`: whether the sources are opened. @throws SettingsProblems for settings that need --config. */
export function confineToFolder(configuration: Configuration, isCollecting: boolean): void {
  const { settings, origins, directory, file } = configuration;
  const places = (["snapshots", "lastCopy"] as const)
    .filter((path) => !["flag", "environment"].includes(origins.get(path) ?? ""))
    .map((path) => [path, settings[path]] as const);
  const files = API_FILES.map((name) => [`api.${name}`, settings.api[name]] as const);
  const outside = [...files, ...places]
    .filter(([, location]) => location !== undefined && (isRemote(location) || !isInside(directory, location)))
    .map(([path]) => `${path}   leads out of ${directory}`);
  const problems = [...outside, ...(isCollecting ? problemsOfSources(configuration) : [])];
  if (problems.length === 0) return;
  throw new SettingsProblems(file, [
    ...problems,
    `These settings were only found in the folder of the host: if they are yours, add --config ${join(directory, file)}`,
  ]);
}

function problemsOfSources({ settings, given, directory }: Configuration): string[] {
  const ofSecrets = ["notify", "signing"].flatMap((path) =>
    secretNamesIn({ value: given[path] }).map((name) => `${path}   asks for the environment variable ${name}`),
  );
  const ofSources = askedOf(settings).flatMap(({ path, source }) => {
    const names = secretNamesIn(source);
    if (source.from === "command") return [`${path}   runs a command`];
    if (names.length > 0) return [`${path}   asks for the environment variable ${names.join(", ")}`];
    const file = "path" in source ? source.path : undefined;
    const isOutside = file !== undefined && !isInside(directory, resolve(directory, file));
    return isOutside ? [`${path}   leads out of ${directory}`] : [];
  });
  return [...ofSecrets, ...ofSources];
}

/** Whether a path stays in the folder once its links are followed; false if they cannot be. */
function isInside(folder: string, path: string): boolean {
  return attempt(() => isIn(realPathOf(path), realpathSync(folder))) ?? false;
}

/** A path that does not exist yet is judged by its parent. @throws the system's error, as for a link to nowhere. */
function realPathOf(path: string): string {
  if (lstatSync(path, { throwIfNoEntry: false })) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(realPathOf(parent), basename(path));
}
