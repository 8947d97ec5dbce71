// A lane in front of node:http, which may answer what it fully understands.
import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { OnAnswer } from "./in-flight.ts";
import type { Responder } from "./responder.ts";

export interface Lane {
  /** From now on every request goes to node:http. */
  close(): void;
  /** Closes each connection of the lane after its answers. */
  dismiss(): void;
  destroy(): void;
}

export type OpenLane = (
  server: Server,
  answering: { responder: Responder; onAnswer?: OnAnswer | undefined },
  onHandOver: (socket: Socket) => void,
) => Lane;
