// Texts that should be one word, or a date. Any other may be read as prose or markup, since a model gets it as it is.

/** At most one line. `field`: the name of what has the text. */
export function proseIn(field: string, text: string): string[] {
  if (!/[<>\s]/.test(text)) return [];
  return [`the ${field} has spaces or angle brackets, which a model may take for prose`];
}
