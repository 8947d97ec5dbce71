// The name of a file as people see it. Apart from words.ts, which browsers run, too.
import { attempt, isPlainText } from "../../../snapshots/rules.ts";

/** The name of the file that a link leads to, as a browser saves it; with its escapes if it would have others without them. */
export function fileName(link: string): string {
  const segment = new URL(link).pathname.split("/").at(-1) ?? "";
  const name = attempt(() => decodeURIComponent(segment));
  return name !== undefined && isPlainText(name) && !/[\t\n/\\]/.test(name) ? name : segment;
}
