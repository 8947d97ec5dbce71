// `npm run rooms -- [NAME[+NAME…]…] [--types]`: takes each feature out of a copy of the project, as a person would: `rm -r` of its
// folders, with those of the features that come after it, of its lines in the registries and of its settings in the demo, and
// `npm run generate`. What is left must compile, and without --types its tests must pass, but for those that red.tsv says are right to be
// red. `NAME+NAME` takes several out together. Without names, all features are taken out in turn. Exits with 1 if one of them leaves
// something else red.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const { registries } = JSON.parse(readFileSync(join(ROOT, "test/floors.json"), "utf8"));
/** Helpers of tests that list features as the registries do. */
const HELPERS = [
  "test/support/collecting/parts.ts",
  "test/support/collecting/collector.ts",
  "test/support/serving/prepared-targets.ts",
];
/** What is right to be red: how the line of it begins, the features of which it is true, and the reason. */
const RIGHT = [];
for (const line of readFileSync(join(ROOT, "test/rooms/red.tsv"), "utf8").trim().split("\n")) {
  const [begin, text = ""] = line.split("\t");
  if (begin === "=") RIGHT.push({ reason: text, rows: [] });
  else if (!line.startsWith("#")) RIGHT.at(-1).rows.push({ begin, features: text.split(", ") });
}
const out = (line) => process.stdout.write(`${line}\n`);

/** Every feature by its name, with its files. */
function features() {
  const found = new Map();
  for (const file of tracked()) {
    const [, name] = /^(?:snapshots|collector|server|cli)\/features\/([^/]+)\//.exec(file) ?? [];
    if (name !== undefined) found.set(name, [...(found.get(name) ?? []), file]);
  }
  return found;
}

function tracked() {
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: ROOT, encoding: "utf8" });
  return listed
    .trim()
    .split("\n")
    .filter((file) => existsSync(join(ROOT, file)));
}

/** The features that a feature imports, by the heads of its files: `// after: history, page`. */
function afterOf(files) {
  const heads = files
    .filter((file) => file.endsWith(".ts"))
    .map((file) => headOf(readFileSync(join(ROOT, file), "utf8")));
  return new Set(heads.flatMap((head) => /^\/\/ after: (.+)$/m.exec(head)?.[1]?.split(", ") ?? []));
}

function headOf(text) {
  return /^(?:\/\/.*\n)*/.exec(text)?.[0] ?? "";
}

/** Features with all that come after them. */
function closureOf(names, after) {
  const gone = new Set(names);
  for (const one of gone) for (const [other, names] of after) if (names.has(one)) gone.add(other);
  return gone;
}

function copyWithout(gone) {
  const copy = mkdtempSync(join(tmpdir(), "rooms-"));
  const isGone = (file) => [...gone].some((name) => file.includes(`features/${name}/`));
  for (const file of tracked().filter((one) => !isGone(one))) {
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    cpSync(join(ROOT, file), join(copy, file));
  }
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  for (const registry of [...registries, ...HELPERS]) removeLines(join(copy, registry), isGone);
  for (const name of gone) removeRow(join(copy, "ARCHITECTURE.md"), name);
  return copy;
}

/** Removes the imports of what is gone, and every line that holds one of the imported names, but not where a place for it is declared. */
function removeLines(path, isGone) {
  const names = new Set();
  const kept = readFileSync(path, "utf8").replaceAll(
    /^import (?:type )?\{([^}]*)\} from "([^"]+)";\n/gm,
    (line, list, from) => {
      if (!isGone(from)) return line;
      for (const name of list.split(",").map((one) => one.trim().split(" ").at(-1))) if (name) names.add(name);
      return "";
    },
  );
  const word = new RegExp(`\\b(?:${[...names].join("|")})\\b(?!\\?:)`);
  const isLineOfIt = (line) => isGone(line) || (names.size > 0 && word.test(line));
  writeFileSync(
    path,
    kept
      .split("\n")
      .filter((line) => !isLineOfIt(line))
      .join("\n"),
  );
}

/** Takes a feature out of the table of features. */
function removeRow(path, name) {
  const text = readFileSync(path, "utf8").replace(new RegExp(`^\\| \`${name}\` +\\|.*\\n`, "m"), "");
  writeFileSync(path, text.replace(new RegExp(`(?<=^\\|.*)(?:\`${name}\`, |, \`${name}\`(?= *\\|))`, "m"), ""));
}

/** Leaves out of the demo's settings what the generated schema no longer knows. */
function keepKnownSettings(copy) {
  const { properties } = JSON.parse(readFileSync(join(copy, "vitrine.schema.json"), "utf8"));
  const path = join(copy, "cli/demo/vitrine.config.json");
  const known = Object.entries(JSON.parse(readFileSync(path, "utf8"))).filter(([name]) =>
    Object.hasOwn(properties, name),
  );
  writeFileSync(path, JSON.stringify(Object.fromEntries(known)));
}

