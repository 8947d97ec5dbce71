// `notify`: one message when a fact needs attention, one when it has recovered, across single runs; and no address anywhere.
import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { json, stalledAfter, status, type Behaviour } from "../../support/collecting/upstream.ts";
import { vendorPlans } from "../../support/collecting/vendor.ts";
import { openNotify } from "../../../collector/features/notify/notify.ts";
import type { FinishedRun } from "../../../collector/hooks.ts";
import type { Report } from "../../../snapshots/records.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { isIn } from "../../support/program/feature.ts";
import { factsIn } from "../../support/snapshot.ts";
import { typeInProcess } from "../../support/program/in-process.ts";
import { startVendor } from "../../support/program/settings.ts";

const HOUR = 60 * 60_000;
const PATH = "/hooks/T0-secret-path";
const REFUSED = 'answered 403: it asks for a token, which "headers" may send';

/** A vendor with a chat, its messages so far, and a run of `collect` some hours after the start. */
async function startVendorWithChat() {
  const { upstream, directory, facts } = await startVendor();
  const file = join(directory, "vitrine.config.json");
  const settings = JSON.parse(await readFile(file, "utf8")) as object;
  await writeFile(file, JSON.stringify({ ...settings, api: { name: "Acme Notes" }, notify: "$NOTIFY_URL" }));
  const messages: Record<string, string>[] = [];
  const accept: Behaviour = (request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      expect([request.method, request.headers["content-type"]]).toEqual(["POST", "application/json"]);
      messages.push(JSON.parse(body) as Record<string, string>);
      response.end("ok");
    });
  };
  upstream.set(PATH, accept);
  const environment = { NOTIFY_URL: upstream.url(PATH) };
  const start = Date.now();
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const collect = async (hours = 0, ...words: string[]) => {
    vi.setSystemTime(start + hours * HOUR);
    return typeInProcess(["collect", ...words], { directory, environment });
  };
  return { upstream, accept, directory, facts, environment, messages, collect };
}

/** The report of a run whose macOS release disagrees with a cross-check since so many hours, or agrees. */
async function startDisagreeing() {
  const { upstream, messages, environment, directory } = await startVendorWithChat();
  const given = { directory, environment, file: "x", title: "Notes", acceptance: String, onCrossCheck() {} };
  const warn = (message: string) => expect.fail(message);
  const { hooks: [hook] = [] } = openNotify({ notify: "$NOTIFY_URL" }, { ...given, warn });
  const [name, result, finishedAt] = ["release-macos", "confirmed", new Date().toISOString()] as const;
  const counts = { changed: 1, confirmed: 1, held: 0, failed: 0 };
  let report: Report = {
    format: 2,
    outcomes: [{ name, result, finishedAt, milliseconds: 1, counts }],
    collections: {},
  };
  const outcomes = [{ name, result }] as unknown as FinishedRun["outcomes"];
  const { signal } = new AbortController();
  return {
    upstream,
    messages,
    environment,
    async disagree(disagreement: { hours: number; published: string; found: string } | undefined) {
      const { hours = 0, ...two } = disagreement ?? {};
      const since = new Date(Date.now() - hours * HOUR).toISOString();
      const record = { name, fingerprint: "1", witness: "of a feed" };
      const crossChecks = [
        disagreement ? { ...record, disagreement: { published: "", found: "", ...two, since } } : record,
      ];
      const facts = factsIn(openStore(directory));
      report = (await hook?.after({
        outcomes,
        report: { ...report, crossChecks },
        before: new Map(),
        published: new Map(),
        facts,
        signal,
      })) as Report;
    },
  };
}

