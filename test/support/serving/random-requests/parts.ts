// Building blocks of the request grammar.
import fc from "fast-check";

/** Any one of these texts. */
export const one = (...texts: string[]) => fc.constantFrom(...texts);

/** Any one of these words, separated by spaces. */
export const word = (words: string) => fc.constantFrom(...words.trim().split(/\s+/));

/** Up to `most` pieces in sequence. */
export const chain = (piece: fc.Arbitrary<string>, most: number, by = "") =>
  fc.array(piece, { maxLength: most }).map((pieces) => pieces.join(by));

/** Any bytes except line ends, one character each. */
export const bytes = fc
  .array(fc.integer({ min: 0, max: 255 }), { maxLength: 8 })
  .map((codes) => String.fromCharCode(...codes.filter((code) => code !== 10 && code !== 13)));

/** A header line. */
export const header = (name: fc.Arbitrary<string>, value: fc.Arbitrary<string>) =>
  fc.tuple(name, value).map((parts) => parts.join(": "));

/** One of several kinds, by weight. */
export const weighed = <T>(...kinds: [weight: number, arbitrary: fc.Arbitrary<T>][]) =>
  fc.oneof(...kinds.map(([weight, arbitrary]) => ({ weight, arbitrary })));
