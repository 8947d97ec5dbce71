// Shared by the programs with an agent: the vendors, the choice of a model that reads descriptions, and the output.
import { extraArguments, print, url } from "../../programs/report.mjs";

const [firstName, secondUrl, secondName] = extraArguments;
export const vendors = [
  { vendor: firstName, url },
  { vendor: secondName, url: secondUrl },
];

/** The names of the tools that a model would call for a vendor's prices. */
export function toolsFor(vendor, tools) {
  const fitting = tools.filter(({ description }) => description.includes(vendor) && description.includes("prices"));
  return fitting.map(({ name }) => name);
}

/** Asks the agent for each vendor's prices, and prints the choices and results. `ask`: returns what the model was given. */
export async function reportChoices(ask) {
  const choices = [];
  for (const { vendor } of vendors) choices.push({ vendor, ...(await ask(vendor)) });
  print(choices);
}
