// The settings of the API itself, which are the same on a server and at the edge.
import * as z from "zod";
import { parseUrl } from "../snapshots/rules.ts";
import { isKeyIn } from "../snapshots/schema.ts";

/** Normalized, and therefore ASCII: it is used in headers. */
const webAddress = z
  .string()
  .refine(isWebAddress, "must be an absolute http(s) URL without a user name")
  .transform((url) => new URL(url).href);

const words = z.string().regex(/\S/, "must not be empty");

/** The further sections of the page, in its order. */
export const PAGE_SECTIONS = ["news", "history", "use", "agents", "status"] as const;

export const Api = z
  .strictObject({
    name: words.max(100).default("Product information").describe("Public name of the API"),
    description: words
      .max(1000)
      .default("Plans, prices and desktop releases: public facts, read-only, no key needed.")
      .describe("Description of the API in one sentence"),
    baseUrl: webAddress
      .refine((url) => !/[?#]/.test(url), "must not have a query or fragment")
      .transform((url) => url.replace(/\/+$/, ""))
      .optional()
      .describe("Public base URL of every link; by default the address listened on"),
    home: webAddress.optional().describe("URL of the product's own site, which the page links to"),
    documentation: webAddress.optional().describe("URL of the documentation for developers; by default the page at /"),
    contact: z
      .union([z.email("use an e-mail address, or the http(s) URL of a page"), webAddress])
      .optional()
      .describe("E-mail address or contact page of the vendor"),
    license: z.string().min(1).max(100).optional().describe("SPDX identifier of the licence of the facts"),
    contentSignal: z
      .string()
      .regex(/^((search|ai-(input|train))=(yes|no)(, ?(?!$)|$))+$/, "use some of search=yes, ai-input=yes, ai-train=no")
      .optional()
      .describe("Content-Signal of robots.txt, such as search=yes, ai-input=yes, ai-train=no"),
    origins: z
      .array(z.string().refine((text) => parseUrl(text)?.origin === text, "use https://host, without / at the end"))
      .optional()
      .describe("Origins whose web pages may use /mcp; by default all, or only local ones if the base URL is local"),
    color: z
      .string()
      .regex(/^#(?:[0-9a-f]{3}){1,2}$/i, "use #rrggbb, such as #0f6e60")
      .transform((text) => (text.length === 4 ? text.replace(/[0-9a-f]/gi, "$&$&") : text).toLowerCase())
      .optional()
      .describe('Colour of the page\'s buttons, darkened or lightened for text until it is readable: `"#0f6e60"`'),
    logo: z.string().min(1).optional().describe("SVG or PNG file of at most 32 KiB, shown on the page"),
    picture: z
      .string()
      .min(1)
      .optional()
      .describe("PNG or JPEG file of at most 300 kB, shown with shared links to the page; 1200 × 630 pixels suit all"),
    page: z
      .array(z.enum(PAGE_SECTIONS))
      .optional()
      .describe('Further sections of the page; by default all: `["news", "history", "use", "agents", "status"]`'),
    registryKey: z
      .string()
      .refine(
        (text) => isKeyIn("base64", text),
        "use the base64 of the 32 bytes of an Ed25519 public key, as docs/registry.md shows",
      )
      .optional()
      .describe("Public key with which you log in to the MCP registry: [registry](registry.md)"),
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

function isWebAddress(text: string): boolean {
  const url = /^https?:\/\/\S+$/i.test(text) ? parseUrl(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}

/** What the files that `api` names hold: Markdown, and images as `data:` URIs. */
export interface ApiFiles {
  texts: { overview?: string; faq?: string };
  logo: string | undefined;
  picture: string | undefined;
}

export const NO_FILES: ApiFiles = { texts: {}, logo: undefined, picture: undefined };
