// Combines settings file, environment and command line into one checked value, or reports every problem at once.
// Precedence: flag > environment > file > default.
import { isUtf8 } from "node:buffer";
import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseJsonc } from "../../collector/parsing/jsonc.ts";
import { expectation } from "../../collector/parsing/issues.ts";
import { askedOf } from "../../collector/settings.ts";
import { fromSetting, SettingsProblems } from "../../collector/settings-problems.ts";
import { isLoopback } from "../../snapshots/rules.ts";
import { productOf, SNAPSHOT_NAMES } from "../../snapshots/snapshot.ts";
import { currentKey, type Trust } from "../../snapshots/facts.ts";
import { isFollowed, isRemote, openReader } from "../../snapshots/stores/open-store.ts";
import { errorCode } from "../../snapshots/system-calls.ts";
import { typed } from "../command-hints.ts";
import { DEMO } from "../package-files.ts";
import {
  elsewhere,
  field,
  OVERRIDES,
  problemLine,
  problemLines,
  problemsOf,
  shownLocation,
  withoutUserInfo,
  type Origin,
} from "./problems.ts";
import { otherFiles, remedyFor, Settings, trustOf } from "./schema.ts";

export const CONFIG_FILE = "vitrine.config.json";
/** The same for an editor that underlines comments in the other. */
export const OTHER_FILE = `${CONFIG_FILE}c`;
const DEMO_FILE = fileURLToPath(new URL("vitrine.config.json", DEMO));

/** The settings of `api` that name a file. */
export const API_FILES = ["logo", "picture", "overview", "faq"] as const;

/** The API's name for a vendor who has not given `init` one. It names no product: it would be that of many. */
export const SAMPLE_NAME = "My product";

/** A server that follows another one asks no sources, so its settings need none. */
const NO_SOURCES = { plans: { from: "none" }, releases: { from: "none" } } as const;

