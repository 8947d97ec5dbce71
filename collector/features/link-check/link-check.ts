// The download link of a release must lead somewhere for everyone: it is asked once before a new link is published, daily after
// that, and in each run while it does not. One GET of one byte, without any header of the source, to no private address. Without it,
// a link that needs a login, or is dead, is published.
import * as z from "zod";
import type { LinkRecord } from "../../../snapshots/records.ts";
import { isThisComputer } from "../../../snapshots/rules.ts";
import type { Release } from "../../../snapshots/schema.ts";
import { isFresh, type Payload } from "../../../snapshots/snapshot.ts";
import { RefusedAddress, UpstreamError } from "../../http/errors.ts";
import { followRedirects, headerIn, inTime, readBody, type StandIns } from "../../http/fetch.ts";
import type { Circumstances, Judgement, Publication, RunPart } from "../../hooks.ts";
import { fileName } from "../../parsing/link.ts";
import { displayName } from "../../parsing/issues.ts";
import { isPrivate, refuseInside } from "./outside.ts";

export const linkCheckSettings = {
  checkLink: z
    .boolean()
    .default(true)
    .describe("Whether a new download link is asked, without credentials, before it is published, and then daily"),
};

interface LinkSettings {
  standIns: StandIns;
}

interface LinkAnswer extends Pick<LinkRecord, "state" | "reason"> {
  total?: number | undefined;
  isPage?: boolean;
  /** It leads where the collector does not go. */
  isRefused?: boolean;
}

const BEGINNING_BYTES = 16 * 1024;
const DEADLINE_MS = 10_000;
const DAY_MS = 24 * 60 * 60_000;

export function openLinkCheck({ checkLink, standIns }: LinkSettings & { checkLink: boolean }): RunPart {
  return checkLink ? { judges: [linkCheck({ standIns })] } : {};
}

type AskedOf = Pick<Publication, "fact">;
type AskedIn = Pick<Circumstances, "published" | "reported" | "now" | "signal">;

/** Asks no link twice in one run. */
export function linkCheck(settings: LinkSettings): (of: AskedOf, circumstances: AskedIn) => Promise<Judgement> {
  const runs = new WeakMap<AbortSignal, Map<string, Promise<LinkAnswer>>>();
  return async ({ fact: { payload } }, { published, reported, now, signal }) => {
    const release = releaseOf(payload);
    if (!release || !isAsked(release.downloadURL, settings)) return {};
    const earlier = reported?.link;
    const asked = runs.get(signal) ?? new Map<string, Promise<LinkAnswer>>();
    runs.set(signal, asked);
    const last = published && releaseOf(published.payload);
    const isNew = last?.downloadURL !== release.downloadURL || last.size !== release.size;
    if (!isNew && !isDue(earlier, now)) return { link: earlier };
    const { downloadURL } = release;
    const answer = asked.get(downloadURL) ?? ask(downloadURL, { ...settings, signal });
    asked.set(downloadURL, answer);
    // Readers get a fresh one now, and would lose it.
    const isServed = published !== undefined && isFresh(published, now);
    const isReplacing = isNew && isServed && (!last || isAsked(last.downloadURL, settings));
    return verdict(release, await answer, { earlier, now, isNew, isReplacing });
  };
}

/** True if a link is to be asked again: daily, and in each run while it is dead or unanswered. */
function isDue(earlier: LinkRecord | undefined, now: number): boolean {
  if (!earlier || earlier.state === "dead" || earlier.state === "unanswered") return true;
  // A clock may have been ahead, too.
  return Math.abs(now - Date.parse(earlier.askedAt)) >= DAY_MS;
}

function releaseOf(payload: Payload): Release | undefined {
  return "latest" in payload ? payload.latest : undefined;
}

/** Such names lead nowhere (RFC 6761), as those of the sample facts. */
const RESERVED = /(?:^|\.)(?:example|example\.(?:com|net|org)|test|invalid)$/;

function isAsked(link: string, { standIns }: LinkSettings): boolean {
  const { origin, hostname } = new URL(link);
  return Object.hasOwn(standIns, origin) || !(isThisComputer(hostname) || RESERVED.test(hostname));
}

function verdict(
  { downloadURL, size }: Release,
  answer: LinkAnswer,
  {
    earlier,
    now,
    isNew,
    isReplacing,
  }: { earlier: LinkRecord | undefined; now: number } & Record<"isNew" | "isReplacing", boolean>,
): Judgement {
  const { state, reason, total, isPage, isRefused } = answer;
  const askedAt = new Date(now).toISOString();
  const since = earlier?.state === state ? earlier.since : askedAt;
  const link: LinkRecord = { state, since, askedAt, ...(reason !== undefined && { reason }) };
  const file = `${new URL(downloadURL).host}, ${displayName(fileName(downloadURL))}`;
  const ifOpen = 'set "checkLink": false if readers can open it';
  if (state === "dead") {
    const tried = isRefused ? reason : `${reason} without credentials`;
    const remedy = `make it public (files of a private repository are not), or ${ifOpen}`;
    return { link, problem: `the link is not public: ${file}: ${tried}; ${remedy}` };
  }
  const unchecked = `its link could not be checked: ${file}: ${reason}`;
  if (state === "unanswered") {
    const remedy = 'set "checkLink": false if only the collector cannot reach it';
    if (isReplacing) return { link, problem: `${unchecked}; asked again in the next run; ${remedy}` };
    return { link, notes: [`${unchecked}; a later release is refused until its link can be: ${remedy}`] };
  }
  if (state !== "public") return { link, notes: [isRefused ? `${unchecked}; ${ifOpen}` : unchecked] };
  if (isPage) return { link, notes: [`its link leads to a web page: ${file}`] };
  if (total === undefined || size === "" || Number(size) === total) return { link };
  // The published fact cannot be held: asked again, it is only told.
  return { link, doubts: isNew ? ["size"] : [], notes: [`${file} has ${total} bytes, not ${size}`] };
}

