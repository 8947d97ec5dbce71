// The parts that elements and card share: words in eight languages, money and dates as the reader writes them, a plan with its
// prices, and a release with its download. They insert the vendor's texts as text, and link to web addresses only.
import type { LatestReleaseResponse, PlanName, PlanNames, Platform, PlansResponse } from "../../../snapshots/schema.ts";
import { capitalized, MAX_RHYTHM, money, PLATFORM_NAMES, vendorDay } from "../words/words.ts";
import { plansInWords, type PlanInWords, type PriceInWords } from "../words/offers.ts";

const LANGUAGES = ["en", "de", "fr", "es", "pt", "ja", "zh", "ar"];

/** The words in the order of LANGUAGES. `%`: a platform, a version, a period or a number. */
const WORDS = {
  unavailable:
    "Currently not available|Zurzeit nicht verfügbar|Indisponible pour le moment|No disponible por el momento|Indisponível no momento|現在ご利用いただけません|暂时无法显示|غير متاح حاليًا",
  buy: "Buy|Kaufen|Acheter|Comprar|Comprar|購入|购买|شراء",
  get: "Get|Holen|Obtenir|Obtener|Obter|入手|获取|احصل عليه",
  free: "Free|Kostenlos|Gratuit|Gratis|Grátis|無料|免费|مجاني",
  recommended: "Recommended|Empfohlen|Recommandé|Recomendado|Recomendado|おすすめ|推荐|موصى به",
  billing: "Billing|Abrechnung|Facturation|Facturación|Cobrança|お支払い|计费周期|الفوترة",
  monthly: "Monthly|Monatlich|Mensuel|Mensual|Mensal|月払い|按月|شهري",
  yearly: "Yearly|Jährlich|Annuel|Anual|Anual|年払い|按年|سنوي",
  month: "a month|pro Monat|par mois|al mes|por mês|/ 月|/ 月|شهريًا",
  year: "a year|pro Jahr|par an|al año|por ano|/ 年|/ 年|سنويًا",
  every: "every %|alle %|tous les %|cada %|a cada %|%ごと|每%|كل %",
  once: "once|einmalig|paiement unique|pago único|pagamento único|買い切り|一次性|مرة واحدة",
  "at-monthly-price":
    "12 months at the monthly price|12 Monate zum Monatspreis|12 mois au tarif mensuel|12 meses al precio mensual|12 meses pelo preço mensal|月額の12か月分|12 个月，按月价计算|12 شهرًا بالسعر الشهري",
  "billed-yearly":
    "a month, billed yearly|pro Monat bei jährlicher Zahlung|par mois, facturé à l’année|al mes, con pago anual|por mês, com pagamento anual|/ 月（年払い）|/ 月（按年付费）|شهريًا، تُدفع سنويًا",
  "not-listed": "not listed|keine Angabe|non indiqué|no indicado|não indicado|記載なし|未列出|غير مذكور",
  credits:
    "Credits a month: %|Credits pro Monat: %|Crédits par mois : %|Créditos al mes: %|Créditos por mês: %|月間クレジット：%|每月点数：%|الأرصدة شهريًا: %",
  download:
    "Download for %|Download für %|Télécharger pour %|Descargar para %|Baixar para %|% 版をダウンロード|下载 % 版|تنزيل لنظام %",
  version: "Version %|Version %|Version %|Versión %|Versão %|バージョン %|版本 %|الإصدار %",
  "no-release":
    "No release for %|Keine Version für %|Aucune version pour %|Ninguna versión para %|Nenhuma versão para %|% 版はありません|没有 % 版|لا يوجد إصدار لنظام %",
};

export type Word = keyof typeof WORDS;
export const WORD_NAMES = Object.keys(WORDS) as Word[];

export type Language = ReturnType<typeof language>;

/** The language of a widget. `lang`: BCP 47, or any text, which counts as English. `own`: a word of the vendor's in place of ours.
 * Returns `locale`, for money, numbers and dates, and `of`, for words: English where LANGUAGES lacks the language. */
