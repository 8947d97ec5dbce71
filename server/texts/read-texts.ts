// The texts of the MCP resources: the built-in ones, or Markdown files that the settings name.
import { readFileSync } from "node:fs";
import { errorCode } from "../../snapshots/error-code.ts";
import type { ApiSettings } from "../api-settings.ts";
import { FAQ } from "./faq.ts";
import { OVERVIEW } from "./overview.ts";

/** Markdown, by resource. */
export interface Texts {
  overview: string;
  faq: string;
}

/** @throws Error naming the file that cannot be read. */
export function readTexts(api: ApiSettings): Texts {
  return {
    overview: api.overview === undefined ? OVERVIEW : read(api.overview, "api.overview"),
    faq: api.faq === undefined ? FAQ : read(api.faq, "api.faq"),
  };
}

function read(file: string, setting: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = errorCode(error) ?? "unknown error";
    throw new Error(`${setting}: the Markdown file ${file} cannot be read (${code})`, { cause: error });
  }
}
