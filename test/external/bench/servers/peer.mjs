// What the peers' processes have in common: the answer they give, and how they tell their port and their use of CPU.
import { readFileSync } from "node:fs";

/** The answer to give, taken from Vitrine: body, tag, and the headers of 200 and 304 as flat lists and as objects. */
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

/** Tells the bench the port, then, each time it asks, either the bytes of the heap that are in use, or CPU microseconds
 * (user and system) and resident bytes so far. */
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
  // Started by hand or by the measurement of starts, it has nobody to tell.
  process.send?.({ port });
}
