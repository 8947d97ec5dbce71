// What an error of a remote store means, in one line: what is wrong, its code, what to do. Each engine has its own rows. The
// engine's own words are never repeated, because they contain user names, keys and addresses, and a proxy or a login page may
// answer in its place.
import { StoreError, Unreachable } from "../../store.ts";
import { errorCode } from "../../system-calls.ts";

/** `says`: what is wrong with the engine. `do`: the remedy. `stops`: the store can still be read. */
export interface Fault {
  code: RegExp;
  says: string;
  do: string;
  stops?: "writes";
}

// The codes of the system and of TLS are those of all engines.
export const UNKNOWN_NAME = /^(ENOTFOUND|EAI_)/;
export const BAD_CERTIFICATE = /CERT|UNABLE_TO_VERIFY/;
export const ADD_AUTHORITY = "name its authority in NODE_EXTRA_CA_CERTS";

/** Makes an error. `cause`: an error, or its code. `shown`: what the message has in place of a code that it must not repeat. */
export type FaultError = (cause: unknown, shown?: string) => StoreError;

/** The first row whose pattern fits the code counts. `engine`: its name in messages. */
export function faultError(engine: string, faults: readonly Fault[], otherwise: Omit<Fault, "code">): FaultError {
  return (cause, shown) => {
    const code = typeof cause === "string" ? cause : (errorCode(cause) ?? "unknown error");
    const fault = faults.find((fault) => fault.code.test(code)) ?? otherwise;
    return new (fault.stops ? StoreError : Unreachable)(`${engine} ${fault.says} (${shown ?? code}): ${fault.do}`);
  };
}

/** Whether a row is about this code. */
export function isKnown(faults: readonly Fault[], code: string): boolean {
  return faults.some((fault) => fault.code.test(code));
}
