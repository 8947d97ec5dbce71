// What a vendor gives to the handler, checked when it is created: at the edge it is often JavaScript, which no compiler has seen.
import * as z from "zod";
import { trustOf, TrustSetting } from "../../../snapshots/features/signatures/proof.ts";
import { Product, productOf } from "../../../snapshots/snapshot.ts";
import { Api } from "../../api-settings.ts";
import type { HandlerOptions } from "./interface.ts";

// A platform shows its operator nothing else.
// oxlint-disable-next-line no-console
const warnOperator = (message: string) => console.warn(message);

/** The settings that name files, and the options that have their contents. */
const FILES = { logo: "logo", picture: "picture", overview: "texts.overview", faq: "texts.faq" } as const;

/** The length of 300,000 bytes in base64, and of what stands before them. */
const MAX_PICTURE_CHARACTERS = 400_030;

const Options = z.strictObject({
  // `readerOf` checks it.
  store: z.unknown().optional(),
  api: Api.prefault({}),
  product: Product.optional(),
  trust: TrustSetting.optional(),
  base: Api.shape.baseUrl,
  texts: z.strictObject({ overview: z.string().optional(), faq: z.string().optional() }).prefault({}),
  logo: z
    .string()
    .regex(/^data:image\/(svg\+xml|png)[;,]/, "use a data: URI of an SVG or a PNG")
    .optional(),
  picture: z
    .string()
    .regex(/^data:image\/(png|jpeg);base64,[A-Za-z0-9+/]+=*$/, "use a data: URI of a PNG or a JPEG, in base64")
    .max(MAX_PICTURE_CHARACTERS, "use a picture of at most 300 kB")
    .optional(),
  share: z.boolean().optional(),
  warn: z
    .custom<(message: string) => unknown>((value) => typeof value === "function", "must be a function")
    .default(() => warnOperator),
});

/** @throws Error that names each option, what is wrong, and what to do. */
export function checked(options: HandlerOptions) {
  const { data, error } = Options.safeParse(options);
  if (error) throw new Error(error.issues.map(({ path, message }) => `${nameOf(path)}: ${message}`).join("; "));
  const { api, base = api.baseUrl } = data;
  // The default name is that of many.
  const { product = options.api?.name && productOf(api.name) } = data;
  if (base === undefined) throw new Error("base: is missing; use the public URL, such as https://facts.example");
  for (const [setting, option] of Object.entries(FILES)) {
    if (api[setting as keyof typeof FILES] === undefined) continue;
    throw new Error(`api.${setting}: there are no files at the edge; give the contents as \`${option}\``);
  }
  return { ...data, product, base, trust: trustOf(data.trust, base), warn: harmless(data.warn) };
}

function nameOf(path: PropertyKey[]): string {
  return path.length === 0 ? "createHandler" : path.join(".");
}

/** No request fails because a warning could not be given. */
function harmless(warn: (message: string) => unknown): (message: string) => void {
  return (message) => void (async () => warn(message))().catch(() => {});
}
