// Publishes new plans into a directory as fast as possible. Prints each revision once it is published.
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { plansSnapshot, publishNext } from "../snapshot.ts";

const store = openStore(process.argv[2]!);
// Ends with the test process, which could no longer kill it.
process.stdin.on("end", () => process.exit()).resume();

if ((await store.claim()) === undefined) throw new Error("the claim of a killed publisher still holds");
console.log("ready");
for (;;) {
  const { revision } = await publishNext(store, (revision) => plansSnapshot({ revision, plans: plansOf(revision) }));
  console.log(revision);
}

/** The size varies up and down, so that a mixture of two snapshots is detected. */
function plansOf(revision: number): number {
  return (revision * 37) % 40;
}
