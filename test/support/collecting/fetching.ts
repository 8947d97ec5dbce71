// Fetches from an upstream with a given behaviour. Returns the error or the document.
import { expect } from "vitest";
import { fetchText, type FetchOptions } from "../../../collector/http/fetch.ts";
import { UpstreamError } from "../../../collector/http/errors.ts";
import { SECRET_WORD } from "./upstream-failures.ts";
import { startUpstream, type Behaviour } from "./upstream.ts";

/** A signal that is never aborted. */
export const neverAborted = new AbortController().signal;

const HEADERS = { "x-api-key": `${SECRET_WORD}-header` };

type Options = Partial<FetchOptions> & { onFinished?: (cleanUp: () => Promise<void>) => void };

/** Returns the error of a fetch from an upstream with this behaviour. */
export async function failedFetch(behaviour: Behaviour, { onFinished, ...options }: Options = {}) {
  const upstream = await startUpstream(onFinished && { onFinished });
  const path = `/${SECRET_WORD}?key=${SECRET_WORD}`;
  upstream.set(path, behaviour);
  const fetched = fetchText(upstream.url(path), {
    signal: neverAborted,
    deadline: 20_000,
    headers: HEADERS,
    ...options,
  });
  return { upstream, error: await fetchError(fetched) };
}

/** Returns the error of a fetch that must fail, and checks its message: one short line that quotes nothing. */
export async function fetchError(fetched: Promise<unknown>): Promise<UpstreamError> {
  const error = await fetched.then(
    (value) => new Error(`it was fetched: ${JSON.stringify(value).slice(0, 80)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof UpstreamError)) throw new Error("not an UpstreamError", { cause: error });
  expect(error.message).toMatch(/^[\x20-\x7e]{8,120}$/);
  expect(error.message).not.toMatch(/xyzzy|127\.0\.0\.1|http:|note|hasUpdate|"/i);
  return error;
}

/** Returns the document fetched from an upstream with this behaviour. */
export async function goodFetch(behaviour: Behaviour, options: Partial<FetchOptions> = {}) {
  const upstream = await startUpstream();
  upstream.set("/", behaviour);
  const fetched = await fetchText(upstream.url("/"), { signal: neverAborted, deadline: 20_000, ...options });
  if (fetched === "unchanged") throw new Error(fetched);
  return { ...fetched, upstream };
}
