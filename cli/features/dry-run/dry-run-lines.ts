// The findings of a dry run as text, for each snapshot: what is newer and was passed over, warnings, the verdict, and under it the
// picks, skips, drops, facts and changes.
import type { Found } from "../../../collector/source.ts";
import type { Finding } from "../../../collector/features/dry-run/dry-run.ts";
import { clip } from "../../../snapshots/rules.ts";
import type { PlanNames } from "../../../snapshots/schema.ts";
import type { Payload } from "../../../snapshots/snapshot.ts";
import { acceptance, crossCheckText, row, type Terminal } from "../../output/terminal.ts";

const MARKS = { changed: "✔", confirmed: "✔", held: "!", failed: "✖" } as const;

export function findingLines({ style }: Pick<Terminal, "style">, finding: Finding): string {
  const { name, from, milliseconds, picked, names, skipped, remarks, payload, difference } = finding;
  const agreeing = finding.crossChecks.filter(({ result }) => result === "agrees");
  const doubts = [
    ...doubtsOf(finding),
    ...finding.crossChecks.filter((checked) => !agreeing.includes(checked)).map(crossCheckText),
  ];
  const head = row(MARKS[finding.result], name, verdict(finding));
  const asked = style("dim", `   from ${from}, ${Math.round(milliseconds)} ms`);
  const lines = [
    ...(picked === undefined ? [] : [`picked ${picked}`]),
    ...othersOf(finding),
    ...skipped.map((skip) => `skipped ${skip}`),
    ...remarks.map((remark) => `not published: ${remark}`),
    ...droppedLine(finding),
    ...(payload === undefined ? [] : factLines(payload, names)),
    ...(finding.link === "public" ? ["its link answers without credentials"] : []),
    ...difference,
    ...agreeing.map(crossCheckText),
  ];
  return [
    ...doubts.map((doubt) => row("!", name, doubt)),
    head + asked + (finding.result === "held" ? `; ${acceptance(name)}` : ""),
    ...lines.map((line) => `      ${line}`),
  ].join("\n");
}

/** What may be a mistake in a candidate. */
export function doubtsOf({ warnings, ...found }: Pick<Found, "passedOver" | "beyond" | "warnings">): string[] {
  return [...newerOf(found).map((newer) => `newer, passed over: ${newer}`), ...warnings];
}

function newerOf({ passedOver = [], beyond }: Pick<Found, "passedOver" | "beyond">): string[] {
  if (!beyond) return passedOver;
  const { release, setting } = beyond;
  const others = passedOver.filter((newer) => !newer.startsWith(`${release}: `));
  return [`${release}: outside ${setting} (if that is meant, add "pinned": true)`, ...others];
}

export function othersOf({ architectures = [] }: Pick<Found, "architectures">): string[] {
  return architectures.map((other) => `also has ${other} (choose it with "arch")`);
}

function verdict({ result, reason }: Finding): string {
  const words = {
    changed: `would change${reason === undefined ? "" : ` (${reason})`}`,
    confirmed: "would be confirmed",
    held: `would be held: ${reason}`,
    failed: `failed: ${reason}`,
  };
  return words[result];
}

/** The facts that a vendor can compare with their own: the prices of each plan, or the link of a release and what is known of it. */
function factLines(payload: Payload, names: PlanNames = {}): string[] {
  if ("plans" in payload) {
    return payload.plans.map(({ id, prices, monthlyPrice, annualPrice }) => {
      const others = Object.entries(prices).map(([key, amount]) => `, ${key} ${amount}`);
      const { title, computed } = names[id] ?? {};
      const month = `${monthlyPrice} by the month${computed === "month" ? " (1/12 of the yearly price)" : ""}`;
      const year = `${annualPrice} by the year${computed === "year" ? " (12 months at the monthly price)" : ""}`;
      return `${id}${title === undefined ? "" : ` "${title}"`} in ${payload.currency}: ${month}, ${year}${others.join("")}`;
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
