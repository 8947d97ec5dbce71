// The banner says where a server listens, and claims that it is private only if it is.
import { expect, test } from "vitest";
import { serving } from "../../cli/output/banner.ts";
import { configure } from "../../cli/settings/configure.ts";
import { temporaryDirectory } from "../support/directory.ts";

test.for([
  ["127.0.0.1:3000", true],
  ["127.8.8.8:80", true],
  ["[::1]:3000", true],
  ["0.0.0.0:3000", false],
  ["[::]:3000", false],
  ["192.168.1.7:3000", false],
  ["a socket without an address", false],
] as const)("listening on %s is for this computer only: %s", async ([place, isPrivate]) => {
  const configuration = configure({ flags: { demo: true }, environment: {}, directory: await temporaryDirectory() });
  const server = { base: "https://api.acme.example", place, metrics: undefined };
  const { text, fields } = serving(server, configuration);
  expect(text).toContain(`Listening on ${place}${isPrivate ? ", this computer only (--host 0.0.0.0 to share)." : "."}`);
  expect(fields.place).toBe(place);
});
