// Shared by the peers' processes: the answer that they send, and the reports of their port, CPU time and memory.
import { readFileSync } from "node:fs";

/** The answer to send, taken from Vitrine: body, tag, and the headers of 200 and 304 as flat lists and as objects. */
export function readAnswer() {
  const { ok, notModified, tag, text } = JSON.parse(readFileSync(process.argv[2], "utf8"));
  const asObject = (list) =>
    Object.fromEntries(list.flatMap((name, index) => (index % 2 === 0 ? [[name, list[index + 1]]] : [])));
  return {
    text,
    tag,
    ok: { list: ok, object: asObject(ok) },
    notModified: { list: notModified, object: asObject(notModified) },
  };
}

/** Reports the port to the bench. Afterwards, on request, the heap in use in bytes, or the CPU time so far (user and
 * system, in µs) and the resident memory in bytes. */
export function report(port) {
  process.on("message", (question) => {
    if (question === "heap") {
      globalThis.gc();
      process.send(process.memoryUsage().heapUsed);
      return;
    }
    const { user, system } = process.cpuUsage();
    process.send({ cpu: user + system, rss: process.memoryUsage.rss() });
  });
  process.on("disconnect", () => process.exit());
  // Without a parent process when started by hand or by start.ts.
  process.send?.({ port });
}
