// Hostile requests against the running program: each gets the expected answer or none, and the next request is
// answered.
import { afterAll, describe, expect, test } from "vitest";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { HOSTILE_REQUESTS, type HostileRequest } from "../../support/serving/hostile-requests/hostile-requests.ts";
import { mutants, type RequestMutant } from "../../support/serving/mutants.ts";
import { startProgram } from "../../support/program/program.ts";
import { openRawConnection, parseReplies, type RawReply } from "../../support/serving/raw-connection.ts";
import { expectValidAnswer } from "../../support/serving/answer-rules.ts";
import { rounds, SEED } from "../../support/random.ts";
import { publishOver } from "../../support/serving/server.ts";
import { settingsDirectory } from "../../support/program/settings.ts";
import { plansSnapshot, releaseSnapshot } from "../../support/snapshot.ts";

const source = { from: "json", url: "https://vendor.example/" };
const directory = await settingsDirectory({ plans: source, releases: source }, afterAll);
for (const snapshot of [plansSnapshot, releaseSnapshot.bind(undefined, "macos")]) {
  await publishOver(openStore(`${directory}/facts`), snapshot({ confirmedAt: Date.now() }));
}
const program = await startProgram(["serve"], { directory, onFinished: afterAll });

const isAnswered = async () => expect((await program.get("/healthz")).text).toBe('{"status":"ok"}');

async function answersTo({ bytes, isTruncated }: HostileRequest): Promise<RawReply[]> {
  const connection = openRawConnection(program.port);
  connection.send(bytes);
  if (isTruncated) connection.close();
  return parseReplies(await connection.untilEnded());
}

function mustBeByTheRules(answers: readonly RawReply[], bytes: string): void {
  const asked = { mayBeMessage: bytes.includes("POST"), isBare: bytes.includes("HEAD") };
  const last = answers.findIndex(({ headers }) => headers.connection === "close");
  expect(answers.slice(last + 1), "behind the last answer").toEqual(last < 0 ? answers : []);
  for (const answer of answers) {
    if (answer.status === 100) continue;
    expectValidAnswer(answer, asked);
    // Only the release for Windows is missing.
    if (answer.status === 502) expect(answer.body).toMatch(/^$|release data/);
  }
}

test("there are hundreds of different hostile requests", () => {
  expect(HOSTILE_REQUESTS.length).toBeGreaterThan(250);
  expect(new Set(HOSTILE_REQUESTS.map(({ bytes }) => bytes)).size).toBe(HOSTILE_REQUESTS.length);
  expect(new Set(HOSTILE_REQUESTS.map(({ title }) => title)).size).toBe(HOSTILE_REQUESTS.length);
});

describe("is answered as expected, and so is the next request:", () => {
  for (const group of new Set(HOSTILE_REQUESTS.map(({ group }) => group))) {
    test.for(HOSTILE_REQUESTS.filter((hostile) => hostile.group === group))(`${group}: $title`, async (hostile) => {
      const answers = await answersTo(hostile);
      expect(answers.map(({ status }) => status)).toEqual(hostile.statuses);
      mustBeByTheRules(answers, hostile.bytes);
      expect(answers.at(-1)?.headers.connection).toBe("close");
      await isAnswered();
    });
  }
});

test(`random mutants are answered by the rules or not at all, seed ${SEED}`, async () => {
  const queue = mutants(SEED, rounds(2_000)).entries();
  const seen = new Set<number>();
  const sendAll = async () => {
    for (const [index, mutant] of queue) {
      const answers = await answersToPieces(mutant);
      for (const { status } of answers) seen.add(status);
      const check = () => mustBeByTheRules(answers, mutant.join(""));
      expect(check, `mutant ${index} of seed ${SEED}: ${JSON.stringify(mutant)}`).not.toThrow();
    }
  };
  await Promise.all(Array.from({ length: 8 }, sendAll));
  await isAnswered();
  // Otherwise the mutants were too odd or too plain to test much.
  for (const status of [200, 304, 400, 404, 405, 414, 431, 502]) expect(seen).toContain(status);
});

/** Sends the pieces one by one, so that the server can read each separately, and closes this side. */
async function answersToPieces(pieces: RequestMutant): Promise<RawReply[]> {
  const connection = openRawConnection(program.port, () => {});
  await connection.connected();
  for (const piece of pieces) await connection.sent(piece);
  connection.close();
  const heard = await connection.untilEnded();
  connection.reset();
  return parseReplies(heard);
}

test("no bug was reported", async () => {
  program.signal("SIGTERM");
  expect(await program.exited).toBe(0);
  expect(program.errors()).not.toContain("bug");
});
