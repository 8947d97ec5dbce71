// The bundled program collects as the source does.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { vitrine } from "../support/program/run.ts";
import { settingsDirectory } from "../support/program/settings.ts";
import { body, json, startUpstream } from "../support/collecting/upstream.ts";
import { vendorPlans } from "../support/collecting/vendor.ts";

test("the built program fetches, and reads small and large documents", async () => {
  const upstream = await startUpstream();
  const items = `<item><enclosure url="https://dl.example.com/N.zip" version="1"/></item>`.repeat(500);
  const best = `<item><s:version>2</s:version><enclosure url="https://dl.example.com/N.zip"/></item>`;
  const namespace = 'xmlns:s="http://www.andymatuschak.org/xml-namespaces/sparkle"';
  upstream.set("/plans", json(vendorPlans()));
  upstream.set("/appcast.xml", body(`<rss ${namespace}><channel>${items}${best}</channel></rss>`));
  upstream.set("/latest.yml", body("version: 2.10\npath: N.exe\n"));
  const directory = await settingsDirectory({
    plans: { from: "json", url: upstream.url("/plans") },
    releases: {
      macos: { from: "sparkle", url: upstream.url("/appcast.xml") },
      windows: { from: "electron-builder", url: upstream.url("/latest.yml") },
    },
  });
  expect(await vitrine(["collect"], { directory })).toMatchObject({ code: 0 });
  const payloadOf = async (name: string) => JSON.parse(await readFile(join(directory, "facts", name), "utf8")).payload;
  expect(await payloadOf("plans.json")).toEqual(vendorPlans());
  expect(await payloadOf("release-macos.json")).toMatchObject({ latest: { version: "2" } });
  expect(await payloadOf("release-windows.json")).toMatchObject({ latest: { version: "2.10" } });
});
