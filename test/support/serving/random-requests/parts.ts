// Small parts of which the grammar of requests is made.
import fc from "fast-check";

/** Any one of these texts. */
export const one = (...texts: string[]) => fc.constantFrom(...texts);

/** Any one of these words, which are told apart by spaces. */
export const word = (words: string) => fc.constantFrom(...words.trim().split(/\s+/));

/** Up to `most` pieces, one after the other. */
export const chain = (piece: fc.Arbitrary<string>, most: number, by = "") =>
  fc.array(piece, { maxLength: most }).map((pieces) => pieces.join(by));

/** Characters of all kinds, one byte each, but for those that end a line. */
export const bytes = fc
  .array(fc.integer({ min: 0, max: 255 }), { maxLength: 8 })
  .map((codes) => String.fromCharCode(...codes.filter((code) => code !== 10 && code !== 13)));

/** A header line. */
export const header = (name: fc.Arbitrary<string>, value: fc.Arbitrary<string>) =>
  fc.tuple(name, value).map((parts) => parts.join(": "));

/** One of several kinds, each as often as its weight says. */
export const weighed = <T>(...kinds: [weight: number, arbitrary: fc.Arbitrary<T>][]) =>
  fc.oneof(...kinds.map(([weight, arbitrary]) => ({ weight, arbitrary })));
