// Counts what a server does, for metrics.
import type { ReportBug } from "../answers/answer.ts";
import type { Vitals } from "../answers/addition.ts";
import type { ListeningSocket, SocketHandlers } from "./listen.ts";
import type { OnCall } from "./responder.ts";

export interface Observer {
  onCall: OnCall;
  /** Returns handlers that count every answer. `paths`: of all routes. `socket`: of the observer's own; without one, the handlers
   * answer for it, too. */
  serve(
    handlers: SocketHandlers,
    options: {
      vitals: Vitals;
      version: string;
      paths: readonly string[];
      socket: ListeningSocket | undefined;
      reportBug: ReportBug;
    },
  ): SocketHandlers;
}