/** Tests outside of the feature's folder that import it, directly or by a helper. They should not be. */
function removeTests(copy) {
  const tests = execFileSync("find", ["test", "-name", "*.ts"], { cwd: copy, encoding: "utf8" }).trim().split("\n");
  const removed = [];
  for (let isDone = false; !isDone;) {
    isDone = true;
    for (const test of tests) {
      if (!existsSync(join(copy, test))) continue;
      const text = readFileSync(join(copy, test), "utf8");
      const imported = [...text.matchAll(/(?:from|import\() ?"(\.[^"]+\.ts)"/g)].map(([, to]) =>
        posix.join(posix.dirname(test), to),
      );
      const isMissing = (to) => !existsSync(join(copy, to)) && existsSync(join(ROOT, to));
      if (!imported.some(isMissing)) continue;
      rmSync(join(copy, test));
      removed.push(test);
      isDone = false;
    }
  }
  return removed;
}

/** What is left red, as lines. */
function redIn(copy, isTypesOnly) {
  spawnSync("npm", ["run", "generate"], { cwd: copy, stdio: "ignore" });
  keepKnownSettings(copy);
  const tsc = spawnSync("npx", ["tsc", "--noEmit"], { cwd: copy, encoding: "utf8" });
  const types = tsc.stdout.split("\n").filter((line) => /error TS/.test(line) && !line.includes("playwright-core"));
  if (isTypesOnly || types.length > 0) return types;
  const report = join(copy, "report.json");
  spawnSync("npx", ["vitest", "run", "--reporter=json", `--outputFile=${report}`], { cwd: copy, stdio: "ignore" });
  const { testResults } = JSON.parse(readFileSync(report, "utf8"));
  if (testResults.length === 0) return ["no test ran"];
  return testResults.flatMap(({ name, assertionResults, message }) => {
    const failed = assertionResults.filter(({ status }) => status === "failed");
    const file = name.slice(copy.length + 1);
    if (message && failed.length === 0) return [`${file}: ${firstLine(message)}`];
    const causes = new Map();
    for (const one of failed) {
      const why = firstLine(one.failureMessages[0] ?? "");
      causes.set(why, [...(causes.get(why) ?? []), one]);
    }
    return [...causes].map(([why, [{ title }, ...more]]) => {
      const others = more.length === 0 ? "" : `, and ${more.length} more`;
      return `${file}: ${title.slice(0, 100)}${others}: ${why}`;
    });
  });
}

/** What is red and not listed, and lines about what is listed. */
function sorted(red, gone) {
  const listed = RIGHT.flatMap(({ reason, rows }) =>
    rows.filter(({ features }) => features.some((name) => gone.has(name))).map(({ begin }) => ({ begin, reason })),
  );
  const rowOf = (line) => listed.find(({ begin }) => line.startsWith(begin));
  const rows = new Set(red.map(rowOf));
  const lines = listed.map((row) =>
    rows.has(row) ? `right to be red: ${row.begin}: ${row.reason}` : `listed, and not red: ${row.begin}`,
  );
  return { wrong: red.filter((line) => !rowOf(line)), lines: isTypesOnly ? [] : lines };
}

function firstLine(message) {
  return stripVTControlCharacters(message).split("\n")[0].slice(0, 200);
}

const words = process.argv.slice(2);
const isTypesOnly = words.includes("--types");
const all = features();
const after = new Map([...all].map(([name, files]) => [name, afterOf(files)]));
const asked = words.filter((word) => !word.startsWith("--")).map((word) => word.split("+"));
const unknown = asked.flat().filter((name) => !all.has(name));
if (unknown.length > 0) {
  out(`no feature: ${unknown.join(", ")}; there are ${[...all.keys()].toSorted().join(", ")}`);
  process.exit(1);
}
let isRed = false;
for (const names of asked.length > 0 ? asked : [...all.keys()].toSorted().map((name) => [name])) {
  const gone = closureOf(names, after);
  const copy = copyWithout(gone);
  try {
    const tests = removeTests(copy);
    const red = redIn(copy, isTypesOnly);
    const others = [...gone].filter((one) => !names.includes(one));
    const { wrong, lines } = sorted(red, gone);
    out(
      `${wrong.length === 0 ? "✔" : "✖"} ${names.join(", ")}${others.length > 0 ? `, with ${others.join(", ")}` : ""}`,
    );
    for (const test of tests) out(`    goes, too: ${test}`);
    for (const line of [...wrong.map((one) => `red: ${one}`), ...lines]) out(`    ${line}`);
    isRed ||= wrong.length > 0;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
process.exitCode = isRed ? 1 : 0;
