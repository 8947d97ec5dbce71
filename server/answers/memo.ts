// A bounded memo for pure functions of a text that clients send: most send the same few texts again and again.

/** The function, with up to `maxEntries` results kept for texts of up to `maxLength` characters; undefined is never
 * kept. A full memo starts anew. */
export function memo<T>(
  compute: (text: string) => T,
  { maxEntries, maxLength }: { maxEntries: number; maxLength: number },
): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const kept = known.get(text);
    if (kept !== undefined) return kept;
    const result = compute(text);
    if (result === undefined || text.length > maxLength) return result;
    if (known.size >= maxEntries) known.clear();
    known.set(text, result);
    return result;
  };
}
