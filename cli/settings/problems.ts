// Problems with the settings as lines: path, expectation, actual value, and the flag or variable that overrides it. No
// line shows a value that may be a secret, and no URL shows the part that may hold one.
import type * as z from "zod";
import { SettingsProblems } from "../../collector/settings-problems.ts";
import { clip, parseUrl } from "../../snapshots/rules.ts";

type Issue = z.core.$ZodIssue;

/** Where a setting came from, in order of precedence. */
export type Origin = "flag" | "environment" | "file" | "default";

export const OVERRIDES = [
  { path: "host", flag: "host", variable: "HOST" },
  { path: "port", flag: "port", variable: "PORT" },
  { path: "api.baseUrl", flag: "base-url", variable: "BASE_URL" },
  { path: "snapshots", flag: "snapshots", variable: "SNAPSHOTS" },
  { path: "lastCopy", flag: "last-copy", variable: "LAST_COPY" },
  { path: "staleAfter", flag: "stale-after", variable: "STALE_AFTER" },
  { path: "metrics", flag: "metrics", variable: "METRICS" },
  { path: "schedule", flag: "schedule", variable: "SCHEDULE" },
] as const;

/** `raw`: all settings. `code`: of the schema's issue. */
export interface WrongSetting {
  path: readonly string[];
  raw: unknown;
  code: Issue["code"];
}

interface Checked {
  raw: unknown;
  /** The end of a line: what to write instead, if that is known. */
  remedyFor(wrong: WrongSetting): string;
}

/** A line for each issue of the schema. `origins`: where values came from, by path. */
export function problemLines(
  { issues }: z.ZodError,
  { origins, ...checked }: Checked & { origins: ReadonlyMap<string, Origin> },
): string[] {
  const found = issues.flatMap((issue) => problemsOfIssue(issue, [], checked));
  const width = Math.max(...found.map(({ path }) => path.length));
  return found.map(({ path, text }) => `${path.padEnd(width)}   ${text}${elsewhere(path, origins.get(path))}`);
}

/** The line for a problem with one setting that is found after all of them were checked. */
export function problemLine(path: string, text: string, origins: ReadonlyMap<string, Origin>): string {
  return `${path}   ${text}${elsewhere(path, origins.get(path))}`;
}

/** A line for each problem of an attempt to use the settings; none if it succeeds. */
export function problemsOf(use: () => unknown): readonly string[] {
  try {
    use();
    return [];
  } catch (error) {
    if (error instanceof SettingsProblems) return error.problems;
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** The flag or variable that gave the value; if the file did, the variable that could. */
export function elsewhere(path: string, origin: Origin | undefined): string {
  const override = OVERRIDES.find((candidate) => candidate.path === path);
  if (!override) return "";
  if (origin === "flag") return `, given as --${override.flag}`;
  return origin === "environment" ? `, given as ${override.variable}` : `, or set ${override.variable}`;
}

/** A web URL of an origin alone as it is, of any other the origin with a mark for what may be secret; any other text unchanged. */
export function withoutPath(text: string): string {
  const url = parseWebUrl(text);
  if (!url) return text;
  return url.href === `${url.origin}/` ? text.trim() : `${url.origin}/…`;
}

/** A URL without user name and password; any other text unchanged. */
export function withoutUserInfo(text: string): string {
  const url = parseUrl(text);
  return url && url.username + url.password !== "" ? Object.assign(url, { username: "", password: "" }).href : text;
}

/** The location of a store as it may be shown: without user name and password, and of a followed server without a path of its
 * own, which may be a secret. */
export function shownLocation(location: string): string {
  const shown = withoutUserInfo(location);
  return parseWebUrl(shown)?.pathname === "/snapshots/" ? shown : withoutPath(shown);
}

/** Undefined for text that is no URL of the web. */
function parseWebUrl(text: string): URL | undefined {
  return /^https?:/i.test(text) ? parseUrl(text) : undefined;
}

function problemsOfIssue(issue: Issue, above: PropertyKey[], checked: Checked): { path: string; text: string }[] {
  const path = [...above, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => problemAt([...path, key], "unknown setting", issue, checked));
  }
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    return likelyAlternative(issue.errors).flatMap((inner) => problemsOfIssue(inner, path, checked));
  }
  // The key is already in the path, and its value is irrelevant.
  if (issue.code === "invalid_key") return issue.issues.map((inner) => ({ path: pathText(path), text: inner.message }));
  return [problemAt(path, issue.message + got(path, checked.raw), issue, checked)];
}

function problemAt(path: readonly PropertyKey[], text: string, { code }: Issue, { raw, remedyFor }: Checked) {
  return { path: pathText(path) || "the file", text: text + remedyFor({ path: path.map(String), raw, code }) };
}

/** The keys of stand-ins are meant as URLs. */
function pathText(path: readonly PropertyKey[]): string {
  const [first, ...keys] = path.map((key) => String(key) || '""');
  if (first !== "standIns") return [first, ...keys].join(".");
  return [first, ...keys.map((key) => (parseWebUrl(key) ? withoutPath(key) : "…"))].join(".");
}

/** The issues of the alternative that was most likely meant: with the fewest mismatches in its keys and its `from`. */
function likelyAlternative(alternatives: readonly (readonly Issue[])[]): readonly Issue[] {
  const mismatches = (issues: readonly Issue[]) =>
    issues.filter(({ code, path }) => (code === "unrecognized_keys" && path.length === 0) || path.join(".") === "from")
      .length;
  // An alternative of another type, such as `false` where an object is given, has no issues about the contents.
  const sameType = alternatives.filter(
    (issues) => !issues.some(({ code, path }) => path.length === 0 && ["invalid_value", "invalid_type"].includes(code)),
  );
  return (sameType.length > 0 ? sameType : alternatives).toSorted((a, b) => mismatches(a) - mismatches(b))[0] ?? [];
}

/** The value that was given, unless it may be a secret. */
function got(path: readonly PropertyKey[], raw: unknown): string {
  const value = path.reduce(field, raw);
  if (value === undefined) return " (it is missing)";
  const shown = JSON.stringify(value);
  // Headers, variables, arguments, tokens and keys may be secrets, and so may all of a URL but its origin.
  const isSecret =
    ["signing", "trust"].includes(String(path[0])) ||
    path.includes("headers") ||
    path.includes("env") ||
    path.includes("command") ||
    ["token", "key", "registryKey"].includes(String(path.at(-1)));
  if (isSecret || typeof value === "object" || /[@?]/.test(shown)) return "";
  const isMeantAsUrl = path[0] === "standIns" || (path.length > 1 && ["url", "api"].includes(String(path.at(-1))));
  if (isMeantAsUrl || shown.includes("//"))
    return parseWebUrl(String(value)) ? ` (got "${withoutPath(String(value))}")` : "";
  return ` (got ${clip(shown, 60, "…")})`;
}

/** A property of an object or array; undefined for any other value. */
export function field(value: unknown, name: PropertyKey): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
