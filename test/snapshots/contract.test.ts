// The contract of a store, held by each kind of store.
import { describe } from "vitest";
import { openStore } from "../../snapshots/open-store.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { promisesOfAStore } from "../support/store-contract.ts";

describe("files", () => {
  promisesOfAStore(async () => {
    const directory = await temporaryDirectory();
    const another = () => openStore(directory);
    return { store: another(), another };
  });
});
