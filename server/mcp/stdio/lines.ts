// Splits bytes into lines, and holds no more than a limited length of each line in memory.

/** Each line without its end; undefined for a line longer than `maxBytes`. The last line may lack a line feed. */
export async function* lines(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer | undefined> {
  let pieces: Buffer[] = [];
  let length = 0;

  function add(piece: Buffer): void {
    length += piece.byteLength;
    if (length > maxBytes) pieces = [];
    else if (piece.byteLength > 0) pieces.push(piece);
  }

  function take(): Buffer | undefined {
    const line = length > maxBytes ? undefined : Buffer.concat(pieces, length);
    pieces = [];
    length = 0;
    return line;
  }

  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf("\n"); end !== -1; end = chunk.indexOf("\n", start)) {
      add(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  if (length > 0) yield take();
}
