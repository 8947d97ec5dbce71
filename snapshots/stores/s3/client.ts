// Calls to an S3 service. A call consists of one or more requests and ends within 5 s, whatever the service does; each request
// is tried again after errors that may pass.
import { setTimeout as sleep } from "node:timers/promises";
import { Unreachable } from "../../store.ts";
import { Connections, type HttpAnswer } from "../connections.ts";
import { MAX_VALUE_BYTES } from "../values.ts";
import { isPassing, networkError, serviceError } from "./faults.ts";
import type { S3Place } from "./place.ts";
import { queryText, signedHeaders } from "./sign.ts";

/** `key`: without the store's prefix; none for the bucket itself. `query`: not encoded. */
export interface S3Request {
  method: "GET" | "PUT" | "DELETE";
  key?: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array;
}

/** `code`: of an error, such as `NoSuchKey`. `isUncertain`: an earlier try had no clear end, so it may have had an effect. */
export interface S3Answer extends HttpAnswer {
  code: string | undefined;
  isUncertain: boolean;
}

/** Sends one request of a call. @throws Unreachable */
export type Send = (request: S3Request) => Promise<S3Answer>;

const CALL_MS = 5_000;
const MAX_TRIES = 4;
/** Before the second try; doubled for each further one. */
const BACKOFF_MS = 100;

export class S3Client {
  readonly #place: S3Place;
  readonly #connections: Connections;
  #isClosed = false;

  constructor(place: S3Place) {
    this.#place = place;
    this.#connections = new Connections(place.endpoint, MAX_VALUE_BYTES);
  }

  /** Before each key in the bucket. */
  get prefix(): string {
    return this.#place.prefix;
  }

  /** The result of `operation`. @throws Unreachable, and the errors of `operation`. */
  call<T>(operation: (send: Send) => Promise<T>): Promise<T> {
    const signal = AbortSignal.timeout(CALL_MS);
    const isLate = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(networkError("ETIMEDOUT")), { once: true });
    });
    return Promise.race([operation((request) => this.#send(request, signal)), isLate]);
  }

  /** Ends the calls under way, too. */
  close(): void {
    this.#isClosed = true;
    this.#connections.close();
  }

  async #send(request: S3Request, signal: AbortSignal): Promise<S3Answer> {
    let isUncertain = false;
    for (let tries = 1; ; tries++) {
      if (this.#isClosed) throw new Unreachable("the store is closed");
      const answer = await this.#try(request, signal);
      const isUnanswered = answer instanceof Unreachable;
      if (!isUnanswered && !isPassing(answer.status)) return { ...answer, isUncertain };
      if (tries === MAX_TRIES) throw isUnanswered ? answer : serviceError(answer);
      isUncertain ||= isUnanswered || answer.status >= 500;
      await sleep(BACKOFF_MS * 2 ** (tries - 1) * (0.5 + Math.random()), undefined, { signal });
    }
  }

  async #try(
    { method, key, query = {}, headers = {}, body }: S3Request,
    signal: AbortSignal,
  ): Promise<Omit<S3Answer, "isUncertain"> | Unreachable> {
    const { endpoint, path: bucketPath, prefix, region, credentials } = this.#place;
    const path = key === undefined ? bucketPath : `${bucketPath}${prefix}${key}`;
    const unsigned = { method, host: endpoint.host, path, query, headers, body };
    const signed = signedHeaders(unsigned, credentials, { region, now: new Date() });
    const request = {
      method,
      path: Object.keys(query).length === 0 ? path : `${path}?${queryText(query)}`,
      headers: body === undefined ? signed : { ...signed, "content-length": String(body.byteLength) },
      body,
    };
    try {
      const answer = await this.#connections.send(request, signal);
      return { ...answer, code: codeOf(answer) };
    } catch (error) {
      return networkError(error);
    }
  }
}

/** Undefined if the body is not an error of S3. */
function codeOf({ status, body }: HttpAnswer): string | undefined {
  if (status < 300) return undefined;
  return /<Code>([A-Za-z0-9.]{1,64})<\/Code>/.exec(body?.toString("latin1") ?? "")?.[1];
}
