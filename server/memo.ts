// A bounded memo for pure functions of a text that clients send: most send the same few texts again and again.

/** The function with its results kept: `maxEntries` of them, of texts of at most `maxLength` characters. When it is full,
 * it starts anew. Undefined is not kept. */
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
