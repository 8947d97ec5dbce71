// The banner claims that a server is private only if it is.
import { expect, test } from "vitest";
import { addresses } from "../../cli/output/banner.ts";
import { configure } from "../../cli/settings/configure.ts";
import { temporaryDirectory } from "../support/directory.ts";

test.for([
  ["127.0.0.1", true],
  ["localhost", true],
  ["::1", true],
  ["0.0.0.0", false],
  ["::", false],
  ["192.168.1.7", false],
  ["api.example.com", false],
] as const)("listening on %s is for this computer only: %s", async ([host, isPrivate]) => {
  const configuration = configure({
    flags: { host, demo: true },
    environment: {},
    directory: await temporaryDirectory(),
  });
  expect(addresses("http://localhost:3000", configuration).includes("This computer only")).toBe(isPrivate);
});
