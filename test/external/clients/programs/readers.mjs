// The readers in docs/links.md that are not MCP clients, by the engines that they are built on. Prints what each reads from the demo,
// and what it should read, as JSON. Usage: readers.mjs BASE
import { readFile } from "node:fs/promises";
import { JSONPath } from "jsonpath-plus";
import jsonata from "jsonata";
import RssParser from "rss-parser";
import * as z from "zod";

const BASE = "https://facts.example.com";
const [base] = process.argv.slice(2);
const text = await readFile(new URL("../../../../docs/links.md", import.meta.url), "utf8");
const document = text.replaceAll(BASE, base).replaceAll(encodeURIComponent(BASE), encodeURIComponent(base));

const block = (language) => JSON.parse(new RegExp(`\`\`\`json ${language}\n(.*?)\n\`\`\``, "s").exec(document)?.[1]);
const load = async (address) => (await fetch(address)).json();
const versionFor = async (platform) =>
  (await load(`${base}/api/v1/releases/latest?platform=${platform}`)).latest.version;
/** As shields.io asks, without filters; Scoop's engine understands more. */
const valueAt = (path, json) => JSONPath({ json, path, eval: false, wrap: false });

/** The fields that Renovate's documentation has, as far as they are used. */
const Renovate = z.strictObject({
  customDatasources: z.strictObject({
    notes: z.strictObject({ defaultRegistryUrlTemplate: z.string(), transformTemplates: z.tuple([z.string()]) }),
  }),
  customManagers: z.tuple([
    z.strictObject({
      customType: z.literal("regex"),
      managerFilePatterns: z.array(z.string()),
      matchStrings: z.tuple([z.string()]),
      depNameTemplate: z.string(),
      packageNameTemplate: z.string(),
      datasourceTemplate: z.literal("custom.notes"),
      versioningTemplate: z.string(),
    }),
  ]),
});
/** What Renovate takes from a rule. */
const Releases = z.object({ releases: z.array(z.object({ version: z.string(), changelogContent: z.string() })) });

const { checkver } = z
  .strictObject({ checkver: z.strictObject({ url: z.url(), jsonpath: z.string() }) })
  .parse(block("scoop"));
const { customDatasources, customManagers } = Renovate.parse(block("renovate"));
const [{ packageNameTemplate, matchStrings }] = customManagers;
const { defaultRegistryUrlTemplate, transformTemplates } = customDatasources.notes;
const rule = jsonata(transformTemplates[0]);
const apply = async (json) => Releases.parse(await rule.evaluate(json)).releases;
const release = await load(defaultRegistryUrlTemplate.replace("{{packageName}}", packageNameTemplate));
const badge = new URL(/!\[Version\]\((.*?)\)/.exec(document)?.[1]).searchParams;
const feed = await new RssParser().parseURL(`${base}/changes.atom`);

const [macos, windows] = [await versionFor("macos"), await versionFor("windows")];
const readings = [
  ["Scoop's path", valueAt(checkver.jsonpath, await load(checkver.url)), windows],
  ["shields.io's path", valueAt(badge.get("query"), await load(badge.get("url"))), macos],
  ["Renovate's rule", (await apply(release)).map(({ version }) => version), [macos]],
  ["Renovate's rule without a release", await apply({ hasUpdate: false }), []],
  ["Renovate's file", new RegExp(matchStrings[0]).exec("1.2.3\n")?.groups.currentValue, "1.2.3"],
  ["an RSS reader", feed.items.some(({ title, link }) => title.includes(macos) && link.startsWith(base)), true],
];
process.stdout.write(JSON.stringify(readings));
