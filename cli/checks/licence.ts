// Whether a licence is an SPDX expression, as OpenAPI requires: one or several identifiers of its list.
import identifiers from "spdx-license-ids/index.json" with { type: "json" };
import deprecated from "spdx-license-ids/deprecated.json" with { type: "json" };
import { nearest } from "../did-you-mean.ts";

const KNOWN = [...identifiers, ...deprecated];
const OWN = /^(?:DocumentRef-[A-Za-z0-9.-]+:)?LicenseRef-[A-Za-z0-9.-]+$/;

/** At most one line. Not checked: the order of the operators, and exceptions after WITH. */
export function licenceProblems(licence = ""): string[] {
  const words = licence.replace(/ WITH +\S+/g, "").split(/[\s()]+|\b(?:AND|OR)\b/);
  const isKnown = (word: string) => word === "" || KNOWN.includes(word.replace(/\+$/, "")) || OWN.test(word);
  if (words.every(isKnown)) return [];
  const meant = nearest(licence, KNOWN);
  const remedy =
    meant === undefined ? "use one of spdx.org/licenses, or LicenseRef-NAME for your own" : `did you mean "${meant}"?`;
  return [`api.license   "${licence}" is not an SPDX identifier; ${remedy}`];
}
