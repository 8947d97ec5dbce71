// Combines settings file, environment and command line into one checked value, or reports every problem at once.
// Precedence: flag > environment > file > default.
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expectation } from "../../collector/parsing/expectation.ts";
import { SettingsProblems } from "../../collector/settings/problems.ts";
import { DEMO } from "../package-files.ts";
import { whyNoDemo } from "./demo-rule.ts";
import { locationProblems, resolveLocation } from "./location.ts";
import { jsonMistake } from "./json-mistake.ts";
import { problemLines } from "./problems.ts";
import { OVERRIDES, Settings, type Origin } from "./schema.ts";
import { errorCode } from "../../snapshots/error-code.ts";
import { isFollowed } from "../../snapshots/open-store.ts";
import { withoutUserInfo } from "./url-text.ts";

export const CONFIG_FILE = "vitrine.config.json";
const DEMO_FILE = fileURLToPath(new URL("vitrine.config.json", DEMO));

/** A server that follows another one asks no sources, so its settings need none. */
const NO_SOURCES = { plans: { from: "none" }, releases: { from: "none" } };

export interface Configuration {
  /** Hold no secret. */
  settings: Settings;
  /** Of the store. Unlike `settings.snapshots`, it may have a user name and a password: only for opening the store. */
  location: string;
  environment: ConfigurationInput["environment"];
  /** The file with the overrides applied, before defaults. */
  given: Readonly<Record<string, unknown>>;
  /** Origin of each of the OVERRIDES, by path. */
  origins: Map<string, Origin>;
  /** The settings file, as given. */
  file: string;
  /** True if nobody named the file: it lay in the working directory. */
  isFound: boolean;
  /** True for the built-in demo product, in place of a settings file. */
  isDemo: boolean;
  /** Base of the relative paths in the settings. */
  directory: string;
}

export interface ConfigurationInput {
  flags: Readonly<Record<string, string | boolean | undefined>>;
  environment: Readonly<Record<string, string | undefined>>;
  /** The working directory. */
  directory: string;
}

/** Finds, reads, overlays and checks the settings. `hasDemo`: whether this command shows the demo without being asked, as
 * far as demo-rule.ts permits it. @throws SettingsProblems */
export function configure(input: ConfigurationInput, { hasDemo = false } = {}): Configuration {
  const { flags, environment, directory } = input;
  const isDemoAsked = flags.demo === true;
  if (isDemoAsked && text(flags.config) !== undefined)
    throw new SettingsProblems("the command line", ["--demo cannot be combined with --config"]);
  const given = isDemoAsked ? undefined : (text(flags.config) ?? text(environment.VITRINE_CONFIG));
  const name = given ?? CONFIG_FILE;
  const path = resolve(directory, name);
  const contents = isDemoAsked ? undefined : read(path);
  if (contents === undefined && given !== undefined)
    throw new SettingsProblems(withoutUserInfo(name), ["the file does not exist"]);
  const isDemo = contents === undefined;
  const file = isDemo ? DEMO_FILE : path;
  const raw = parse(isDemo ? read(DEMO_FILE) : contents, name);
  const origins = overlay(raw, flags, environment);
  // The settings are parsed once, so compiling Zod's parsers would cost more than it saves.
  const checked = Settings.safeParse(
    { ...(isFollower(raw) ? NO_SOURCES : {}), ...raw },
    { jitless: true, error: expectation },
  );
  const origin = origins.get("snapshots");
  const problems = [
    ...problemLines(checked.error, { raw, origins }),
    ...locationProblems(raw.snapshots, { origin, environment, isDemoAsked }),
  ];
  if (!checked.success || problems.length > 0)
    throw new SettingsProblems(isDemo ? "the command line or the environment" : name, problems);
  const settings = checked.data;
  const location = resolveLocation(settings.snapshots, { origin, directory, file, isDemo });
  settings.snapshots = withoutUserInfo(location);
  if ("snapshots" in raw) raw.snapshots = settings.snapshots;
  for (const name of ["logo", "overview", "faq"] as const) {
    const path = settings.api[name];
    if (path !== undefined) settings.api[name] = resolve(dirname(file), path);
  }
  const configuration = {
    settings,
    location,
    environment,
    given: raw,
    origins,
    file: name,
    isFound: given === undefined && !isDemo,
    isDemo,
    directory: dirname(file),
  };
  const refusal = isDemo && !isDemoAsked ? whyNoDemo(configuration, input, hasDemo) : undefined;
  if (refusal !== undefined) throw new SettingsProblems(name, [refusal]);
  return configuration;
}

function isFollower({ snapshots }: Record<string, unknown>): boolean {
  return typeof snapshots === "string" && isFollowed(snapshots.trim());
}

/** Applies flags and environment to the file's values, in place. */
function overlay(
  raw: Record<string, unknown>,
  flags: ConfigurationInput["flags"],
  environment: ConfigurationInput["environment"],
) {
  const origins = new Map<string, Origin>();
  for (const { path, flag, variable } of OVERRIDES) {
    const [name = "", parent] = path.split(".").toReversed();
    const holder = parent === undefined ? raw : objectIn(raw, parent);
    const value = text(flags[flag]) ?? text(environment[variable]);
    if (value !== undefined && holder) holder[name] = path === "port" ? number(value) : value;
    const isFromFlag = text(flags[flag]) !== undefined;
    const isInFile = holder !== undefined && holder[name] !== undefined;
    origins.set(path, isFromFlag ? "flag" : value !== undefined ? "environment" : isInFile ? "file" : "default");
  }
  return origins;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = errorCode(error) ?? "unknown error";
    if (code === "ENOENT") return undefined;
    throw new SettingsProblems(path, [`cannot be read (${code})`]);
  }
}

function parse(contents: string | undefined, file: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse((contents ?? "").replace(/^\uFEFF/, ""));
  } catch (error) {
    const mistake = jsonMistake(contents ?? "");
    if (mistake !== undefined) throw new SettingsProblems(file, [mistake]);
    const position = /at position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
    const line =
      position === undefined ? "" : `, line ${(contents ?? "").slice(0, Number(position)).split("\n").length}`;
    throw new SettingsProblems(file, [`not valid JSON${line}`]);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw new SettingsProblems(file, ["must be a JSON object"]);
}

/** The object under a key, created if the key is missing; undefined if its value is not an object. */
function objectIn(raw: Record<string, unknown>, key: string): Record<string, unknown> | undefined {
  const value = raw[key] ?? {};
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const copy: Record<string, unknown> = { ...value };
  raw[key] = copy;
  return copy;
}

/** An empty variable counts as not set. */
function text(value: string | boolean | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function number(value: string): number | string {
  return /^\d{1,5}$/.test(value) ? Number(value) : value;
}