type Asking = LinkSettings & { signal: AbortSignal };

async function ask(link: string, asking: Asking): Promise<LinkAnswer> {
  try {
    return answerOf(await fetchHead(link, asking), new URL(link));
  } catch (error) {
    if (!(error instanceof UpstreamError) || asking.signal.aborted) throw error;
    const reason = error.message;
    if (!(error instanceof RefusedAddress)) return { state: "unanswered", reason };
    // A name may lead to another address elsewhere, and a server may redirect others elsewhere.
    return { state: isPrivate(new URL(link).hostname) ? "dead" : "unknown", reason, isRefused: true };
  }
}

/** GETs the first byte of a file, once, and returns the head of the answer, whatever its status. `url`: after all redirects.
 * `beginning`: of a body that does not have status 2xx. @throws UpstreamError if there is no answer, RefusedAddress if it leads where
 * the collector does not go. */
async function fetchHead(link: string, { standIns, signal: stop }: Asking) {
  const deadline = DEADLINE_MS;
  return inTime({ deadline, signal: stop }, async (signal) => {
    const options = { standIns, refuse: refuseInside, signal, deadline, isFirstByte: true };
    const { response, url } = await followRedirects(new URL(link), options);
    const { statusCode: status, headers, body } = response;
    const isFound = status >= 200 && status < 300;
    const beginning = isFound ? undefined : await readBody(body, BEGINNING_BYTES).catch(() => undefined);
    body.destroy();
    return { status, url, header: headerIn(headers), beginning: beginning?.toString("latin1") ?? "" };
  });
}

type Head = Awaited<ReturnType<typeof fetchHead>>;

const DEAD = new Set([401, 403, 404, 410]);
const TRANSIENT = new Set([408, 425, 429]);

function answerOf(head: Head, asked: URL): LinkAnswer {
  const { status, url, header } = head;
  const isPage = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(header("content-type") ?? "");
  if (isChallenge(head)) return { state: "unknown", reason: `answered ${status} with a challenge for browsers` };
  if (DEAD.has(status)) return { state: "dead", reason: `answered ${status}` };
  if (TRANSIENT.has(status) || status >= 500) return { state: "unanswered", reason: `answered ${status}` };
  // An empty file has not even a first byte.
  if ((status < 200 || status >= 300) && status !== 416) return { state: "unknown", reason: `answered ${status}` };
  if (isPage && url.href !== asked.href && SIGN_IN.test(url.pathname)) {
    return { state: "dead", reason: "redirected to a page to sign in" };
  }
  return { state: "public", isPage, total: totalOf(head) };
}

/** GitLab, Gitea and others redirect to such a page from files of private repositories. */
const SIGN_IN = /\/(?:users?\/)?(?:sign[-_]?in|log[-_]?in|auth)\b/i;

/** The headers of pages that only browsers pass, on answers of any status. */
const CHALLENGE_HEADERS = ["cf-mitigated", "x-amzn-waf-action", "x-vercel-mitigated"];
/** Status of answers that may be such a page. */
const MAY_CHALLENGE = new Set([401, 403, 429, 503]);
/** A page that only browsers pass, or one that refuses programs, says so: Cloudflare, Akamai, Imperva, DataDome, HUMAN,
 * CloudFront, Sucuri. */
const CHALLENGE =
  /_cf_chl_opt|Attention Required! \| Cloudflare|^error code: 10\d\d|errors\.edgesuite\.net|Reference&#32;&#35;|sec-if-cpt-container|_Incapsula_Resource|Incapsula incident|captcha-delivery\.com|px-captcha|gokuProps|Request blocked\.|Sucuri Website Firewall/i;

function isChallenge({ status, header, beginning }: Head): boolean {
  if (CHALLENGE_HEADERS.some((name) => header(name) !== undefined)) return true;
  return MAY_CHALLENGE.has(status) && (header("x-datadome") !== undefined || CHALLENGE.test(beginning));
}

/** Returns the size of the whole file, in bytes: of all of it, or as in `bytes 0-0/1234`. Undefined if the answer does not say
 * it. */
function totalOf({ status, header }: Head): number | undefined {
  if ((header("content-encoding") ?? "identity") !== "identity") return undefined;
  const text = status === 200 ? header("content-length") : header("content-range");
  const digits = /^(?:\s*bytes\b.*\/)?\s*(\d{1,15})\s*$/i.exec(text ?? "")?.[1];
  return digits === undefined ? undefined : Number(digits);
}
