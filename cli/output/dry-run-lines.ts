// The findings of a dry run as text: a line for each snapshot, and under it the picks, skips, drops and changes.
import type { Finding } from "../../collector/run/dry-run.ts";
import { shortName, type Terminal } from "./terminal.ts";

export function findingLines({ style }: Pick<Terminal, "style">, finding: Finding): string {
  const marks = {
    changed: style("green", "✔"),
    confirmed: style("green", "✔"),
    held: style("yellow", "!"),
    failed: style("red", "✖"),
  };
  const { name, from, milliseconds, picked, architectures, skipped, warnings, difference } = finding;
  const head = `  ${marks[finding.result]} ${shortName(name).padEnd(9)} ${verdict(finding)}`;
  const asked = style("dim", `   from ${from}, ${Math.round(milliseconds)} ms`);
  const lines = [
    ...(picked === undefined ? [] : [`picked ${picked}`]),
    ...architectures.map((other) => `also has ${other} (choose it with "arch")`),
    ...skipped.map((skip) => `skipped ${skip}`),
    ...droppedLine(finding),
    ...warnings.map((warning) => `${style("yellow", "!")} ${warning}`),
    ...difference,
  ];
  return [head + asked, ...lines.map((line) => `      ${line}`)].join("\n");
}

function verdict({ result, reason, sighting }: Finding): string {
  switch (result) {
    case "changed":
      return "would change";
    case "confirmed":
      return "would be confirmed";
    case "held":
      return `would be held: ${reason}${sighting === 1 ? "" : ` (sighting ${sighting})`}`;
    case "failed":
      return `failed: ${reason}`;
  }
}

function droppedLine({ dropped, droppedFields }: Finding): string[] {
  if (dropped === 0) return [];
  const more = dropped > droppedFields.length ? `, and ${dropped - droppedFields.length} more` : "";
  const which = droppedFields.length > 0 ? `: ${droppedFields.join(", ")}${more}` : "";
  return [`dropped ${dropped} unlisted ${dropped === 1 ? "field" : "fields"}${which}`];
}
