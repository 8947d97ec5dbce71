// Valid and hostile requests, mutated at random in ways that have misled parsers. A seed reproduces them.
import { HOSTILE_REQUESTS } from "./hostile-requests/hostile-requests.ts";
import { oneOf, seeded } from "../random.ts";
import { PREPARED } from "./prepared-targets.ts";
import { get, keep, message, PING } from "./hostile-requests/build.ts";

/** The pieces to send, one character per byte. Afterwards the client closes its side. */
export type RequestMutant = readonly string[];

const GOOD = [
  ...PREPARED.flatMap((target) => [
    get(target),
    keep(target, "Accept-Encoding: gzip, br;q=0.5, identity;q=0"),
    keep(target, "If-None-Match: *"),
  ]),
  ...["ping", "tools/list", "resources/list"].map((method) => message(PING.replace("ping", method))),
  keep("/healthz").replace("GET", "HEAD"),
  keep("/api/v1").replace("GET", "OPTIONS"),
];
// Valid requests count three times: they are few, and more interesting when changed.
const SOURCES = [...GOOD, ...GOOD, ...GOOD, ...HOSTILE_REQUESTS.map(({ bytes }) => bytes)];

const PIECES = [
  ..."\r\n\0\t :,;%/?#\x7f\xff",
  "\r\n\r\n",
  "marker",
  " HTTP/1.1\r\n",
  "GET /marker HTTP/1.1\r\n",
  "0\r\n\r\n",
  "ffffffff\r\n",
  "\r\nHost: marker",
  "\r\nContent-Length: 5",
  "\r\nTransfer-Encoding: chunked",
  "\r\nConnection: keep-alive, Upgrade\r\nUpgrade: h2c",
  "\r\nExpect: 100-continue",
  "\r\n folded",
];
const ENDS_OF_LINES = ["\n", "\r", "\n\r", "\r\r\n", "\r\n\r\n", "", " \r\n"];

type RandomSource = () => number;
type Mutation = (bytes: string, random: RandomSource) => string;

const place = (bytes: { length: number }, random: RandomSource) => Math.floor(random() * (bytes.length + 1));

/** A random range, mostly short. */
function stretch(bytes: string, random: RandomSource): [from: number, to: number] {
  const from = place(bytes, random);
  return [from, from + 1 + Math.floor(random() ** 3 * bytes.length)];
}

const inserted = (bytes: string, at: number, piece: string) => bytes.slice(0, at) + piece + bytes.slice(at);

const CHANGES: Record<string, Mutation> = {
  flipBit(bytes, random) {
    const at = Math.min(place(bytes, random), bytes.length - 1);
    const flipped = String.fromCharCode(bytes.charCodeAt(at) ^ (1 << Math.floor(random() * 8)));
    return bytes.slice(0, at) + flipped + bytes.slice(at + 1);
  },
  insert: (bytes, random) => inserted(bytes, place(bytes, random), oneOf(random, PIECES)),
  remove(bytes, random) {
    const [from, to] = stretch(bytes, random);
    return bytes.slice(0, from) + bytes.slice(to);
  },
  repeat: (bytes, random) => inserted(bytes, place(bytes, random), bytes.slice(...stretch(bytes, random))),
  cutShort: (bytes, random) => bytes.slice(0, place(bytes, random)),
  follow: (bytes, random) => bytes + oneOf(random, SOURCES),
  splice(bytes, random) {
    const other = oneOf(random, SOURCES);
    return bytes.slice(0, place(bytes, random)) + other.slice(place(other, random));
  },
  changeLineEnding(bytes, random) {
    const lines = bytes.split("\r\n");
    const at = place(lines, random);
    return lines.slice(0, at).join("\r\n") + oneOf(random, ENDS_OF_LINES) + lines.slice(at).join("\r\n");
  },
  repeatLine(bytes, random) {
    const lines = bytes.split("\r\n");
    return lines.toSpliced(place(lines, random), 0, oneOf(random, lines)).join("\r\n");
  },
  changeLetters(bytes, random) {
    const [from, to] = stretch(bytes, random);
    const letters = bytes.slice(from, to);
    return bytes.slice(0, from) + (random() < 0.5 ? letters.toUpperCase() : letters.toLowerCase()) + bytes.slice(to);
  },
};

/** `count` mutants, always the same for a seed. */
export function mutants(seed: number, count: number): RequestMutant[] {
  const random = seeded(seed);
  return Array.from({ length: count }, () => inPieces(mutant(random), random));
}

function mutant(random: RandomSource): string {
  let bytes = oneOf(random, SOURCES);
  const changes = 1 + Math.floor(random() ** 2 * 4);
  for (let count = 0; count < changes; count++) bytes = oneOf(random, Object.values(CHANGES))(bytes, random);
  return bytes;
}

function inPieces(bytes: string, random: RandomSource): RequestMutant {
  const cuts = Array.from({ length: Math.floor(random() ** 2 * 4) }, () => place(bytes, random));
  const ends = [...cuts.toSorted((a, b) => a - b), bytes.length];
  return ends.map((end, index) => bytes.slice(ends[index - 1] ?? 0, end));
}
