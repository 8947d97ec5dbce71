// Gives node:http's parser what has arrived in slices, and stops while enough requests of a connection are unanswered.
// Node reads up to 64 KB at a time and parses all of it, whether or not the socket is paused or closed meanwhile: 300
// connections with 60 kB of tiny requests each, whose answers nobody read, took 500,000 request and response objects, which
// ended a heap of 256 MB. Between two slices it can wait instead, so no limit on pipelined requests is needed.
import type { Server } from "node:http";
import type { Socket } from "node:net";

/** 28 of the shortest requests. */
const SLICE_BYTES = 1_024;

/** After so much, other connections have their turn: tiny chunks take long to parse. */
const TURN_BYTES = 16 * SLICE_BYTES;

/** For every connection that node:http takes from now on. `mustWait`: pauses a connection that must wait, and resumes it. */
export function parseInSlices(server: Server, mustWait: (socket: Socket) => boolean): void {
  // After node:http's own listener, which has attached its parser by then.
  server.on("connection", (socket) => {
    const [parse] = socket.listeners("data") as [((chunk: Buffer) => void)?];
    if (!parse) return;
    let isResting = false;
    const rest = () => {
      isResting = true;
      setImmediate(() => {
        isResting = false;
        socket.resume();
      });
    };
    const feed = (chunk: Buffer) => {
      for (let start = 0; start < chunk.byteLength && !socket.destroyed; start += SLICE_BYTES) {
        if (start === TURN_BYTES) rest();
        // node:http resumes connections before it should.
        if (isResting) socket.pause();
        // It pauses them, too.
        if (socket.isPaused() || mustWait(socket)) return socket.unshift(chunk.subarray(start));
        parse.call(socket, chunk.subarray(start, start + SLICE_BYTES));
      }
    };
    // node:http removes its listener from a tunnel; Node finds a wrapper by this property. Any listener makes node:http
    // receive data through events instead of reading the handle itself.
    socket.off("data", parse).on("data", Object.assign(feed, { listener: parse }));
  });
}
