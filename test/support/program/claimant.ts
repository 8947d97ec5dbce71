// Claims and releases snapshot directories. Commands on stdin, one per line: `claim <directory>` or `release`.
import { createInterface } from "node:readline";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import type { Claim } from "../../../snapshots/store.ts";

let claim: Claim | undefined;
for await (const line of createInterface({ input: process.stdin })) {
  const [command, directory = ""] = line.split(" ");
  if (command === "claim") {
    claim = await openStore(directory).claim();
    console.log(claim ? "granted" : "busy");
  } else {
    await claim?.release();
    console.log("released");
  }
}
