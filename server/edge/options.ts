// What a vendor gives to the handler, checked when it is created.
import { Api, type ApiSettings } from "../api-settings.ts";
import { FAQ } from "../texts/faq.ts";
import { OVERVIEW } from "../texts/overview.ts";
import type { Texts } from "../texts/read-texts.ts";
import type { HandlerOptions } from "./interface.ts";

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
