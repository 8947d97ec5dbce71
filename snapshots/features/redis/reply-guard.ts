// Stands between the engine and ioredis, which keeps a reply of any size, makes room for an array of any length that is announced,
// and ends the process at a null where it expects none. The guard passes replies (RESP, version 2) on as they arrive, in pieces of
// any size. The excess of a reply is skipped, and an error is passed on in place of the value or array that is too large: neither a
// hostile engine nor a value that is not ours fills memory, and the replies after it are read.
import { MAX_VALUE_BYTES } from "../../store.ts";

/** The values of one reply together have more only if it is neither a value nor all keys of a history of 1,000 changes. */
const MAX_BYTES = MAX_VALUE_BYTES + 4_096;
const MAX_VALUES = 20_000;
const TOO_LARGE = Buffer.from("-TOOLARGE\r\n");
const MAX_LINE = 4_096;
const LF = 10;
const END_BYTES = 2;

export class ReplyGuard {
  /** So many commands have no reply yet. */
  #unanswered = 0;
  #isSubscribed = false;
  /** Those of the bytes that are taken now. */
  #passed: Buffer[] = [];
  /** The beginning of a line that has not arrived completely. */
  #line = "";
  /** The value that is arriving. `left`: bytes to come, with those of its line end. */
  #value = { left: 0, isPassed: true };
  /** The reply that is arriving. `length`: of an array, of which `left` values are to come. */
  #reply = newReply();

  /** Called for each command: a reply to none is refused. */
  expectReply(): void {
    this.#unanswered++;
  }

  /** Called for SUBSCRIBE: from then on replies are arrays, and so are messages. Others are refused. */
  expectMessages(): void {
    this.#isSubscribed = true;
  }

  /** Takes the next bytes, and returns a copy of those to pass on. @throws Error if they are not RESP, or not expected. */
  pass(chunk: Buffer): Buffer {
    this.#passed = [];
    for (let at = 0; at < chunk.length;) {
      const rest = chunk.subarray(at);
      at += this.#value.left > 0 ? this.#takeBody(rest) : this.#takeLine(rest);
    }
    return Buffer.concat(this.#passed);
  }

  /** Returns how many bytes it has taken, as does `#takeLine`. */
  #takeBody(rest: Buffer): number {
    const body = rest.subarray(0, this.#value.left);
    if (this.#value.isPassed) this.#passed.push(body);
    this.#value.left -= body.length;
    if (this.#value.left === 0) this.#endValue();
    return body.length;
  }

  #takeLine(rest: Buffer): number {
    const length = rest.indexOf(LF) + 1;
    this.#line += rest.toString("latin1", 0, length === 0 ? MAX_LINE + 1 : length);
    if (this.#line.length > MAX_LINE) throw new Error("a line is too long");
    if (length === 0) return rest.length;
    const line = this.#line;
    this.#line = "";
    // For ioredis, a line ends at its first CR.
    if (line.indexOf("\r") !== line.length - END_BYTES) throw new Error("a line has no end");
    this.#onLine(line);
    return length;
  }

  #onLine(line: string): void {
    const [type, text] = [line.charAt(0), line.slice(1, -END_BYTES)];
    if (type === "*") return this.#startArray(line, lengthOf(text));
    if (!"$+-:".includes(type)) throw new Error("a reply of an unknown type");
    const isNull = line === "$-1\r\n";
    if (isNull && this.#isSubscribed) throw new Error("a message without a channel");
    const isBody = type === "$" && !isNull;
    const length = isBody ? lengthOf(text) : text.length;
    this.#startValue(line, length);
    if (isBody) this.#value.left = length + END_BYTES;
    else this.#endValue();
  }

  /** `length`: -1 for a null. */
  #startArray(line: string, length: number): void {
    if (this.#reply.left > 0) throw new Error("an array in an array");
    const isSkipped = length > MAX_VALUES;
    this.#reply = { ...newReply(), length, left: length, isSkipped };
    if (!isSkipped) this.#passed.push(Buffer.from(line));
    if (length <= 0) this.#endReply();
  }

  /** `line`: the first of a value with so many bytes. */
  #startValue(line: string, bytes: number): void {
    this.#value.isPassed = !this.#reply.isSkipped && this.#reply.bytes + bytes <= MAX_BYTES;
    if (!this.#value.isPassed) return;
    this.#reply.bytes += bytes;
    this.#passed.push(Buffer.from(line, "latin1"));
  }

  #endValue(): void {
    if (!this.#value.isPassed && !this.#reply.isSkipped) this.#passed.push(TOO_LARGE);
    if (--this.#reply.left <= 0) this.#endReply();
  }

  #endReply(): void {
    const { length, isSkipped } = this.#reply;
    if (isSkipped) this.#passed.push(TOO_LARGE);
    if (this.#isSubscribed ? length < 2 : this.#unanswered-- === 0) throw new Error("a reply that is not expected");
    this.#reply = newReply();
  }
}

function newReply() {
  return { bytes: 0, length: 0, left: 0, isSkipped: false };
}

/** @throws Error */
function lengthOf(text: string): number {
  if (!/^(-1|\d{1,15})$/.test(text)) throw new Error("a length that is none");
  return Number(text);
}
