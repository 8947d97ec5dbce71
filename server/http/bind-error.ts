// Why an address cannot be listened on, with the remedy. listhen reports every reason as one, so the address is tried again
// with Node's own socket, which names the reason.
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { errorCode } from "../../snapshots/error-code.ts";

/** Ports below need a privilege, unless the system is configured otherwise. */
const FIRST_FREE_PORT = 1_024;

/** The port that the server was to have is taken. */
export class PortInUse extends Error {
  override name = "PortInUse";
}

/** The reason, and what to do. `host`: an IP address. */
export async function bindError(host: string, port: number): Promise<Error> {
  const code = await codeOf(host, port);
  return new (code === "EADDRINUSE" ? PortInUse : Error)(reason(code, port));
}

function reason(code: string | undefined, port: number): string {
  switch (code) {
    case "EADDRINUSE":
      return "the port is in use; stop the program that has it, or choose another port";
    case "EADDRNOTAVAIL":
    case "EAFNOSUPPORT":
      return `the address is not one of this computer; use one of ${addresses().join(", ")}`;
    case "EACCES":
      return port < FIRST_FREE_PORT
        ? `ports below ${FIRST_FREE_PORT} need a privilege; choose a higher one, or let systemd open it (vitrine.socket)`
        : "the system does not permit this port; choose another";
    case undefined:
      return "the port was in use and is free now; start again";
    default:
      return `the system refuses it (${code})`;
  }
}

/** The code of the error; undefined if there is none. */
function codeOf(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", (error) => resolve(errorCode(error) ?? "unknown error"));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}

/** Without link-local addresses, which need a zone. */
function addresses(): string[] {
  try {
    const all = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
    return all.map(({ address }) => address).filter((address) => !address.startsWith("fe80:"));
  } catch {
    // systemd's unit for the server does not let it ask for them.
    return ["127.0.0.1", "::1", "0.0.0.0"];
  }
}
