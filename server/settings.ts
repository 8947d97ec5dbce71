// The server's part of the settings.
import * as z from "zod";
import { parseUrl } from "../snapshots/rules.ts";
import { HOST_FORM, readHost } from "./hosts.ts";

/** Normalized, and therefore ASCII: it is used in headers. */
const webAddress = z
  .string()
  .refine(isWebAddress, "must be an absolute http(s) URL without a user name")
  .transform((url) => new URL(url).href);

const Api = z
  .strictObject({
    name: z.string().min(1).max(100).default("Product information").describe("Public name of the API"),
    description: z
      .string()
      .min(1)
      .max(1000)
      .default("Plans, prices and desktop releases: public facts, read-only, no key needed.")
      .describe("Description of the API in one sentence"),
    baseUrl: webAddress
      .refine((url) => !/[?#]/.test(url), "must not have a query or fragment")
      .transform((url) => url.replace(/\/+$/, ""))
      .optional()
      .describe("Public base URL of every link; by default the address listened on"),
    documentation: webAddress.optional().describe("URL of the documentation for developers; by default the page at /"),
    contact: z
      .union([z.email("use an e-mail address, or the http(s) URL of a page"), webAddress])
      .optional()
      .describe("E-mail address or contact page of the vendor"),
    license: z.string().min(1).max(100).optional().describe("SPDX identifier of the licence of the facts"),
    contentSignal: z
      .string()
      .regex(/^[a-z-]+=(yes|no)(, ?[a-z-]+=(yes|no))*$/, "use a list such as search=yes, ai-input=yes, ai-train=no")
      .optional()
      .describe("Content-Signal of robots.txt, such as search=yes, ai-input=yes, ai-train=no"),
    origins: z
      .array(z.string().refine((text) => parseUrl(text)?.origin === text, "use https://host"))
      .optional()
      .describe("Origins whose web pages may use /mcp; by default all, or only local ones if the base URL is local"),
    color: z
      .string()
      .regex(/^#(?:[0-9a-f]{3}){1,2}$/i, "use #rrggbb, such as #0f6e60")
      .transform((text) => (text.length === 4 ? text.replace(/[0-9a-f]/gi, "$&$&") : text).toLowerCase())
      .optional()
      .describe("Accent colour of the page, such as #0f6e60; darkened or lightened until it is readable"),
    logo: z.string().min(1).optional().describe("SVG or PNG file of at most 32 KiB, shown on the page"),
    overview: z.string().min(1).optional().describe("Markdown file for the MCP resource product://overview"),
    faq: z.string().min(1).optional().describe("Markdown file for the MCP resource product://faq"),
  })
  .describe("Name, address and appearance of the API");
export type ApiSettings = z.infer<typeof Api>;

/** The link to a contact, which is an e-mail address or a URL. */
export function contactUrl(contact: string): string {
  return isEmail(contact) ? `mailto:${contact}` : contact;
}

export function isEmail(contact: string): boolean {
  return !/^https?:/.test(contact);
}

/** `on`: at the server's own address; an object: at this separate address. */
export type MetricsSettings = "off" | "on" | { host: string; port: number };

const metrics = z
  .string()
  .refine((text) => readMetrics(text) !== undefined, 'use "on", "off" or an address such as "127.0.0.1:9464"')
  .default("off")
  .transform((text) => readMetrics(text) ?? "off")
  .describe("Prometheus metrics: `on` at /metrics, open to every client; or a separate address such as 127.0.0.1:9464");

/** The server's settings, part of the schema of the settings file. */
export const serverSettings = {
  api: Api.prefault({}),
  host: z
    .string()
    .min(1)
    .max(255)
    .refine((text) => readHost(text) !== undefined, HOST_FORM)
    .default("127.0.0.1")
    .transform((text) => readHost(text) ?? text)
    .describe("Address to listen on; 0.0.0.0 for all addresses"),
  port: z
    .int("use a whole number from 0 to 65535")
    .min(0, "use a whole number from 0 to 65535")
    .max(65_535, "use a whole number from 0 to 65535")
    .default(3000)
    .describe("Port to listen on; 0 for any free port"),
  expressLane: z.boolean().default(true).describe("Answer plain requests twice as fast, with identical bytes"),
  metrics,
  share: z.boolean().default(false).describe("Offer the snapshots to servers that follow this one, at /snapshots/"),
};

/** Undefined if the text is not a valid value. */
function readMetrics(text: string): MetricsSettings | undefined {
  if (text === "on" || text === "off") return text;
  const { written = "", port } = /^(?<written>[^:[\]]+|\[[^[\]]+\]):(?<port>\d{1,5})$/.exec(text)?.groups ?? {};
  const host = readHost(written);
  return host !== undefined && Number(port) <= 65_535 ? { host, port: Number(port) } : undefined;
}

function isWebAddress(text: string): boolean {
  const url = /^https?:\/\/\S+$/i.test(text) ? parseUrl(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}
