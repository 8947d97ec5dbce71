// What all feeds' shapes are made of: loose, only what is read.
import * as z from "zod";
import { MAX_CHANGELOG } from "../../snapshots/rules.ts";
import { changelogText } from "./normalize.ts";
import { UpstreamError } from "../http/upstream-error.ts";

const MOST_SHOWN = 3;

/** How many items of an appcast are told of, the newest builds: to judge thousands would hold up the process. */
export const NEWEST_ITEMS = 500;

/** Release notes, made plain here, where it holds up nobody, and cut before where no more of them could be published. */
export const notes = z
  .string()
  .nullish()
  .transform((text) => changelogText(cutNotes(text ?? "")));

/** What may come to a whole changelog, whatever it turns into: the rest would only cost time. */
export function cutNotes(text: string): string {
  return text.slice(0, 4 * MAX_CHANGELOG);
}

/** A text that need not be there. */
export const optionalText = z
  .string()
  .nullish()
  .transform((text) => text ?? "");

/** A list of at most so many: whoever sends more means to tire us. */
export function listOf<T extends z.ZodType>(item: T, most: number) {
  return z.array(z.unknown()).max(most, `must have at most ${most} entries`).pipe(z.array(item));
}

/** @throws UpstreamError that names our own fields and what they must be; a key that is the upstream's own stands as *. */
export function checkShape<T extends z.ZodType>(schema: T, value: unknown, what: string): z.infer<T> {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const shown = checked.error.issues.slice(0, MOST_SHOWN).map(({ path, message }) => {
    const place = path.map((step, at) =>
      typeof step === "number" ? `[${step}]` : `.${path[at - 1] === "platforms" ? "*" : String(step)}`,
    );
    return `${place.join("").replace(/^\./, "") || "the answer"}: ${message}`;
  });
  throw new UpstreamError(`not ${what}: ${shown.join("; ")}`);
}