describe("a message to the operator (collector/features/notify/notify.ts)", () => {
  test.runIf(isIn("guard"))(
    "a held fact is told once, with the command that publishes it, and once more when it is well again",
    async () => {
      const { upstream, messages, collect, environment, facts } = await startVendorWithChat();
      await collect();
      expect(messages).toEqual([]);
      upstream.set("/plans", json({ ...vendorPlans(), currency: "CHF" }));
      const outputs = [await collect(0.1), await collect(0.2)];
      expect(messages).toHaveLength(1);
      const [{ title, text, content } = {}] = messages;
      expect(title).toBe("Acme Notes: facts need a look");
      expect(content).toBe(text);
      expect(text).toMatch(
        /^Acme Notes: facts need a look\nplans is held: the currency would change \(currency EUR → CHF\); publishes itself from .*; if it is right, publish it at once: .*--accept plans$/,
      );
      upstream.set("/releases", status(403));
      await collect(0.3);
      expect(messages).toHaveLength(1);
      await collect(0.4, "--accept", "plans");
      expect(messages[1]?.text).toBe("Acme Notes: all is well again\nplans is well again");
      await collect(0.5);
      expect(messages).toHaveLength(2);
      const said = JSON.stringify([outputs, await readFile(join(facts, "last-run.json"), "utf8")]);
      expect(said).not.toContain(environment.NOTIFY_URL);
      expect(said).not.toContain("T0-secret");
    },
  );

  test("a failure is told after half of the lifetime, and again when requests get 502", async () => {
    const { upstream, messages, collect } = await startVendorWithChat();
    await collect();
    upstream.set("/plans", status(403));
    await collect(11);
    expect(messages).toEqual([]);
    await collect(13);
    await collect(14);
    expect(messages.map(({ text }) => text?.split("\n")[1])).toEqual([
      `plans has not been confirmed for half of its lifetime: ${REFUSED}`,
    ]);
    await collect(25);
    await collect(26);
    expect(messages[1]?.text).toContain(`\nplans is unavailable, requests get 502: ${REFUSED}`);
    upstream.set("/plans", json(vendorPlans()));
    await collect(27);
    expect(messages).toHaveLength(3);
    expect(messages[2]?.title).toBe("Acme Notes: all is well again");
  });

  test("one fact that is well again does not end the trouble of another", async () => {
    const { upstream, messages, collect } = await startVendorWithChat();
    await collect();
    upstream.set("/plans", status(403));
    upstream.set("/releases", status(403));
    await collect(13);
    upstream.set("/plans", json(vendorPlans()));
    await collect(14);
    expect(messages.map(({ title }) => title)).toEqual([
      "Acme Notes: facts need a look",
      "Acme Notes: facts need a look",
    ]);
    expect(messages[1]?.text).toContain("\nplans is well again");
  });

  test("a fact that has never been collected is told at its first failure", async () => {
    const { upstream, messages, collect } = await startVendorWithChat();
    upstream.set("/plans", status(403));
    await collect();
    await collect(1);
    expect(messages.map(({ text }) => text)).toEqual([
      expect.stringContaining("plans is unavailable, requests get 502"),
    ]);
  });

  test("a disagreement is told after twelve hours, and once more when it is over", async () => {
    const { messages, environment, disagree } = await startDisagreeing();
    await disagree({ hours: 11, published: "1.9", found: "v2.0" });
    expect(messages).toEqual([]);
    await disagree({ hours: 12, published: "1.9", found: "v2.0" });
    await disagree({ hours: 13, published: "1.9", found: "v2.0" });
    await disagree(undefined);
    expect(messages.map(({ text }) => text)).toEqual([
      "Notes: facts need a look\nmacos is in dispute: published 1.9; the cross-check of a feed has v2.0",
      "Notes: all is well again\nmacos is well again",
    ]);
    expect(JSON.stringify(messages)).not.toContain(environment.NOTIFY_URL);
  });

  test.runIf(isIn("guard")).for<[string, Behaviour, string]>([
    ["refuses", status(500), "answered 500"],
    ["redirects", status(307, { location: "/elsewhere" }), "answered 307"],
    ["never answers", stalledAfter(""), "no answer"],
  ])("a chat that %s costs a warning, and the next run sends the message", async ([, behaviour, reason]) => {
    const { upstream, accept, messages, collect } = await startVendorWithChat();
    await collect();
    upstream.set(PATH, behaviour);
    upstream.set("/plans", json({ ...vendorPlans(), currency: "CHF" }));
    const { code, stdout, stderr } = await collect(0.1);
    expect(code).toBe(4);
    expect(stderr).toContain(`! the message could not be sent to $NOTIFY_URL: ${reason}; the next run tries again`);
    expect(stdout + stderr).not.toContain("T0-secret");
    upstream.set(PATH, accept);
    await collect(0.2);
    expect(messages.map(({ text }) => text)).toEqual([expect.stringContaining("plans is held")]);
  });

  test("check --notify sends one message, and says what the service answered", async () => {
    const { upstream, messages, environment, directory, facts } = await startVendorWithChat();
    const check = (...words: string[]) => typeInProcess(["check", "--notify", ...words], { directory, environment });
    expect(await check()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ {2}✔ \$NOTIFY_URL answered 200: /),
    });
    expect(messages).toEqual([expect.objectContaining({ title: "Acme Notes: a trial message" })]);
    upstream.set(PATH, status(404));
    const { code, stdout } = await check();
    expect({ code, stdout: stdout.trim() }).toEqual({
      code: 1,
      stdout:
        "✖ $NOTIFY_URL answered 404: correct the address in that variable; docs/operating.md names the services that take the message",
    });
    expect(JSON.parse((await check("--json")).stdout)).toMatchObject({ answer: "answered 404", isSent: false });
    await expect(access(facts)).rejects.toThrow("ENOENT");
    await writeFile(join(directory, "vitrine.config.json"), '{ "plans": "none", "releases": "none" }');
    expect(await check()).toMatchObject({ code: 2, stderr: expect.stringContaining('write "notify": "$NOTIFY_URL"') });
  });

  test.runIf(isIn("mcp"))("settings that vitrine mcp only found may not post anywhere", async () => {
    const { directory } = await startVendorWithChat();
    const { code, stderr } = await typeInProcess(["mcp", "--collect"], { directory, environment: {} });
    expect(code).toBe(2);
    expect(stderr).toContain("notify   asks for the environment variable NOTIFY_URL");
  });
});
