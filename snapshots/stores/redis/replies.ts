// Reads the engine's replies (RESP, version 2) from bytes that arrive in pieces of any size. An engine that is hostile, or a value
// that is not ours, fills no memory: the excess of a reply is skipped, and the values that it was part of become OVERSIZE.

/** In place of a value, or of an array, that is too large. */
export const OVERSIZE = Symbol("oversize");

/** In a script, Redis 6 puts the code behind the place of the fault. */
const CODE = /^(?:ERR .*@user_script: ?\d+: -?)?(?<code>[A-Z]{2,20})(?: |$)/;

/** An error reply: its code, such as WRONGTYPE, and its text, which may quote anything. */
export class EngineFault {
  readonly code: string;
  readonly text: string;

  constructor(line: string) {
    this.code = CODE.exec(line)?.groups?.code ?? "ERR";
    this.text = line;
  }
}

export type RedisValue = string | number | null | Buffer | typeof OVERSIZE | EngineFault;
export type RedisReply = RedisValue | RedisValue[];

/** Of the values of one reply together. */
export interface ReplyLimits {
  bytes: number;
  values: number;
}

/** `at`: how many bytes of it and of its line end have arrived. `bytes`: undefined if it is skipped. */
interface ArrivingBody {
  bytes: Buffer | undefined;
  at: number;
  length: number;
}

const MAX_LINE = 4_096;
const LF = 10;
const END_BYTES = 2;

export class ReplyReader {
  readonly #limits: ReplyLimits;
  readonly #onReply: (reply: RedisReply) => void;
  /** The beginning of a line that has not arrived completely. */
  #line = "";
  #body: ArrivingBody | undefined;
  /** The array that is arriving: `left` values are missing. `values`: undefined if they are skipped. */
  #array: { values: RedisValue[] | undefined; left: number } | undefined;
  /** Bytes of values so far, in the reply that is arriving. */
  #used = 0;

  constructor(limits: ReplyLimits, onReply: (reply: RedisReply) => void) {
    this.#limits = limits;
    this.#onReply = onReply;
  }

  /** Takes the next bytes, and passes on each reply that they complete. @throws Error if they are not RESP. */
  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) at = this.#body ? this.#readBody(this.#body, chunk, at) : this.#readLine(chunk, at);
  }

  #readLine(chunk: Buffer, from: number): number {
    const end = chunk.indexOf(LF, from);
    this.#line += chunk.toString("latin1", from, end === -1 ? Math.min(chunk.length, from + MAX_LINE + 1) : end);
    if (this.#line.length > MAX_LINE) throw new Error("a line is too long");
    if (end === -1) return chunk.length;
    const line = this.#line;
    this.#line = "";
    if (!line.endsWith("\r")) throw new Error("a line has no end");
    this.#onLine(line.charAt(0), line.slice(1, -1));
    return end + 1;
  }

  #onLine(type: string, text: string): void {
    if (type === "+") this.#onValue(this.#fits(text.length) ? text : OVERSIZE);
    else if (type === "-") this.#onValue(this.#fits(text.length) ? new EngineFault(text) : OVERSIZE);
    else if (type === ":") this.#onValue(Number(text));
    else if (type === "$") this.#startBody(lengthOf(text));
    else if (type === "*") this.#startArray(lengthOf(text));
    else throw new Error("a reply of an unknown type");
  }

  #startBody(length: number): void {
    if (length === -1) return this.#onValue(null);
    this.#body = { bytes: this.#fits(length) ? Buffer.alloc(length) : undefined, at: 0, length };
  }

  #readBody(body: ArrivingBody, chunk: Buffer, from: number): number {
    const end = Math.min(chunk.length, from + body.length + END_BYTES - body.at);
    // Copies nothing beyond the value, so not its line end.
    if (body.bytes) chunk.copy(body.bytes, body.at, from, end);
    body.at += end - from;
    if (body.at === body.length + END_BYTES) {
      this.#body = undefined;
      this.#onValue(body.bytes ?? OVERSIZE);
    }
    return end;
  }

  /** Whether a value is kept: not if the reply becomes too large by it, or its array is skipped in any case. */
  #fits(length: number): boolean {
    if ((this.#array && !this.#array.values) || this.#used + length > this.#limits.bytes) return false;
    this.#used += length;
    return true;
  }

  #startArray(length: number): void {
    if (this.#array) throw new Error("an array in an array");
    if (length <= 0) return this.#onReply(length === 0 ? [] : null);
    this.#array = { values: length <= this.#limits.values ? [] : undefined, left: length };
  }

  #onValue(value: RedisValue): void {
    const array = this.#array;
    if (array) {
      array.values?.push(value);
      if (--array.left > 0) return;
      this.#array = undefined;
    }
    this.#used = 0;
    this.#onReply(array ? (array.values ?? OVERSIZE) : value);
  }
}

/** -1 stands for no value. @throws Error */
function lengthOf(text: string): number {
  if (!/^(-1|\d{1,15})$/.test(text)) throw new Error("a length that is none");
  return Number(text);
}