export interface Configuration {
  /** Hold no secret. `product` is set if it or the name of the API is given. */
  settings: Settings;
  /** Where the store is. Unlike `settings.snapshots`, it may have a user name and a password, and serves to open the store only. */
  location: string;
  /** Whose signatures count; undefined if any snapshot is believed. */
  trust: Trust | undefined;
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
 * far as `whyNoDemo` permits it. `needsSources`: whether the settings must have any. @throws SettingsProblems */
export function configure(input: ConfigurationInput, { hasDemo = false, needsSources = true } = {}): Configuration {
  const { flags, environment, directory } = input;
  const isDemoAsked = flags.demo === true;
  const { name, naming } = placeOf(input);
  const path = resolve(directory, name);
  const contents = isDemoAsked ? undefined : contentsOf(path, naming);
  if (contents === undefined && naming !== undefined)
    throw new SettingsProblems(withoutUserInfo(name), [`the file does not exist: correct ${naming}`]);
  const isDemo = contents === undefined;
  const file = isDemo ? DEMO_FILE : path;
  const raw = parseObject(contents ?? contentsOf(DEMO_FILE) ?? "", name);
  const origins = overlay(raw, input);
  const isFollower = typeof raw.snapshots === "string" && isFollowed(raw.snapshots.trim());
  // The settings are parsed once, so compiling Zod's parsers would cost more than it saves.
  const sources = needsSources && !isFollower ? {} : NO_SOURCES;
  const checked = Settings.safeParse({ ...sources, ...raw }, { jitless: true, error: expectation });
  const origin = origins.get("snapshots");
  const problems = [
    ...(checked.error ? problemLines(checked.error, { raw, origins, remedyFor }) : []),
    ...locationProblems(raw.snapshots, origin, input),
    ...directoryProblems(raw.lastCopy, origins),
  ];
  if (!checked.success || problems.length > 0)
    throw new SettingsProblems(isDemo ? "the command line or the environment" : name, problems);
  const settings = checked.data;
  const location = resolveLocation(settings.snapshots, { origin, directory, file, isDemo });
  settings.snapshots = shownLocation(location);
  // The default name and that of the sample are those of many.
  const apiName = field(raw.api, "name");
  if (apiName !== undefined && apiName !== SAMPLE_NAME) settings.product ??= productOf(settings.api.name);
  if ("snapshots" in raw) raw.snapshots = settings.snapshots;
  if (settings.lastCopy !== undefined) {
    const place = { origin: origins.get("lastCopy"), directory, file, isDemo: false };
    settings.lastCopy = resolveLocation(settings.lastCopy, place);
  }
  const lost = overwrittenFacts(settings, [location, settings.lastCopy ?? location], dirname(file));
  if (lost.length > 0) throw new SettingsProblems(name, lost);
  for (const name of API_FILES) {
    const path = settings.api[name];
    if (path !== undefined) settings.api[name] = resolve(dirname(file), path);
  }
  const configuration = {
    settings,
    location,
    trust: fromSetting(name, "trust", () => trustOf(settings)),
    environment,
    given: raw,
    origins,
    file: name,
    isFound: naming === undefined && !isDemo,
    isDemo,
    directory: dirname(file),
  };
  const refusal = isDemo && !isDemoAsked ? whyNoDemo(configuration, input, hasDemo) : undefined;
  if (refusal !== undefined) throw new SettingsProblems(name, [refusal]);
  return configuration;
}

/** The same for a process that asks no sources: it must not keep their addresses and headers, which may be secret, in memory that
 * the internet is served from. */
export function withoutSources({ settings, given, ...rest }: Configuration): Configuration {
  const { plans: _plans, releases: _releases, standIns: _standIns, crossChecks: _crossChecks, ...others } = given;
  // A variable, because the feature of a setting may be gone.
  const none = { ...NO_SOURCES, standIns: {}, crossChecks: [] };
  return { ...rest, settings: { ...settings, ...none }, given: others };
}

/** Where the settings are, and which flag or variable says so, if any. @throws SettingsProblems */
function placeOf({ flags, environment, directory }: ConfigurationInput): { name: string; naming?: string } {
  const flag = nonEmpty(flags.config);
  if (flags.demo === true && flag !== undefined)
    throw new SettingsProblems("the command line", ["--demo cannot be combined with --config"]);
  if (flags.demo === true) return { name: CONFIG_FILE };
  const name = flag ?? nonEmpty(environment.VITRINE_CONFIG);
  if (name === undefined) return { name: fileIn(directory) };
  const naming = flag === undefined ? "VITRINE_CONFIG" : "--config";
  if (!name.trimStart().startsWith("{")) return { name, naming };
  // Shows nothing of it, which may have secrets.
  throw new SettingsProblems(naming, ["takes the path of a file, not the settings themselves"]);
}

/** @throws SettingsProblems if there are two. */
function fileIn(directory: string): string {
  const [first = CONFIG_FILE, second] = [CONFIG_FILE, OTHER_FILE].filter((file) =>
    existsSync(resolve(directory, file)),
  );
  if (second === undefined) return first;
  throw new SettingsProblems(first, [`${second} lies beside it: remove one of them, or name one with --config FILE`]);
}

/** An empty variable counts as not set. */
function nonEmpty(value: string | boolean | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Undefined if the file does not exist. `naming`: the flag or variable that names it. @throws SettingsProblems if it cannot be read. */
function contentsOf(path: string, naming?: string): string | undefined {
  try {
    const bytes = readFileSync(path);
    const text = new TextDecoder(isUtf8(bytes) ? "utf-8" : "latin1").decode(bytes);
    const fault = otherFiles?.foreign(text) ?? (isUtf8(bytes) ? "" : "is not in UTF-8: save it in that encoding");
    if (fault !== "") throw new SettingsProblems(path, [fault]);
    return text;
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT") return undefined;
    if (code === undefined) throw error;
    if (code !== "EISDIR")
      throw new SettingsProblems(path, [`cannot be read (${code}): name a file that this user may read`]);
    const remedy = naming === undefined ? "remove it, and write the file" : `name a file with ${naming}`;
    throw new SettingsProblems(path, [`is a directory, which Docker makes where a file is missing: ${remedy}`]);
  }
}

/** @throws SettingsProblems for anything but an object; quotes nothing of the contents. */
function parseObject(contents: string, file: string): Record<string, unknown> {
  const read = parseJsonc(contents, otherFiles?.explain);
  if ("problems" in read) throw new SettingsProblems(file, read.problems);
  const { value } = read;
  // A copy, because V8 keeps the whole file in memory for a part of its text.
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return structuredClone({ ...value });
  throw new SettingsProblems(file, ["must be a JSON object"]);
}

/** Applies flags and environment to the file's values, in place. Returns the origin of each of the OVERRIDES. */
function overlay(raw: Record<string, unknown>, { flags, environment }: ConfigurationInput): Map<string, Origin> {
  const origins = new Map<string, Origin>();
  for (const { path, flag, variable } of OVERRIDES) {
    const [name = "", parent] = path.split(".").toReversed();
    const holder = parent === undefined ? raw : objectIn(raw, parent);
    const value = nonEmpty(flags[flag]) ?? nonEmpty(environment[variable]);
    if (value !== undefined && holder) {
      // Anything but digits is left to the schema, which refuses it.
      holder[name] = path === "port" && /^\d{1,5}$/.test(value) ? Number(value) : value;
    }
    const isFromFlag = nonEmpty(flags[flag]) !== undefined;
    const isInFile = holder !== undefined && holder[name] !== undefined;
    origins.set(path, isFromFlag ? "flag" : value !== undefined ? "environment" : isInFile ? "file" : "default");
  }
  return origins;
}

/** The object under a key, created if the key is missing; undefined if its value is not an object. */
function objectIn(raw: Record<string, unknown>, key: string): Record<string, unknown> | undefined {
  const value = raw[key] ?? {};
  if (typeof value !== "object" || Array.isArray(value)) return undefined;
  return (raw[key] = { ...value });
}

/** A line for each problem with the value of `snapshots`; quotes nothing of it. A value that is no text is the schema's
 * problem. Only the environment may give a user name and a password: every user of the computer can read command lines,
 * and the settings file is no place for secrets. */
function locationProblems(
  location: unknown,
  origin: Origin | undefined,
  { flags, environment }: ConfigurationInput,
): string[] {
  if (typeof location !== "string" || location === "") return [];
  const isExposed = origin !== "environment" && withoutUserInfo(location) !== location;
  // Some of them name other variables.
  const place = elsewhere("snapshots", origin).replace(", given", "; the location is given");
  return [
    // Opening a store has no effect until it is used.
    ...problemsOf(() => openReader(location, environment)).map((text) => `snapshots   ${text}${place}`),
    ...(flags.demo === true && isRemote(location) ? ["snapshots   must be a directory for the demo product"] : []),
    ...(isExposed ? ["snapshots   may have a user name and a password only in the environment, as SNAPSHOTS"] : []),
  ];
}

/** At most one line, which quotes nothing of a value that may be a URL with a password. */
function directoryProblems(lastCopy: unknown, origins: Configuration["origins"]): string[] {
  if (typeof lastCopy !== "string" || lastCopy === "") return [];
  const isDirectory = !isRemote(lastCopy) && problemsOf(() => openReader(lastCopy)).length === 0;
  return isDirectory ? [] : [problemLine("lastCopy", "must be the path of a directory", origins)];
}

/** The absolute path of the directory, or the URL in its normal form. `location`: without a problem. Paths from the
 * file and the default are relative to the file, those from a flag or variable to the working directory. The demo
 * always gets a subdirectory of its own, so that its prices are never served as the vendor's. */
function resolveLocation(
  location: string,
  { origin, directory, file, isDemo }: { origin: Origin | undefined; directory: string; file: string; isDemo: boolean },
): string {
  if (isRemote(location)) return new URL(location).href;
  const path = /^file:/i.test(location) ? fileURLToPath(location) : location;
  if (isDemo) return resolve(directory, path, "demo");
  return resolve(origin === "file" || origin === "default" ? dirname(file) : directory, path);
}

/** A line for each file of facts that a snapshot would be written over. `directories`: of snapshots. */
function overwrittenFacts(settings: Settings, directories: readonly string[], base: string): string[] {
  const written = new Set(
    directories.flatMap((directory) => SNAPSHOT_NAMES.map((name) => resolve(directory, currentKey(name)))),
  );
  return askedOf(settings).flatMap(({ path, source }) =>
    "path" in source && written.has(resolve(base, source.path ?? ""))
      ? [
          `${path}.path   is where a snapshot is written: keep your facts in another folder than "snapshots" and "lastCopy"`,
        ]
      : [],
  );
}

/** Why the demo product may not stand in for missing settings, with the remedies; undefined if it may. A wrong working
 * directory or an unmounted volume must never publish invented prices, so only a command with `hasDemo` shows the demo
 * unasked, and only where nothing points at a real service. */
function whyNoDemo(
  configuration: Configuration,
  { environment, directory }: ConfigurationInput,
  hasDemo: boolean,
): string | undefined {
  const other = otherFiles?.similar(directory) ?? "";
  const sign = other === "" ? signOfService(configuration, environment) : "another file may be meant";
  if (hasDemo && sign === undefined) return undefined;
  const remedies = `name it with --config FILE, write one with "${typed("init")}", or ask for the demo product with --demo`;
  const condition = hasDemo ? `, which is not shown unasked because ${sign}` : "";
  return `there is no such file in ${directory}${other}: ${remedies}${condition}`;
}

/** A sign that the process is meant to serve somebody, if there is one. */
function signOfService(
  { settings, origins }: Configuration,
  { NODE_ENV, LISTEN_FDS = "" }: ConfigurationInput["environment"],
): string | undefined {
  const { host, api } = settings;
  if (!isLoopback(host) && host !== "::1") return `host is ${host}`;
  if (api.baseUrl !== undefined) return "a public base URL is set";
  if (NODE_ENV === "production") return "NODE_ENV is production";
  if (origins.get("snapshots") !== "default") return "the place of the snapshots is given";
  return LISTEN_FDS === "" ? undefined : "a socket was passed on by a supervisor";
}
