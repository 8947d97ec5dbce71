// What a vendor gives to the handler, checked when it is created.
import type * as z from "zod";
import { Api, type ApiSettings } from "../api-settings.ts";
import { FAQ } from "../texts/faq.ts";
import { OVERVIEW } from "../texts/overview.ts";
import type { Texts } from "../texts/read-texts.ts";
import type { PlatformStore } from "./platform-store.ts";

export interface HandlerOptions {
  /** `https://host/snapshots/`, or functions over what the platform has. */
  store: string | PlatformStore;
  /** As in the settings file, without its files. */
  api?: z.input<typeof Api>;
  /** The public base URL; by default `api.baseUrl`. */
  base?: string;
  /** Markdown for the MCP resources; by default the built-in texts. */
  texts?: Partial<Texts>;
  /** The logo as a `data:` URI. */
  logo?: string;
  /** Whether to offer the snapshots to servers that follow this one. */
  share?: boolean;
  /** Gets one line for each thing that an operator should know; by default `console.warn`. */
  warn?: (message: string) => void;
}

export interface CheckedOptions {
  api: ApiSettings;
  base: string;
  texts: Texts;
}

/** The settings that name files, and the options that have their contents. */
const FILES = { logo: "logo", overview: "texts.overview", faq: "texts.faq" } as const;

/** @throws Error that names each option, what is wrong, and what to do. */
export function checked({ api = {}, base, texts }: HandlerOptions): CheckedOptions {
  const { data, error } = Api.safeParse({ ...api, ...(base !== undefined && { baseUrl: base }) });
  if (error) {
    const problems = error.issues.map(({ path, message }) => `${["api", ...path].join(".")}: ${message}`);
    throw new Error(problems.join("; "));
  }
  if (data.baseUrl === undefined)
    throw new Error("base: is missing; use the public URL, such as https://facts.example");
  for (const [setting, option] of Object.entries(FILES)) {
    if (data[setting as keyof typeof FILES] === undefined) continue;
    throw new Error(`api.${setting}: there are no files at the edge; give the contents as \`${option}\``);
  }
  return { api: data, base: data.baseUrl, texts: { overview: OVERVIEW, faq: FAQ, ...texts } };
}
