// Renders the page of test snapshots as the server does, and reads its HTML roughly as a browser would.
import { createHash } from "node:crypto";
import { serverSettings } from "../../../server/settings.ts";
import { bytesOf } from "../../../server/answers/answer.ts";
import { pageRenderer } from "../../../server/features/page/page.ts";
import type { Change } from "../../../server/features/history/recent-changes.ts";
import { mcpDocuments } from "../../../server/features/mcp/documents.ts";
import { sectionFor } from "../../../server/features/page-history/history-section.ts";
import { widgets } from "../../../server/features/widgets/embed-view.ts";
import { apiIndex } from "../../../server/api-index.ts";
import type { Lookup } from "../../../server/mirror/mirror.ts";
import type { RenderedPage } from "../../../server/features/page/page-row.ts";
import type { Collections } from "../../../snapshots/records.ts";
import type { PlanNames, ReleaseFile } from "../../../snapshots/schema.ts";
import type { Payload, SnapshotName } from "../../../snapshots/snapshot.ts";
import { allSnapshots } from "./server.ts";

const BASE = "https://facts.example.org";

interface PageOptions {
  /** Payloads, unchecked by the gate; by default those of `allSnapshots()`. */
  payloads?: Partial<Record<SnapshotName, unknown>>;
  api?: Record<string, unknown>;
  changes?: readonly Change[];
  collections?: Collections;
  logo?: string;
  names?: PlanNames;
  /** Of the release for macOS. */
  files?: ReleaseFile[];
}

/** The page as HTML and Markdown, while all facts are fresh. */
export function renderPage(options: PageOptions = {}) {
  const { payloads = {}, api = {}, changes = [], collections = {}, logo, names } = options;
  const get = (name: SnapshotName): Lookup => {
    const snapshot = allSnapshots().find((one) => one.name === name)!;
    const payload = (payloads[name] ?? snapshot.payload) as Payload;
    const body = Buffer.from(JSON.stringify(payload));
    const files = name === "release-macos" ? options.files : undefined;
    return { state: "fresh", snapshot: { ...snapshot, payload, body, names, files }, timeLeft: 1 };
  };
  const settings = serverSettings.api.parse(api);
  const site = { api: settings, base: BASE, index: apiIndex(settings, BASE), logo, picture: undefined };
  const mentions = [mcpDocuments({ ...site, texts: {}, hasFeeds: true }), widgets(site)].flatMap(
    ({ mention }) => mention ?? [],
  );
  const sections = [sectionFor({ areOffered: true, latest: () => changes })];
  return texts(pageRenderer({ ...site, sections, mentions: () => mentions })({ get, collections }));
}

function texts({ forms: { html, markdown } }: RenderedPage<"html" | "markdown">) {
  const text = bytesOf(html.body).toString();
  return {
    html: text,
    markdown: bytesOf(markdown.body).toString(),
    policy: html.headers["content-security-policy"],
  };
}

/** The text that a browser would show, roughly: without tags, styles and scripts, entities resolved. */
export function visibleText(html: string): string {
  const body = html.slice(html.indexOf("<body>")).replace(/<(script|style)[^>]*>[^]*?<\/\1>/g, "");
  return unescaped(body.replace(/<[^>]*>/g, " ")).replace(/\s+/g, " ");
}

function unescaped(html: string): string {
  return html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}

/** The hash of an element's text, as in a Content-Security-Policy. */
export function cspHashOf(html: string, element: "style" | "script"): string {
  const [, text = ""] = new RegExp(`<${element}>([^]*?)</${element}>`).exec(html) ?? [];
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
