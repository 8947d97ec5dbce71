// Bytes become lines, and no line is ever longer in memory than it may be.

/** Each line without its end; undefined for one that is longer than `most` bytes, however long that is. What comes after
 * the last end of a line is a line, too. */
export async function* lines(chunks: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer | undefined> {
  let pieces: Buffer[] = [];
  let length = 0;

  function add(piece: Buffer): void {
    length += piece.byteLength;
    if (length > most) pieces = [];
    else if (piece.byteLength > 0) pieces.push(piece);
  }

  function take(): Buffer | undefined {
    const line = length > most ? undefined : Buffer.concat(pieces, length);
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
