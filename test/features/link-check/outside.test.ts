// The check of a link asks no service in the networks around the collector, whatever a link, its name or a redirect leads to.
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { isPrivate } from "../../../collector/features/link-check/outside.ts";
import { startCollector } from "../../support/collecting/collector.ts";
import { countingPort } from "../../support/counting-port.ts";
import { resolveTo } from "../../support/collecting/resolve.ts";
import { json, redirect } from "../../support/collecting/upstream.ts";
import { vendorReleases } from "../../support/collecting/vendor.ts";

const STAND_IN = "https://get.example.com";
const REFUSED = "leads to this computer or a private address, which is not asked";
const IF_OPEN = 'set "checkLink": false if readers can open it';
/** Public, and of no service that a test may ask. */
const PUBLIC = "8.8.8.8";

/** The network interface of this computer has this address. */
function ownAddress(address: string): void {
  const own = { address, netmask: "255.255.255.0", family: "IPv4" as const, mac: "", internal: false, cidr: null };
  const interfaces = vi.spyOn(os, "networkInterfaces").mockReturnValue({ eth0: [own] });
  syncBuiltinESMExports();
  onTestFinished(() => {
    interfaces.mockRestore();
    syncBuiltinESMExports();
  });
}

/** The outcome for a release with this link, or with one to a stand-in that redirects there. */
async function outcomeFor(link: string, { isRedirected = false } = {}) {
  const { upstream, run } = await startCollector();
  upstream.set("/hop.zip", redirect(link));
  const downloadURL = isRedirected ? `${STAND_IN}/hop.zip` : link;
  const { macos, windows } = vendorReleases();
  upstream.set("/releases", json({ macos: { ...macos, latest: { ...macos.latest, downloadURL } }, windows }));
  return (await run({ links: { standIns: { [STAND_IN]: upstream.origin } } }))["release-macos"];
}

describe("a private address (collector/features/link-check/outside.ts)", () => {
  // As browsers and the parser of URLs read them.
  const PRIVATE =
    `127.0.0.1 127.1 0x7f.1 2130706433 0177.0.0.1 127.0.0.1. １２７.0.0.1 0.0.0.0 0 10.0.0.1 012.1 100.64.0.1
    100.127.255.255 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.192 192.168.1.1 198.18.0.1 224.0.0.1 240.0.0.1
    255.255.255.255 168.63.129.16 [::] [::1] [fe80::1] [febf::1] [fec0::1] [fc00::1] [fd00:ec2::254] [ff02::1]
    [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:10.0.0.1] [::7f00:1] [::10.0.0.1] [::ffff:0:10.0.0.1] [64:ff9b::127.0.0.1]
    [64:ff9b::a00:1] [64:ff9b::169.254.169.254] [64:ff9b:1::808:808] [2002:7f00:1::] [2002:a00:1::1] [2001:0:a00:1::1]
    [2001::5efe:7f00:1] [2001:db8::1]`.split(/\s+/);
  const OPEN = `8.8.8.8 9.255.255.255 11.0.0.1 100.63.255.255 100.128.0.1 172.15.255.255 172.32.0.1 169.253.0.1
    192.167.255.255 192.169.0.1 198.20.0.1 223.255.255.255 1.1 [2606:4700::1111] [2001:4860:4860::8888] [2a00:1450::1]
    [64:ff9b::8.8.8.8] acme.com 10.0.0.1.acme.com fe80.acme.com`.split(/\s+/);

  test.for(PRIVATE)("is %s", (host) => {
    expect(isPrivate(new URL(`https://${host}/`).hostname)).toBe(true);
  });

  test.for(OPEN)("is not %s", (host) => {
    expect(isPrivate(new URL(`https://${host}/`).hostname)).toBe(false);
  });

  test.for(["10.0.0.5", "[::ffff:a00:5]", "[fd00::5]"])("in a link, %s, is not public", async (host) => {
    expect(await outcomeFor(`https://${host}/app.zip`)).toMatchObject({
      result: "failed",
      reason: `the link is not public: ${host}, app.zip: ${REFUSED}; make it public (files of a private repository are not), or ${IF_OPEN}`,
    });
  });
});

/** Readers elsewhere may come to another address. */
const unchecked = { result: "changed", link: { state: "unknown", reason: REFUSED } };

describe.for([false, true])("a link, redirected to: %s, makes no connection", (isRedirected) => {
  const addresses = ["127.0.0.1", "::1", "10.0.0.1", "fd00::1", "fe80::1%lo", "::ffff:127.0.0.1", "64:ff9b::7f00:1"];

  test.for(addresses)("by a name that resolves to %s, and is published with a note", async (address) => {
    const service = await countingPort();
    const lookup = resolveTo([PUBLIC, address]);
    const host = `files.acme.com:${service.port}`;
    const outcome = await outcomeFor(`https://${host}/app.zip`, { isRedirected });
    const file = isRedirected ? "get.example.com, hop.zip" : `${host}, app.zip`;
    const notes = [`its link could not be checked: ${file}: ${REFUSED}; ${IF_OPEN}`];
    expect(outcome).toMatchObject({ ...unchecked, notes });
    expect(lookup.names).toEqual(["files.acme.com"]);
    expect(service.connections()).toBe(0);
  });

  test("to an address of this computer, by itself or by a name", async () => {
    ownAddress(PUBLIC);
    expect(await outcomeFor(`https://${PUBLIC}/app.zip`, { isRedirected })).toMatchObject(unchecked);
    const lookup = resolveTo([PUBLIC]);
    expect(await outcomeFor("https://files.acme.com/app.zip", { isRedirected })).toMatchObject(unchecked);
    expect(lookup.names).toEqual(["files.acme.com"]);
  });
});

test("a stand-in may be on this computer, and redirects neither to another port of it nor to a private address", async () => {
  const service = await countingPort();
  for (const host of [`127.0.0.1:${service.port}`, `localhost:${service.port}`]) {
    for (const scheme of ["http", "https"])
      expect(await outcomeFor(`${scheme}://${host}/app.zip`, { isRedirected: true })).toMatchObject(unchecked);
  }
  expect(await outcomeFor("https://10.0.0.5/app.zip", { isRedirected: true })).toMatchObject(unchecked);
  expect(service.connections()).toBe(0);
});