export function language(lang: string, own: (word: Word) => string | null = () => null) {
  let locale = new Intl.Locale("en");
  try {
    locale = new Intl.Locale(lang);
  } catch {
    // A page may state any text.
  }
  const index = Math.max(0, LANGUAGES.indexOf(locale.language));
  const [tag, of] = [locale.toString(), LANGUAGES[index] ?? "en"];
  /** Chooses from words in the form of WORDS. */
  const choose = (words: string) => words.split("|")[index] ?? "";
  // A function replaces it, because `$&` in a version is no pattern.
  const say = (word: Word, text = "") => (own(word) ?? choose(WORDS[word])).replace("%", () => text);
  /** `3 months`, and `every 3 months` with a word for that. */
  const rhythm = (months: number, [month, year, every]: readonly [Word, Word, Word?]) => {
    if (months > MAX_RHYTHM) return say("once");
    if (months === 1 || months === 12) return say(months === 1 ? month : year);
    const [amount, unit] = months % 12 === 0 ? [months / 12, "year"] : [months, "month"];
    const length = new Intl.NumberFormat(of, { style: "unit", unit, unitDisplay: "long" }).format(amount);
    return every ? say(every, length) : length;
  };
  return {
    locale: tag,
    of,
    choose,
    say,
    free: say("free"),
    money(amount: number, currency: string) {
      if (typeof amount !== "number") throw new TypeError("not a price");
      // `US$` stays in one piece where text is written from right to left.
      return money(amount, currency, tag).replace(/[A-Z]\$/, "$&\u200e");
    },
    period: (months: number) => rhythm(months, ["month", "year", "every"]),
    rhythm: (months: number) => rhythm(months, ["monthly", "yearly"]),
    credits: (amount: number) => say("credits", new Intl.NumberFormat(tag).format(amount)),
  };
}

/** How a part is shown. `level`: of the headings, 1 to 6. `cycle`: the key of the chosen billing cycle, by default the first; the
 * visitor's choice changes it. `link`: makes a link that is no `<a>`. */
export interface Look {
  language: Language;
  level: number;
  cycle: string | null;
  link?: (part: string, href: string, ...children: Child[]) => HTMLElement;
}

export type Child = Node | string | undefined | null | false;
type Tags = HTMLElementTagNameMap;

/** An element with its `part`, which STYLE and the page's own style select by. */
export function element<K extends keyof Tags>(tag: K, part: string, ...children: Child[]): Tags[K] {
  const made = document.createElement(tag);
  if (part) made.setAttribute("part", part);
  made.append(...children.flatMap((child) => child || []));
  return made;
}

/** The vendor's text, which may be written in another direction than the text around it. */
export function quoted(text: string): HTMLElement {
  return element("bdi", "", text);
}

/** Replaces the parts in `all`. The focus stays on the control with the same target; if that is gone, `all` gets it, because another
 * control could buy something else. */
export function replace(all: HTMLElement, ...parts: Node[]): void {
  const { activeElement, host } = all.getRootNode() as ShadowRoot;
  const hasFocus = host.matches(":focus-within");
  const target = (one: Element | null) => one?.getAttribute("href") ?? one?.getAttribute("value");
  const focused = target(activeElement);
  all.replaceChildren(...parts);
  if (!hasFocus) return;
  const controls = [...all.querySelectorAll<HTMLElement>("a,input,button")];
  all.tabIndex = -1;
  (controls.find((one) => target(one) === focused) ?? all).focus({ preventScroll: true });
}

let [time, lastRead] = [0, 0];

/** In ms since the epoch, by the later of two clocks: the computer's may be set back, the other one may stop while it sleeps.
 * `atLeast`: a time that is past for sure. */
export function now(atLeast = 0): number {
  const passed = performance.now() - lastRead;
  lastRead += passed;
  return (time = Math.max(Date.now(), time + passed, atLeast));
}

