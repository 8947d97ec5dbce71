/** Reports the port to the bench. Afterwards, on request, the CPU time so far (user and system, in µs) and the resident
 * memory in bytes. */
export function report(port) {
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send({ cpu: user + system, rss: process.memoryUsage.rss() });
  });
  process.on("disconnect", () => process.exit());
  // Without a parent process when started by hand or by start.ts.
  process.send?.({ port });
}
