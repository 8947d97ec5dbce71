// The findings of a dry run as text, for each snapshot: what is newer and was passed over, warnings, the verdict, and under it the
// picks, skips, drops, facts and changes.
import type { Finding } from "../../collector/run/dry-run.ts";
import { clip } from "../../snapshots/rules.ts";
import type { Payload } from "../../snapshots/snapshot.ts";
import { acceptance, crossCheckText, shortName, type Terminal } from "./terminal.ts";

export function findingLines({ style }: Pick<Terminal, "style">, finding: Finding): string {
  const marks = {
    changed: style("green", "✔"),
    confirmed: style("green", "✔"),
    held: style("yellow", "!"),
    failed: style("red", "✖"),
  };
  const { from, milliseconds, picked, passedOver, architectures, skipped, remarks, warnings, payload, difference } =
    finding;
  const name = shortName(finding.name).padEnd(9);
  const agreeing = finding.crossChecks.filter(({ result }) => result === "agrees");
  const doubts = [
    ...passedOver.map((newer) => `newer, passed over: ${newer}`),
    ...warnings,
    ...finding.crossChecks.filter((checked) => !agreeing.includes(checked)).map(crossCheckText),
  ];
  const head = `  ${marks[finding.result]} ${name} ${verdict(finding)}`;
  const asked = style("dim", `   from ${from}, ${Math.round(milliseconds)} ms`);
  const lines = [
    ...(picked === undefined ? [] : [`picked ${picked}`]),
    ...architectures.map((other) => `also has ${other} (choose it with "arch")`),
    ...skipped.map((skip) => `skipped ${skip}`),
    ...remarks.map((remark) => `not published: ${remark}`),
    ...droppedLine(finding),
    ...(payload === undefined ? [] : factLines(payload)),
    ...(finding.link === "public" ? ["its link answers without credentials"] : []),
    ...difference,
    ...agreeing.map(crossCheckText),
  ];
  return [
    ...doubts.map((doubt) => `  ${style("yellow", "!")} ${name} ${doubt}`),
    head + asked + (finding.result === "held" ? `; ${acceptance(finding.name)}` : ""),
    ...lines.map((line) => `      ${line}`),
  ].join("\n");
}

function verdict({ result, reason, sighting }: Finding): string {
  switch (result) {
    case "changed":
      return `would change${reason === undefined ? "" : ` (${reason})`}`;
    case "confirmed":
      return "would be confirmed";
    case "held":
      return `would be held: ${reason}${sighting === 1 ? "" : ` (sighting ${sighting})`}`;
    case "failed":
      return `failed: ${reason}`;
  }
}

/** The facts that a vendor can compare with their own: the prices of each plan, or the link of a release and what is known of it. */
function factLines(payload: Payload): string[] {
  if ("plans" in payload) {
    return payload.plans.map(({ id, prices, monthlyPrice, annualPrice }) => {
      const others = Object.entries(prices).map(([key, amount]) => `, ${key} ${amount}`);
      return `${id} in ${payload.currency}: ${monthlyPrice} by the month, ${annualPrice} by the year${others.join("")}`;
    });
  }
  if (!payload.hasUpdate) return [];
  const { downloadURL, size, date, changelog } = payload.latest;
  const known = [
    size === "" ? "size unknown" : `${size} bytes`,
    date === "" ? "date unknown" : date,
    changelog === "" ? "no changelog" : `changelog: ${clip(changelog.split("\n", 1).join(), 60, "…")}`,
  ];
  return [downloadURL, known.join(", ")];
}

function droppedLine({ dropped, droppedFields }: Finding): string[] {
  if (dropped === 0) return [];
  const more = dropped > droppedFields.length ? `, and ${dropped - droppedFields.length} more` : "";
  const which = droppedFields.length > 0 ? `: ${droppedFields.join(", ")}${more}` : "";
  return [`dropped ${dropped} unlisted ${dropped === 1 ? "field" : "fields"}${which}`];
}
