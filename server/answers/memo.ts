// A bounded memo for pure functions of a text that clients send: most send the same few texts again and again.

/** A full memo starts anew. */
const MAX_ENTRIES = 500;

/** The function, with its results kept for texts of up to `maxLength` characters; undefined is never kept. */
export function memo<T>(compute: (text: string) => T, maxLength: number): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const kept = known.get(text);
    if (kept !== undefined) return kept;
    const result = compute(text);
    if (result === undefined || text.length > maxLength) return result;
    if (known.size >= MAX_ENTRIES) known.clear();
    known.set(text, result);
    return result;
  };
}
