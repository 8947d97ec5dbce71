// Publishes ever newer plans into a directory as fast as it can; prints each revision when it is acknowledged.
import { openStore } from "../../../snapshots/open-store.ts";
import { plansSnapshot, publishNext } from "../snapshot.ts";

const store = openStore(process.argv[2]!);
// Nobody is left to kill it when the test itself is gone.
process.stdin.on("end", () => process.exit()).resume();

if ((await store.claim()) === undefined) throw new Error("the claim of a killed publisher still holds");
console.log("ready");
for (;;) {
  const { revision } = await publishNext(store, (revision) => plansSnapshot({ revision, plans: plansOf(revision) }));
  console.log(revision);
}

/** Sizes go up and down, so that a mixture of two snapshots could not pass for one. */
function plansOf(revision: number): number {
  return (revision * 37) % 40;
}