/** A link; undefined for other than web addresses, such as `javascript:`. */
function link(part: string, href: string | undefined, look: Look, ...children: Child[]): HTMLElement | undefined {
  if (href === undefined || !/^https?:\/\//i.test(href)) return undefined;
  return look.link?.(part, href, ...children) ?? Object.assign(element("a", part, ...children), { href });
}

/** The plans with a switch between their cycles; nothing for a vendor without plans. `names`: unchecked JSON.
 * @throws TypeError if `facts` are not what the type says. */
export function plansPart(facts: PlansResponse, names: unknown, look: Look): Node[] {
  const { cycles, plans } = plansInWords(facts, look.language, Object(names) as PlanNames);
  const list = element("ul", "plans");
  const show = (at: number) =>
    list.replaceChildren(...plans.map((plan) => planPart(plan, nameOf(plan, names), plan.offers[at], look)));
  const chosen = Math.max(
    0,
    cycles.findIndex(({ key }) => key === look.cycle),
  );
  show(chosen);
  const choices = cycles.map(({ key, title, savingBadge }, at) => {
    const radio = element("input", "");
    const onchange = () => {
      look.cycle = key;
      show(at);
    };
    Object.assign(radio, { type: "radio", name: "cycle", value: key, checked: at === chosen, onchange });
    return element(
      "label",
      "cycle",
      radio,
      element("span", "", title, savingBadge && element("b", "saving", quoted(savingBadge))),
    );
  });
  const billing = element("fieldset", "cycles", element("legend", "unseen", look.language.say("billing")), ...choices);
  return plans.length === 0 ? [] : [...(cycles.length > 1 ? [billing] : []), list];
}

/** The name's texts. `names`: unchecked JSON, which must not hide a plan. */
function nameOf({ id }: PlanInWords, names: unknown): PlanName {
  const own = Object.hasOwn(Object(names), id) ? Object(names)[id] : undefined;
  return Object.fromEntries(Object.entries(own ?? {}).filter(([, text]) => typeof text === "string"));
}

function planPart(
  { id, popular, credits, take }: PlanInWords,
  { title = capitalized(id), line, buy }: PlanName,
  prices: readonly PriceInWords[] = [],
  look: Look,
): HTMLElement {
  const heading = element(`h${look.level}` as "h3", "title", quoted(title));
  return element(
    "li",
    popular ? "plan popular" : "plan",
    element("div", "head", heading, popular && element("em", "badge", look.language.say("recommended"))),
    line !== undefined && element("p", "line", quoted(line)),
    element(
      "p",
      "price",
      ...prices.flatMap(([amount, period]) => [
        element("b", "amount", quoted(amount)),
        element("span", "period", period),
      ]),
    ),
    credits && element("p", "credits", credits),
    link("buy", buy, look, take, element("span", "unseen", ` ${title}`)),
  );
}

/** `release`: unchecked JSON; shown as unavailable unless it is a release. */
export function releasePart(platform: Platform, release: unknown, look: Look): HTMLElement {
  const { say, locale } = look.language;
  const name = PLATFORM_NAMES[platform];
  if (!isRelease(release))
    return element("li", "release", element("p", "unavailable", `${name}: ${say("unavailable")}`));
  if (!release.hasUpdate) return element("li", "release", element("p", "none", say("no-release", name)));
  const { version, date, size, downloadURL } = release.latest;
  const day = vendorDay(date);
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  const about = [
    say("version", version),
    day === undefined ? date : format.format(new Date(day)),
    sizeOf(size, locale),
  ];
  const texts = about.filter((text) => text !== "").flatMap((text, index) => [index > 0 && " · ", quoted(text)]);
  const button = link("download", downloadURL, look, say("download", name));
  return element("li", "release", button, element("p", "about", ...texts));
}

export function isRelease(value: unknown): value is LatestReleaseResponse {
  const { hasUpdate, latest } = Object(value);
  return hasUpdate === false || (hasUpdate === true && typeof latest?.version === "string");
}

/** `104 MB`. `size`: bytes in digits; empty if unknown. */
function sizeOf(size: string, locale: string): string {
  const [value, unit] = Number(size) >= 1e9 ? [1e9, "gigabyte"] : [1e6, "megabyte"];
  const format = new Intl.NumberFormat(locale, { style: "unit", unit, maximumSignificantDigits: 3 });
  return size && format.format(Number(size) / value);
}

/** The style of a shadow root. A page sets the custom properties, or styles the parts. Text has the page's own font and colour, to be
 * readable on any background; text on the accent has a colour of its own, by default black or white. */
export const STYLE = `
:host{display:block;margin-block:1.5em;text-align:start;text-indent:0;text-transform:none;white-space:normal;--a:var(--vitrine-accent,#0f6e60);--o:var(--vitrine-on-accent,#fff);--r:var(--vitrine-radius,.6em);--s:var(--vitrine-soft,color-mix(in srgb,currentColor 80%,transparent));--l:var(--vitrine-line,color-mix(in srgb,currentColor 20%,transparent))}
@supports(color:light-dark(#000,#fff))and(color:lab(from red l a b)){:host{--a:var(--vitrine-accent,light-dark(#0f6e60,#6cd0bd));--o:var(--vitrine-on-accent,lab(from var(--a) calc((49.5 - l)*99) 0 0))}}
:host([hidden]){display:none}
*{box-sizing:border-box;margin:0;padding:0}
ul{list-style:none}
p,b,em,h1,h2,h3,h4,h5,h6{font:inherit}
:focus-visible{outline:2px solid;outline-offset:3px}
[part=unseen]{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
[part=cycles]{display:inline-flex;flex-wrap:wrap;gap:.25em;margin-block-end:1.5em;padding:.25em;border:1px solid var(--l);border-radius:var(--r)}
[part=cycle]{position:relative;display:flex;flex:1 1 auto;cursor:pointer}
@media(max-width:30em){[part=cycle]{flex-basis:5.5em}}
[part=cycle] input{position:absolute;inset:0;width:100%;height:100%;opacity:0;cursor:pointer}
[part=cycle] span{flex:1;display:flex;flex-wrap:wrap;align-items:center;justify-content:center;gap:0 .5em;min-height:2.75em;padding-inline:.75em;text-align:center;border-radius:calc(var(--r) - .25em);color:var(--s)}
[part=cycle] :checked+span{color:inherit;background:color-mix(in srgb,currentColor 8%,transparent);outline:2px solid;outline-offset:-2px}
[part=cycle] :focus-visible+span{outline:2px solid;outline-offset:3px}
[part=saving]{font-size:.8125em;font-weight:600}
[part=plans]{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,13em),1fr));gap:0 1em;margin-block-end:-1em}
[part=plans]:not(:has(>:nth-child(3))){max-width:44em}
[part=plans]:not(:has(>:nth-child(2))){max-width:22em}
[part~=plan]{display:grid;grid-row:span 5;grid-template-rows:subgrid;gap:0;align-items:start;margin-block-end:1em;padding:1.5em;border:1px solid var(--l);border-radius:var(--r);background:var(--vitrine-ground,none)}
[part~=popular]{border-color:var(--a);box-shadow:0 0 0 1px var(--a)}
[part=head]{grid-row:1;display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:0 .75em}
[part=title]{font-size:1.125em;font-weight:600}
[part=badge]{padding:.125em .75em;border-radius:2em;background:var(--a);color:var(--o);font-size:.75em;font-weight:600}
[part=line]{grid-row:2;color:var(--s);font-size:.9375em}
[part=price]{grid-row:3;margin-block:1em .5em}
[part=amount]{font-size:2.25em;line-height:1.2;font-weight:600;letter-spacing:-.02em}
[part=period]{display:block}
[part=period],[part=credits],[part=about]{color:var(--s);font-size:.875em}
[part=credits]{grid-row:4}
[part=buy],[part=download]{display:flex;align-items:center;justify-content:center;min-height:2.75em;padding:.5em 1.25em;border:1px solid color-mix(in srgb,currentColor 45%,transparent);border-radius:var(--r);color:inherit;font-weight:600;text-align:center;text-decoration:none}
[part=buy]{grid-row:5;align-self:end;margin-block-start:1.25em}
[part~=popular] [part=buy],[part=plans]:not(:has([part~=popular])) [part=buy],[part=release]:first-child [part=download]{background:var(--a);border-color:var(--a);color:var(--o)}
:is([part=buy],[part=download]):hover{text-decoration:underline}
[part=downloads]{display:flex;flex-wrap:wrap;gap:1em}
[part=about]{margin-block-start:.5em;text-align:center}
bdi,[part=line]{overflow-wrap:anywhere}
`;
