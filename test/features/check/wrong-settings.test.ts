// Hundreds of wrong settings of the kinds that people make. None passes in silence: `check`, the dry run and `start` name the setting,
// what is wrong with it, and what to write instead.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "vitest";
import { invoke } from "../../../cli/invoke.ts";
import { haveFeatures, isIn } from "../../support/program/feature.ts";
import { isOffered } from "../../support/program/offered.ts";
import { settingsDirectory, UNCHECKED_LINKS } from "../../support/program/settings.ts";

const CYCLES = [
  { key: "monthly", durationMonths: 1, labelKey: "m", savingBadge: null },
  { key: "annual", durationMonths: 12, labelKey: "y", savingBadge: null },
];
const PRO = {
  id: "pro",
  popular: true,
  prices: { monthly: 19, annual: 190 },
  monthlyPrice: 19,
  annualPrice: 190,
  creditsMonthly: null,
};
const MAC = { version: "4.2.1", downloadURL: "https://dl.acme.com/Notes-4.2.1.dmg" };
const FILE = { from: "file", path: "plans.json" };
const GITHUB = { from: "github", repo: "acme/notes", api: "http://127.0.0.1:9" };
const JSON_SOURCE = { from: "json", url: "https://127.0.0.1:9/plans" };
const FIELDS = {
  plans: "/plans",
  currency: "USD",
  cycles: CYCLES,
  id: "/id",
  monthlyPrice: "/price",
  annualPrice: "/year",
};
const OF_RELEASE = { version: "/version", downloadURL: "/url" };
const STRIPE = {
  from: "stripe",
  key: "$KEY",
  currency: "EUR",
  cycles: CYCLES,
  plans: [{ id: "pro", product: "prod_1" }],
};

const LEMON = { from: "lemonsqueezy", plans: [{ id: "pro", variants: { monthly: "1", annual: "2" } }] };

const OWN = "https://api.acme.com";
const SITE = "https://acme.com";
const LOCAL = "http://127.0.0.1:9";

const SQUIRREL = { from: "squirrel", url: "https://127.0.0.1:9/RELEASES" };

interface Wrong {
  settings?: object;
  plans?: unknown;
  plan?: object;
  cycles?: unknown;
  macos?: unknown;
  /** Instead of the plans as JSON. */
  plansText?: string | Uint8Array;
  environment?: Record<string, string>;
  /** Instead of the settings as JSON. */
  text?: string | Uint8Array;
  words?: string[];
}

const settings = (settings: object): Wrong => ({ settings });
const api = (api: object): Wrong => settings({ api });
const plans = (plans: object): Wrong => settings({ plans });
const json = (more: object): Wrong => plans({ ...JSON_SOURCE, ...more });
const argument = (text: string): Wrong => plans({ from: "command", command: ["node", text] });
const bearer = (TOKEN?: string, authorization = "Bearer $TOKEN"): Wrong => ({
  ...json({ headers: { authorization } }),
  ...(TOKEN !== undefined && { environment: { TOKEN } }),
});
const stripe = (KEY: string, more: object = {}): Wrong => ({ ...plans({ ...STRIPE, ...more }), environment: { KEY } });
const releases = (releases: unknown): Wrong => settings({ releases });
const macos = (source: unknown): Wrong => releases({ macos: source, windows: "none" });
const github = (more: object): Wrong => macos({ ...GITHUB, ...more });
const file = (path: string): Wrong => plans({ from: "file", path });
const fields = (more: object): Wrong => macos({ ...JSON_SOURCE, fields: { ...OF_RELEASE, ...more } });
const plan = (plan: object): Wrong => ({ plan });
const priced = (monthlyPrice: number, annualPrice: number): Wrong =>
  plan({ monthlyPrice, annualPrice, prices: { monthly: monthlyPrice, annual: annualPrice } });
const cycles = (first: object, second: object = {}): Wrong => ({
  cycles: [
    { ...CYCLES[0], ...first },
    { ...CYCLES[1], ...second },
  ],
});
const mac = (release: object): Wrong => ({ macos: { ...MAC, ...release } });
const link = (downloadURL: string): Wrong => mac({ downloadURL });
const standIn = (standIns: object): Wrong => settings({ plans: { ...JSON_SOURCE, url: `${SITE}/plans` }, standIns });
const notified = (NOTIFY: string): Wrong => ({
  ...settings({ api: { name: "Acme", baseUrl: OWN }, notify: "$NOTIFY" }),
  environment: { NOTIFY },
});
const environment = (environment: Record<string, string>, more: object = {}): Wrong => ({
  environment,
  settings: more,
});

const CRON = "use a cron expression such as */15 * * * *: ";
const DURATION = "use a duration such as 30s, 15m or 24h";
const KIND = "must name one of the known kinds of source";
const SOURCE = /must be of type object.*, a source such as \{ "from":/;
const FOREIGN_PATH = "is the path of another system, or has quotes: write it as";
const SHELL = "is used as it stands, ~ and $NAME too: write the whole path";
const COMMAND = 'unknown setting; write { "from": "command", "command":';
const NOT_JSON = "line 1: not valid JSON; a document begins with {";
const PUBLIC = "api.baseUrl leads to this computer only: give the public address";
const GLOB = "is a glob, not a regular expression: * stands for any text, ?";
/** Reads no last copy. */
const UNSERVED = ["collect --dry-run"];
const REFERENCE = 'use "$NAME" for an environment variable; secrets do not belong';

/** What each command says of them, the commands that need none of it, and the feature that says it. */
const GROUPS: [told: string | RegExp, wrong: Wrong[], unless?: string[], by?: string][] = [
  // Schedules and durations
  [`${CRON}"*/90" has a longer`, [settings({ schedule: "*/90 * * * *" })]],
  [`${CRON}"*/36" has a longer`, [settings({ schedule: "0 */36 * * *" })]],
  [`${CRON}it needs five`, ["every 15 minutes", "15m", "*/15 * * *"].map((schedule) => settings({ schedule }))],
  [`${CRON}it needs five`, [environment({ SCHEDULE: "hourly" })]],
  [`${CRON}"60" is not`, [settings({ schedule: "60 * * * *" })]],
  [
    /"3[01]" is not possible .*; write a day that the month has/,
    ["0 0 31 2 *", "0 0 30 2 *"].map((schedule) => settings({ schedule })),
  ],
  ["plans waits up to 7 d for its next run and is stale after 24 h: 502 in", [settings({ schedule: "0 0 * * 1" })]],
  ...["*/15 8-18 * * 1-5", "*/15 * * * 1-5", "*/15 8-18 1-20 * *", "*/5 * * 1-6 *"].map(
    (schedule): (typeof GROUPS)[number] => [
      /plans waits up to (?:3|2|1[0-9]|18\d) d for its next run and is stale after 24 h: 502 in/,
      [settings({ schedule })],
    ],
  ),
  ["plans waits up to 15 min for its next run and is stale after 2 min: 502 in", [settings({ staleAfter: "90s" })]],
  [DURATION, ["24", "1 day", "24H", "2y"].map((staleAfter) => settings({ staleAfter }))],
  [
    DURATION,
    [settings({ guard: { over: "20 min" } }), settings({ history: { age: "1y" } }), json({ timeout: "30ms" })],
  ],
  [DURATION, [environment({ STALE_AFTER: "1 hour" })]],
  [
    "is not read: did you mean STALE_AFTER?",
    ["STALEAFTER", "STALE_AFTR", "VITRINE_STALE_AFTER"].map((name) => environment({ [name]: "1h" })),
  ],
  [
    "is not read: did you mean SNAPSHOTS?",
    ["SNAPSHOT", "VITRINE_SNAPSHOTS"].map((name) => environment({ [name]: "data" })),
  ],
  [
    "is not read: did you mean BASE_URL?",
    ["BASEURL", "baseUrl", "API_BASE_URL"].map((name) => environment({ [name]: "https://a.com" })),
  ],
  ["the environment variable VITRINE_PORT is not read: did you mean PORT?", [environment({ VITRINE_PORT: "80" })]],
  [
    "is not read: write api.name into the settings",
    ["API_NAME", "VITRINE_NAME", "VITRINE_API_NAME"].map((name) => environment({ [name]: "Acme" })),
  ],
  ["KEY is empty", [stripe("")], ["start", "collect --dry-run"]],
  [
    "is not set, but STRIPE_KEY is: name that one",
    ["$stripe_key", "$STRIPE_SECRET_KEY"].map((key) => ({
      ...plans({ ...STRIPE, key }),
      environment: { STRIPE_KEY: "rk" },
    })),
    ["collect --dry-run", "start"],
  ],
  // Values
  ["; leave it out: every page may read", ["*", ["*"]].map((origins) => api({ origins }))],
  [
    'signing   must be of type object, such as { "key": "$NAME" }',
    ["$KEY", true].map((signing) => settings({ signing })),
  ],
  [
    /history {3}must be of type object.*, such as \{ "keep": 100 \}/,
    [100, true].map((history) => settings({ history })),
  ],
  ['guard.enabled   unknown setting; leave it out, or write "guard": false', [settings({ guard: { enabled: false } })]],
  ["minorUnits   must be at most 6 (got 100); write 2 for cents", [json({ fields: { ...FIELDS, minorUnits: 100 } })]],
  [', a JSON Pointer such as "/popular"', [json({ fields: { ...FIELDS, popular: true } })]],
  [', a JSON Pointer such as "/size"', [fields({ size: 1000 })]],
  ['; for a file, write "from": "file" with "path"', [plans({ from: "json", url: "plans.json" })]],
  ['it has what belongs to "releases": name it there', [{ plans: { macos: MAC, windows: null } }, { plans: MAC }]],
  ['it has what belongs to "plans": name it there', [macos({ from: "file", path: "plans.json" })]],
  // Names and levels
  ['unknown setting; did you mean "schedule"?', [settings({ shedule: "* * * * *" })]],
  ['unknown setting; did you mean "plans"?', [settings({ Plans: FILE })]],
  ['unknown setting; did you mean "releases"?', [settings({ release: GITHUB })]],
  ['unknown setting; did you mean "name"?', [api({ nmae: "Acme" })]],
  ['unknown setting; did you mean "title"?', [settings({ names: { pro: { titel: "Pro" } } })]],
  ['api.port   unknown setting; it belongs beside "api", not in it', [api({ name: "A", port: 80 })]],
  [
    'unknown setting; it belongs beside "plans", not in it',
    [{ staleAfter: "1h" }, { names: {} }, { guard: false }, { standIns: {} }].map((more) => json(more)),
  ],
  ['fields.pick   unknown setting; it belongs beside "fields", not in it', [fields({ pick: "/mac" })]],
  ['minorUnits   unknown setting; write it into "fields"', [json({ fields: FIELDS, minorUnits: 2 })]],
  ['filter   unknown setting; write "where": {', [json({ fields: { ...FIELDS, filter: { "/status": "active" } } })]],
  ['filter   unknown setting; write "require": {', [fields({ filter: { "/status": "active" } })]],
  ['plans.product   unknown setting; write it into "plans"', [plans({ ...STRIPE, product: "prod_1" })]],
  ['fields.url   unknown setting; write "downloadURL": "', [fields({ url: "/url" })]],
  ['monthlyPrice   unknown setting beside "version": leave it out', [fields({ monthlyPrice: "/x" })]],
  ['releases.macos   unknown setting beside "from": write "from" into each', [releases({ ...GITHUB, macos: {} })]],
  [
    'page       unknown setting beside "from": leave it out',
    [settings({ crossChecks: [{ facts: ["plans"], page: "https://acme.com", from: "stripe" }] })],
  ],
  [
    "crossChecks.0.tolerance   unknown setting; known here: facts, page, timeout",
    [settings({ crossChecks: [{ facts: ["plans"], page: "https://acme.com", tolerance: "5%" }] })],
  ],
  ['buy   unknown setting; did you mean "names.PLAN.buy"?', [settings({ buy: "https://acme.com" })]],
  ["history.maxAge   unknown setting; known here: keep, age", [settings({ history: { maxAge: "30d" } })]],
  [
    'product    unknown setting; write "variants": {',
    [plans({ ...STRIPE, from: "lemonsqueezy", plans: [{ id: "pro", product: "4711" }] })],
  ],
  [
    'unknown setting; did you mean "api.baseUrl"?',
    [settings({ baseUrl: "https://a.com" }), settings({ BASE_URL: "x" })],
  ],
  ['unknown setting; did you mean "baseUrl"?', ["baseURL", "base_url"].map((key) => api({ [key]: "https://a.com" }))],
  ['unknown setting; did you mean "api.name"?', [settings({ name: "Acme" })]],
  ['unknown setting; did you mean "port"?', [settings({ PORT: 3000 })]],
  ['unknown setting; did you mean "prereleases"?', [github({ prerelease: true })]],
  ['unknown setting; did you mean "priceIds"?', [stripe("rk_live_1", { plans: [{ id: "pro", priceId: "price_1" }] })]],
  ["unknown setting", [settings({ server: { port: 3000 } })]],
  ["unknown setting; known here: url, headers, pick, fields", [json({ path: "plans.json" })]],
  ["unknown setting; known here: path, fields, schedule", ["file", "url"].map((key) => plans({ ...FILE, [key]: "x" }))],
  ["unknown setting; known here: confirm, over, releaseOver,", [settings({ guard: { maxChange: 0.2 } })]],
  [
    "unknown setting; known here: repo, api, tag, since, asset",
    ["branch", "channel"].map((key) => github({ [key]: "x" })),
  ],
  ["unknown setting; known here: currency", [plans({ from: "none", url: "https://a.com" })]],
  [
    'unknown setting; write it into a source, beside its "from"',
    ["token", "headers", "prereleases"].map((key) => settings({ [key]: "$A" })),
  ],
  // Words of other tools
  ['unknown setting; write "schedule": "', ["cron", "interval"].map((key) => settings({ [key]: "15m" }))],
  ['unknown setting; write "staleAfter": "24h"', ["ttl", "max_age"].map((key) => settings({ [key]: 300 }))],
  ['unknown setting; write "notify": "$NOTIFY_URL"', ["webhook", "slack"].map((key) => settings({ [key]: "$HOOK" }))],
  ['unknown setting; write "plans" and "releases" without it', [settings({ sources: { plans: FILE } })]],
  ['pricing   unknown setting; write "plans"', [settings({ pricing: FILE })]],
  ['unknown setting; write "releases", with a source of', [settings({ publish: [{ provider: "github" }] })]],
  ['unknown setting; did you mean "releases.macos"?', [settings({ macos: FILE })]],
  ['unknown setting; did you mean "releases.windows"?', [settings({ win: FILE })]],
  ['unknown setting; write "plans"', ["products", "tiers"].map((key) => settings({ [key]: [] }))],
  ['unknown setting; write "schedule": "', ["refresh", "every"].map((key) => settings({ [key]: "1h" }))],
  ['unknown setting; write "host" and "port"', ["server", "listen"].map((key) => settings({ [key]: 3000 }))],
  [
    'unknown setting; write "snapshots"',
    ["database", "output", "store", "dataDir"].map((key) => settings({ [key]: "data" })),
  ],
  ['unknown setting; write "$NAME" where', ["env", "secrets"].map((key) => settings({ [key]: {} }))],
  ["unknown setting; write addresses that are reached directly", [settings({ proxy: "http://a" })]],
  [
    "unknown setting; write it into the source of the plans, or leave it out if",
    ["currency", "cycles"].map((key) => settings({ [key]: "EUR" })),
  ],
  ['unknown setting; write "releases", with a source of', [settings({ build: { appId: "a" } })]],
  ['unknown setting; write "releases": { "from": "github", "repo"', [settings({ repository: "acme/notes" })]],
  ["unknown setting; write --log text or --log json behind", [settings({ logging: { level: "debug" } })]],
  [
    /unknown setting; (?:leave it out: docs|known here: )/,
    ["locale", "redirects"].map((key) => settings({ [key]: "en" })),
  ],
  ['unknown setting; write "api": { "name": "Acme', [settings({ title: "Acme" }), api({ title: "Acme" })]],
  ['unknown setting; write "api": { "baseUrl":', [settings({ url: "https://a.com" }), api({ url: "https://a.com" })]],
  ['unknown setting; write "api": { "color":', [api({ theme: "dark" })]],
  ['unknown setting; write "api": { "logo":', [api({ favicon: "a.svg" })]],
  ['unknown setting; write "api": { "baseUrl":', [api({ basePath: "/facts" }), settings({ servers: [] })]],
  ["unknown setting; known here: name, description, baseUrl", [api({ links: {} })]],
  ['image   unknown setting; write "api": { "picture": "card.png" }', [api({ image: "card.png" })]],
  [
    "schedule   unknown setting; leave it out: they are asked once a day",
    [settings({ crossChecks: [{ facts: ["plans"], page: SITE, schedule: "@hourly" }] })],
  ],
  [
    "timezone   unknown setting; leave it out: schedules are in UTC",
    [settings({ timezone: "Europe/Berlin" }), plans({ ...FILE, timezone: "UTC" })],
  ],
  ["; leave the time zone out: schedules are in UTC", [settings({ schedule: "CRON_TZ=Europe/Berlin 0 8 * * *" })]],
  ["vitrine   unknown setting; write what is in it one level up", [settings({ vitrine: { port: 80 } })]],
  [
    'name   unknown setting; write what plans are called into "names"',
    [json({ fields: { ...FIELDS, name: "/name" } })],
  ],
  ["currency   unknown setting; leave it out: the facts have it", [plans({ ...FILE, currency: "EUR" })]],
  [
    "; it has quotes around it: remove them",
    [
      { SCHEDULE: '"*/15 * * * *"' },
      { BASE_URL: `"${OWN}"` },
      { PORT: "'80'" },
      { STALE_AFTER: '"24h"' },
      { HOST: '"127.0.0.1"' },
    ].map((values) => environment(values)),
  ],
  ["; write a year as 365d", [settings({ history: { age: "1y" } })]],
  ['; to hold nothing, write "guard": false', [settings({ guard: { over: "0s" } })]],
  ['did you mean "json"?', ["chargebee", "revenuecat"].map((from) => plans({ from }))],
  ['did you mean "command"?', [plans({ from: "module" })]],
  ['did you mean "electron-builder"?', [releases({ from: "generic" })]],
  ['names.pro.name   unknown setting; write "title"', [settings({ names: { pro: { name: "Pro" } } })]],
  ['unknown setting; write "line"', [settings({ names: { pro: { title: "Pro", description: "Teams" } } })]],
  ['unknown setting; write "buy"', [settings({ names: { pro: { title: "Pro", url: "https://a.com" } } })]],
  ['unknown setting; write "macos" and "windows" only', [releases({ macos: GITHUB, windows: "none", linux: GITHUB })]],
  [
    'unknown setting; write { "from": "github", "repo": "OWNER/REPO" }',
    [github({ owner: "acme" }), github({ repository: "a/b" })],
  ],
  ['unknown setting; write "key": "$NAME"', [stripe("rk_live_1", { apiKey: "$KEY" })]],
  ['unknown setting; write "token": "$NAME"', [github({ apiKey: "$KEY" })]],
  ['unknown setting; write "headers": {', ["auth", "token", "key"].map((key) => json({ [key]: "$KEY" }))],
  ['unknown setting; write "priceIds": {', [stripe("rk_live_1", { plans: [{ id: "pro", price: "price_1" }] })]],
  [
    'plans.plans.0.prices   unknown setting beside "product": leave it out, or "product"',
    [stripe("rk_live_1", { plans: [{ id: "pro", product: "prod_1", prices: { monthly: 1 } }] })],
  ],
  [
    'plans.plans.0.name   unknown setting; write "id", and what it is called into "names"',
    [stripe("rk_live_1", { plans: [{ name: "Pro", id: "pro", product: "prod_1" }] })],
  ],
  ['cors   unknown setting; write "api": { "origins": ["https://acme.com"] }', [settings({ cors: true })]],
  [
    /throttle {3}unknown setting; (?:leave it out: docs\/settings\.md lists all|known here: )/,
    [settings({ throttle: 5 })],
  ],
  [
    "durationMonths   must be of type number (it is missing)",
    [stripe("rk_live_1", { cycles: [{ key: "monthly", months: 1 }] })],
  ],
  [
    "savingBadge   must be given: null if there is none (it is missing)",
    [stripe("rk_live_1", { cycles: [{ key: "monthly", durationMonths: 1, labelKey: "m" }] })],
  ],
  [
    'annualPrice   must be given: there is no single cycle of 12 months, with "durationMonths": 12',
    [stripe("rk_live_1", { cycles: [CYCLES[0], { ...CYCLES[1], durationMonths: 365 }] })],
  ],
  [COMMAND, ["method", "body"].map((key) => json({ [key]: "POST" }))],
  [COMMAND, [plans({ from: "command", command: ["node"], args: ["facts.mjs"] })]],
  ["unknown setting; known here: command, env, timeout", [plans({ from: "command", command: ["node"], cwd: "x" })]],
  [
    `${KIND} (it is missing); instead of "owner", write { "from": "github"`,
    [releases({ owner: "acme", repo: "notes" })],
  ],
  [
    `${KIND} (it is missing); instead of "provider", write { "from": "electron-builder"`,
    [releases({ provider: "generic", url: "https://dl.acme.com" })],
  ],
  [
    `${KIND} (it is missing); instead of "endpoints", write { "from": "tauri"`,
    [releases({ endpoints: ["https://dl.acme.com"], pubkey: "x" })],
  ],
  [
    `${KIND} (it is missing); instead of "SUFeedURL", write { "from": "sparkle"`,
    [macos({ SUFeedURL: "https://dl.acme.com" })],
  ],
  [
    `${KIND} (it is missing); instead of "type", write "from": "file"`,
    [plans({ ...FILE, from: undefined, type: "file" })],
  ],
  [
    `${KIND} (it is missing); instead of "provider", write "from": "stripe"`,
    [plans({ ...STRIPE, from: undefined, provider: "stripe" })],
  ],
  [`${KIND} (it is missing); instead of "stripe", write "from": "stripe", and beside it`, [plans({ stripe: STRIPE })]],
  [
    `${KIND} (it is missing); instead of "currency", write the facts into a file`,
    [plans({ currency: "EUR", plans: [] })],
  ],
  [`${KIND} (it is missing); instead of "version", write the facts into a file`, [macos(MAC)]],
  [`${KIND} (it is missing); instead of "mac", write "macos"`, [releases({ mac: GITHUB, windows: "none" })]],
  [`${KIND} (it is missing); instead of "darwin", write "macos"`, [releases({ darwin: GITHUB, win32: GITHUB })]],
  [`${KIND} (it is missing); instead of "win", write "windows"`, [releases({ macos: GITHUB, win: "none" })]],
  [
    `${KIND} (it is missing); instead of "darwin-aarch64", write "macos"`,
    [releases({ "darwin-aarch64": GITHUB, "windows-x86_64": GITHUB })],
  ],
  [
    /; instead of "(macOS-x64|osx-arm64)", write "macos"/,
    ["macOS-x64", "osx-arm64"].map((key) => releases({ [key]: {} })),
  ],
  [
    /; instead of "(win32-x64|windows64)", write "windows"/,
    ["win32-x64", "windows64"].map((key) => releases({ [key]: {} })),
  ],
  [
    'unknown setting; write "macos" and "windows" only',
    [releases({ macos: GITHUB, windows: "none", "linux-amd64": "none" })],
  ],
  [
    '; instead of "url", write "page" for the address of a page',
    [{}, { from: "page" }].map((from) =>
      settings({ crossChecks: [{ facts: ["plans"], url: "https://a.com", ...from }] }),
    ),
  ],
  [`${KIND} (got "http"); did you mean "json"?`, [plans({ from: "http", url: "https://acme.com" })]],
  [`${KIND} (got "appcast"); did you mean "sparkle"?`, [macos({ from: "appcast", url: "https://acme.com" })]],
  [`${KIND} (got "yaml"); did you mean "command"?`, [plans({ from: "yaml", path: "plans.yml" })]],
  ['names: there is no plan "Pro" (the plans are pro)', [settings({ names: { Pro: { title: "Pro" } } })]],
  [SOURCE, [settings({ plans: [FILE] }), settings({ plans: "plans.json" })]],
  [SOURCE, [releases({ macos: null, windows: null }), releases([])]],
  [SOURCE, [false, null, "None"].map((plans) => settings({ plans }))],
  ['(got "github"), a source such as { "from": "github", "repo": "OWNER/REPO" }', [releases("github")]],
  [
    'a source such as { "from": "github", "repo": "acme/notes" }, or "none"',
    ["https://github.com/acme/notes.git", "github.com/acme/notes", "git@github.com:acme/notes"].map(releases),
  ],
  ['a source such as { "from": "gitlab", "project": "acme/notes" }', [releases("https://gitlab.com/acme/notes")]],
  ['a source such as { "from": "stripe", "key": "$NAME", … }', [settings({ plans: "stripe" })]],
  ['a source such as { "from": "json", "url": "https://…" }', [settings({ plans: "https://acme.com/plans.json" })]],
  [SOURCE, ["releases.json", "github:acme/notes", "https://github.com/acme/notes"].map(releases)],
  [/releases\.windows   must be .* source such as .* or "none"/, [releases({ macos: GITHUB })]],
  [/kinds of source \(it is missing\): file$/m, [plans({ path: "plans.json" })]],
  [/kinds of source \(it is missing\): command$/m, [plans({ command: ["node", "facts.mjs"] })]],
  [`${KIND} (it is missing): file, json, stripe, paddle`, [plans({ pro: 19 })]],
  [
    'must be of type string (it is missing), such as "OWNER/REPO"',
    [macos({ from: "github" }), macos({ from: "gitlab" })],
  ],
  ['write "plans" or "releases", with { "from": "stripe", "key"', [settings({ stripe: { key: "$KEY" } })]],
  ['write "macos" and "windows" only, in "releases"', [settings({ linux: "none" })]],
  [KIND, ["GitHub", "github.com", "git"].map((from) => macos({ from, repo: "acme/notes" }))],
  [KIND, [plans({ from: "module", path: "facts.mjs" })]],
  ['a source of kind "github" provides releases, not plans', [plans({ from: "github", repo: "acme/notes" })]],
  // Types
  [DURATION, [settings({ staleAfter: 86400 }), settings({ staleAfter: 24 }), json({ timeout: 30 })]],
  ["use a cron expression such as */15 * * * * (got 15)", [settings({ schedule: 15 })]],
  ['use "on", "off" or an address such as', [settings({ metrics: true }), settings({ metrics: 9464 })]],
  [
    "must be one glob, such as *-arm64.dmg; another platform",
    [["*.dmg"], { macos: "*" }].map((asset) => github({ asset })),
  ],
  ['must be an object such as { "title": "Pro" } (got "Pro")', [settings({ names: { pro: "Pro" } })]],
  [
    "must be of type object",
    [settings({ names: [{ id: "pro" }] }), settings({ api: "Acme" }), settings({ history: false })],
  ],
  [
    "must be of type object",
    [settings({ signing: "$KEY" }), json({ headers: ["a: b"] }), stripe("rk", { cycles: ["monthly"] })],
  ],
  ["must be of type array", [settings({ crossChecks: { facts: ["plans"] } }), api({ page: false })]],
  ["must be of type array", [stripe("rk_live_1", { plans: { pro: { product: "prod_1" } } })]],
  ["must be of type object", [settings({ history: 100 })]],
  ["must be true or false", [settings({ share: "yes" }), settings({ checkLink: "false" })]],
  ["must be true or false", [settings({ expressLane: 1 }), github({ prereleases: "no" })]],
  ["must be of type number", [settings({ guard: { confirm: "3" } })]],
  ['must be of type array (got "news"), such as ["news", "history", "use",', [api({ page: "news" })]],
  ['must be of type object, such as { "pro": { "title": "Pro",', [settings({ names: [{ id: "pro" }] })]],
  ['must be of type array, such as [{ "facts": ["macos"]', [settings({ crossChecks: {} })]],
  ['must be of type object, such as { "authorization": "Bearer $NAME" }', [json({ headers: ["accept: text/html"] })]],
  ['plans.plans   must be of type array, such as [{ "id": "pro"', [stripe("rk_live_1", { plans: { id: "pro" } })]],
  ["notify   no e-mail is sent: the variable must have an https URL", [settings({ notify: "ops@acme.example" })]],
  [/must be of type string.*such as "\$NOTIFY_URL"/, [settings({ notify: { url: "https://acme.com" } })]],
  ["use a whole number from 0 to 65535", ["3000", 70000, 3000.5].map((port) => settings({ port }))],
  ["use a whole number from 0 to 65535", [environment({ PORT: "http" })]],
  ['or an object such as { "off": ["price"] }; it is on by default', [true, "off"].map((guard) => settings({ guard }))],
  ['guard.off.0   must be "', [settings({ guard: { off: ["zzz"] } })]],
  ['must be "plans" or "price" or "currency" or "release" or', [settings({ guard: { off: ["prices"] } })]],
  ["must be at least 1.1", [settings({ guard: { priceFactor: 1 } })]],
  ["guard.over is not shorter than staleAfter", [settings({ guard: { over: "2d" }, staleAfter: "1d" })]],
  ["must be at least 0", [settings({ history: { keep: -1 } })]],
  ['must be of type number (got "all"), such as 100', [settings({ history: { keep: "all" } })]],
  [
    'must be of type array (got "plans"), such as ["plans"]',
    [settings({ crossChecks: [{ facts: "plans", page: "https://a.com" }] })],
  ],
  ['(got "https://acme.com"), such as ["…"]', [api({ origins: "https://acme.com" })]],
  [
    'must be of type object, such as { "monthly": "price_1Abc" }',
    [stripe("rk", { plans: [{ id: "pro", priceIds: ["price_1"] }] })],
  ],
  ['0   must be of type object (got "monthly"), such as { "key": "monthly",', [stripe("rk", { cycles: ["monthly"] })]],
  [
    'has "year", which is not among the cycles: monthly, annual',
    [stripe("rk", { plans: [{ id: "pro", priceIds: { year: "price_1" } }] })],
  ],
  ["names.pro.order   unknown setting; known here: title, line, buy", [settings({ names: { pro: { order: 1 } } })]],
  [
    "names.pro.buy has a secret in it: take a public address",
    [settings({ names: { pro: { buy: "https://acme.com/?token=a" } } })],
  ],
  ['instead of "arm64", write one source, with "arch"', [macos({ arm64: GITHUB, x64: GITHUB })]],
  ["must be that of the API: https://api.github.com", [github({ api: "https://github.com/acme/notes" })]],
  ["KEY is itself the name of a variable: give its value", ["$KEY", "${STRIPE_KEY}"].map((key) => stripe(key))],
  ["LOG_FORMAT   must be text or json", [environment({ LOG_FORMAT: "pretty" })], ["collect --dry-run"]],
  // Addresses
  [
    "must be an absolute http(s) URL without a user name",
    ["acme.com", "https//acme.com", " https://acme.com"].map((baseUrl) => api({ baseUrl })),
  ],
  ["must be an absolute http(s) URL without a user name", [api({ home: "www.acme.com" })]],
  ["must not have a query or fragment, or set BASE_URL", [api({ baseUrl: "https://acme.com/?a=1" })]],
  [
    "api.baseUrl has an address of the server in it, which links add: write https://acme.com",
    [api({ baseUrl: "https://acme.com/api/v1" })],
  ],
  ["api.baseUrl begins with http: write https, which browsers and", [api({ baseUrl: "http://facts.acme.com" })]],
  [PUBLIC, [environment({ BASE_URL: "http://localhost:3000", NODE_ENV: "production" })]],
  [PUBLIC, [environment({ NODE_ENV: "production" }, { api: { baseUrl: "http://127.0.0.1:3000" } })]],
  [PUBLIC, [settings({ host: "0.0.0.0", api: { baseUrl: "http://localhost:3000" } })]],
  ["use an e-mail address, or the http(s) URL of a page", [api({ contact: "sales at acme.com" })]],
  ["use https://host, without / at the end", [api({ origins: ["*"] })]],
  ['without / at the end (got "https://acme.com/")', [api({ origins: ["https://acme.com/"] })]],
  ["api.origins.0 is no pattern: list each origin by itself", [api({ origins: ["https://*.acme.com"] })]],
  ["api.name has markup, which readers see as it is", [api({ name: "<b>Acme</b>" })]],
  [
    "api.description has markup, which readers see as it is",
    ["- Plans and releases", "# Acme", "1. Plans", "Plans <b>now</b>"].map((description) => api({ description })),
  ],
  ["api.description has several lines: write one sentence", [api({ description: "Plans.\nAnd releases." })]],
  [
    "api.license is no SPDX identifier: write one such as CC-BY-4.0",
    ["All rights reserved", "MIT License", "© Acme"].map((license) => api({ license })),
  ],
  ["names.pro.buy   is http: must be https", [settings({ names: { pro: { buy: "http://acme.com/buy" } } })]],
  [
    "names.pro.buy   must begin with https://",
    ["/buy", "acme.com/buy", "mailto:a@acme.com"].map((buy) => settings({ names: { pro: { buy } } })),
  ],
  ["schedule has six fields, and so begins with the second", [settings({ schedule: "* * * * * *" })]],
  [
    "the command line or the environment has 1 problem\n  port   use a whole number from 0 to 65535, such as 3000, given as PORT",
    [environment({ PORT: "tcp://10.96.0.1:3000" })],
  ],
  [
    /the command line or the environment has 1 problem\n {2}host {3}the name eth0 has no address.*, given as HOST/,
    [environment({ HOST: "eth0" })],
    ["collect --dry-run"],
  ],
  ["use #rrggbb, such as #0f6e60", [api({ color: "green" }), api({ color: "0f6e60" })]],
  ["logo.jpg cannot be read", [api({ logo: "logo.jpg" })], ["collect --dry-run"]],
  ["logo.svg cannot be read", [api({ logo: "https://acme.com/logo.svg" })], ["collect --dry-run"]],
  ["overview.md cannot be read", [api({ overview: "overview.md" })], ["collect --dry-run"]],
  ['must be "news" or "history" or "use" or "agents" or "status"', [api({ page: ["faq"] })]],
  ["use some of search=yes, ai-input=yes, ai-train=no", [api({ contentSignal: "ai-train" })]],
  ['api.name   must not be empty (got "")', [api({ name: "" })]],
  ['api.name   must not be empty (got "   ")', [api({ name: "   " })]],
  ['api.description   must not be empty (got " ")', [api({ description: " " })]],
  ["api.home leads to this computer only", ["http://localhost:3000", "http://127.0.0.1/"].map((home) => api({ home }))],
  [
    "api.home is an example: give your own",
    ["https://example.com/", "https://www.example.org"].map((home) => api({ home })),
  ],
  ["api.contact is an example: give your own", [api({ contact: "sales@example.com" })]],
  [
    "names.pro.buy is a link of the test mode",
    [settings({ names: { pro: { title: "Pro", buy: "https://buy.stripe.com/test_1" } } })],
  ],
  ["api.name   must be at most 100 characters", [api({ name: "x".repeat(101) })]],
  ["api.name begins or ends with a space: remove it", [api({ name: "Acme " })]],
  [
    'plans.url has a secret in it: send it as one of the "headers",',
    ["plans?api_key=sk_live_123456", "sk_live_51Habcdefghijklmn"].map((path) =>
      json({ url: `https://127.0.0.1:9/${path}` }),
    ),
  ],
  [
    "crossChecks.0.page has a secret in it: take a public address",
    [settings({ crossChecks: [{ facts: ["plans"], page: "https://127.0.0.1:9/pricing?secret=q" }] })],
  ],
  [
    /crossChecks\.0 asks what (plans|releases\.macos) asks, and so always agrees: name/,
    [
      { facts: ["plans"], ...FILE },
      { facts: ["macos"], from: "file", path: "macos.json" },
    ].map((one) => settings({ crossChecks: [one] })),
  ],
  [
    "the environment variable KEY has a webhook's secret or an id, which is no API key",
    ["whsec_1", "prod_1", "acct_1"].map((key) => stripe(key)),
  ],
  [
    "the environment variable TOKEN has quotes or a space around it:",
    ['"abc"', "'abc'", "abc "].map((one) => bearer(one)),
  ],
  ["the environment variable TOKEN begins with Bearer itself:", [bearer("Bearer abc")]],
  ["plans.headers.accept encoding   is not a header name", [json({ headers: { "accept encoding": "gzip" } })]],
  ["must start with /, such as /data/plans", [json({ pick: "data.plans" })]],
  [REFERENCE, [plans({ ...STRIPE, key: "sk_live_1" })]],
  [
    "must be an https origin such as https://dl.acme.com, without a",
    [settings({ standIns: { "https://dl.acme.com/a": "http://127.0.0.1:1" } })],
  ],
  // Repositories and files
  ['use owner/name without ".git"', [github({ repo: "acme/notes.git" })]],
  [
    "use owner/name, such as acme/notes",
    ["https://github.com/acme/notes", "notes", "acme/notes/releases", "@acme/notes"].map((repo) => github({ repo })),
  ],
  [
    GLOB,
    [".*\\.dmg$", "Notes-[0-9]+.dmg", "(arm64|x64).dmg", "*.{dmg,pkg}", "/\\.dmg/"].map((asset) => github({ asset })),
  ],
  [`${GLOB} for a character, as in v*`, ["^v[0-9]", "v*.{0,1}"].map((tag) => github({ tag }))],
  ["tag   has a placeholder: write * in its place, as in v*", [github({ tag: "v{version}" })]],
  ["tag   must be one glob, such as v*", [github({ tag: ["v4.*", "v5.*"] })]],
  [
    'use { "macos": "none", "windows": … }, or another source for macOS',
    [macos({ from: "autoupdater", url: "https://127.0.0.1:9/update.xml" })],
  ],
  [
    "releases.macos.asset names an installer for another platform",
    ["*.exe", "*.AppImage", "*-win.zip"].map((asset) => github({ asset })),
  ],
  [
    "is the name of a file, without the address in front of it",
    [github({ asset: "https://github.com/acme/notes/releases/download/v1/Notes.dmg" })],
  ],
  ['must be "universal" or "arm64" or "x64" or "ia32"', ["amd64", "x86_64"].map((arch) => github({ arch }))],
  ['must be a day such as "2026-01-31", or a time', ["31.01.2026", "last week"].map((since) => github({ since }))],
  ["releases.macos.since is in the future, so no release counts", [github({ since: "2062-01-31" })]],
  ["must end before /repos/, which every request adds", [github({ api: "https://api.github.com/repos/acme/notes" })]],
  [
    "releases.windows.url is a folder: write the file in it, such as latest.yml",
    [releases({ macos: "none", windows: { from: "electron-builder", url: "https://127.0.0.1:9/" } })],
  ],
  [
    "releases.macos.url is a folder: write the file in it, such as latest-mac.yml",
    [macos({ from: "electron-builder", url: "https://127.0.0.1:9/" })],
  ],
  ["plans.url has a placeholder: fill it in", [json({ url: "https://127.0.0.1:9/{{env}}/plans" })]],
  [
    'url has {{target}}: use { "macos": …, "windows": … }',
    [releases({ from: "tauri", url: "https://127.0.0.1:9/{{target}}" })],
  ],
  [
    "url has a placeholder that is none of {{target}}, {{arch}}",
    [macos({ from: "tauri", url: "https://127.0.0.1:9/{{kind}}" })],
  ],
  ["releases.macos.repo is still OWNER/REPO: write yours, such as", [github({ repo: "OWNER/REPO" })]],
  [
    "plans.plans has two plans of one product, which get the same prices",
    [stripe("rk_live_1", { plans: [STRIPE.plans[0], { id: "team", product: "prod_1" }] })],
  ],
  ["must end before /v1 or /prices, which requests add", [stripe("rk_live_1", { api: "https://api.stripe.com/v1" })]],
  [
    "must end before /api, which every request adds",
    [macos({ from: "gitea", url: "https://codeberg.org/api/v1", repo: "acme/notes" })],
  ],
  ["must be an id such as prod_Abc", [stripe("rk_live_1", { plans: [{ id: "pro", product: "price_1Abc" }] })]],
  ['must not repeat the id "pro"', [stripe("rk_live_1", { plans: [...STRIPE.plans, ...STRIPE.plans] })]],
  [
    "use group/project, such as acme/notes, or its number, such as",
    ["https://gitlab.com/acme/notes", "acme", "acme/", "acme/notes?x"].map((project) =>
      macos({ from: "gitlab", project }),
    ),
  ],
  [
    'releases.macos.url has the repository in it, which "project"',
    [macos({ from: "gitlab", url: "http://127.0.0.1:9/acme/notes", project: "acme/notes" })],
  ],
  [
    'releases.macos.url has the repository in it, which "repo"',
    [macos({ from: "gitea", url: "http://127.0.0.1:9/acme/notes", repo: "acme/notes" })],
  ],
  [
    `snapshots ${SHELL}`,
    ["~/data", "$HOME/data", "~acme/data", "$DATA", "${DATA}"].map((snapshots) => settings({ snapshots })),
  ],
  [
    `snapshots ${FOREIGN_PATH}`,
    ["C:\\data", "D:/data", "\\\\nas\\data", "file:///C:/data"].map((snapshots) => settings({ snapshots })),
  ],
  [`snapshots ${FOREIGN_PATH}`, ["C:\\data", '"/srv/data"'].map((SNAPSHOTS) => environment({ SNAPSHOTS }))],
  [`plans.path ${FOREIGN_PATH}`, [file("product\\plans.json")]],
  [
    "api.logo must be the path of a file, not a URL",
    ["https://acme.com/a.svg", "data:image/svg+xml,x", "file:///a.svg"].map((logo) => api({ logo })),
  ],
  [': for a URL, write "from": "json"', [file("https://acme.com/plans.json")]],
  [": write the path without file://", [file("file:///plans.json")]],
  ["must not be empty", [settings({ snapshots: "" })]],
  ["lastCopy is used as it stands, ~ and $NAME too", [settings({ lastCopy: "~/copy" })]],
  ["plans.path is used as it stands, ~ and $NAME too", [file("~/plans.json")]],
  [/the file does not exist \(\/.*\/(Plans.json|plans.yaml)\)/, ["Plans.json", "plans.yaml"].map(file)],
  ["plans.path begins or ends with a space", [file("plans.json ")]],
  ["the file is not a regular file", [file(".")]],
  [
    'plans.command.1 has a secret in it: give it in "env", as "$NAME"',
    ["https://127.0.0.1:9/?token=q", "--key=sk_live_1", `--api-key=a${"1".repeat(20)}`, "Authorization: Bearer x"].map(
      argument,
    ),
  ],
  [
    "plans.command.1 is used as it stands, ~ and $NAME too: write the",
    ["${TOKEN}", "--file=$HOME/facts.json", "~/facts.mjs", "Authorization: Bearer $TOKEN"].map(argument),
  ],
  ['must be a list, such as ["node", "facts.mjs"]', [plans({ from: "command", command: "node facts.mjs" })]],
  [
    "node facts.mjs is no program: write a list with an entry for each",
    [plans({ from: "command", command: ["node facts.mjs"] })],
  ],
  [
    "a variable cannot stand before the program: give it in",
    [plans({ from: "command", command: ["TOKEN=x", "node", "facts.mjs"] })],
  ],
  ["./nowhere.mjs does not exist", [plans({ from: "command", command: ["./nowhere.mjs"] })]],
  ["use lowercase letters, digits and hyphens, such as acme-notes", [settings({ product: "Acme Notes" })]],
  // Payments
  ["must be three letters such as USD", [stripe("rk_live_1", { currency: "€" })]],
  ["must be of type number", [stripe("rk_live_1", cycles({}, { durationMonths: "12" }))]],
  // Facts
  ['it is a list alone: put it into { "currency": ..., "cycles": [...], "plans"', [{ plans: [] }]],
  ["currency: must be of type string (it is missing); cycles: must", [{ plans: { plans: [PRO] } }]],
  [
    'plan "pro": 12 months cost less than one: are the two swapped?',
    [cycles({ durationMonths: 12 }, { durationMonths: 1 }), priced(190, 19)],
    [],
    "warnings",
  ],
  ['plan "pro": the price "monthly" is for no cycle', [cycles({ key: "month" })], [], "warnings"],
  [
    'cycle "annual": durationMonths is 365: write 12 for it',
    [cycles({ durationMonths: 30 }, { durationMonths: 365 })],
    [],
    "warnings",
  ],
  [
    'plan "pro": the price "yearly" is for no cycle: write monthly or annual in "prices"',
    [plan({ prices: { monthly: 19, yearly: 190 } })],
    [],
    "warnings",
  ],
  [
    'the badge of the cycle "annual" says dearer, but plan "pro"',
    [cycles({ savingBadge: "17%" }, { savingBadge: "+17%" })],
    [],
    "warnings",
  ],
  [
    "plans[0].monthlyPrice: must be of type number, not string",
    ["19", "19 €"].map((monthlyPrice) => plan({ monthlyPrice })),
  ],
  ['plans: must not repeat the id "pro"', [{ plans: { currency: "EUR", cycles: CYCLES, plans: [PRO, PRO] } }]],
  ['cycles: must not repeat the key "monthly"', [cycles({}, { key: "monthly" })]],
  ["plans[0].prices.*: has a key that must be 1 to 64", [plan({ prices: { "per month": 19 } })]],
  ["plans[0].prices.monthly: must be of type number, not string", [plan({ prices: { monthly: "19", annual: 190 } })]],
  [
    "all prices are whole and large: are they cents? Then write 19.99",
    [priced(1900, 19000), priced(1999, 19999)],
    [],
    "warnings",
  ],
  [
    "plans[0].monthlyPrice: must be at least 0: leave out a plan whose price is on request",
    [-19, -1, null, "Contact us"].map((monthlyPrice) => plan({ monthlyPrice })),
  ],
  [
    "plans[0].creditsMonthly: must be at least 0: null if credits are not counted",
    [-1, "unlimited"].map((creditsMonthly) => plan({ creditsMonthly })),
  ],
  ["cycles[1].durationMonths: must be at least 1: 1200 for what is paid once", [cycles({}, { durationMonths: 0 })]],
  ['cycle "lifetime": durationMonths is 12: write 1200 for it', [cycles({}, { key: "lifetime" })], [], "warnings"],
  [
    'no plan has a price for the cycle "quarterly"',
    [cycles({}, { key: "quarterly", durationMonths: 3 })],
    [],
    "warnings",
  ],
  ["are the two swapped? If it is a month's share, write what", [priced(19, 15.83)], [], "warnings"],
  ['plan "pro": monthlyPrice differs from the price of the cycle of', [plan({ monthlyPrice: 29 })], [], "warnings"],
  [
    'several plans are marked popular: "pro", "team"; leave one',
    [{ plans: { currency: "EUR", cycles: CYCLES, plans: [PRO, { ...PRO, id: "team" }] } }],
    [],
    "warnings",
  ],
  ["plans[0].popular: must be true or false, not string", [plan({ popular: "true" })]],
  ["plans[0].id: must be 1 to 64 of A-Z a-z 0-9 . _ : - and begin", [plan({ id: "Pro Plan" })]],
  ["plans[0].creditsMonthly: must be of type number, not string", [plan({ creditsMonthly: "2000" })]],
  ["plans[0].creditsMonthly: must be given: null if there is none", [plan({ creditsMonthly: undefined })]],
  [/plans\[0\]\.price|1 unlisted field/, [plan({ price: 19 })]],
  [
    /the currency "(€|EURO)" is not an ISO 4217 code: write EUR/,
    ["€", "EURO"].map((currency) => ({ plans: { currency, cycles: CYCLES, plans: [PRO] } })),
    [],
    "warnings",
  ],
  [
    "the file's name is that of no installer for macos",
    ["exe", "dmg.blockmap", "AppImage"].map((extension) => link(`https://dl.acme.com/Notes-4.2.1.${extension}`)),
    [],
    "warnings",
  ],
  ["latest.downloadURL: is http: must be https", [link("http://dl.acme.com/Notes-4.2.1.dmg")]],
  ["latest.downloadURL: must begin with https://", ["dl.acme.com/Notes-4.2.1.dmg", "/Notes-4.2.1.dmg"].map(link)],
  ["latest.downloadURL: has a user name or password", [link("https://a:b@dl.acme.com/Notes-4.2.1.dmg")]],
  [
    /it has "(mac|osx|darwin|macOS)": call it "macos"/,
    ["mac", "osx", "darwin", "macOS"].map((key) => ({ macos: { [key]: MAC } })),
  ],
  [
    /it has "(url|downloadUrl)": call it "downloadURL"/,
    ["url", "downloadUrl"].map((key) => ({ macos: { version: "4.2.1", [key]: "https://x" } })),
  ],
  [
    'must be { "version": "4.2.1", "downloadURL": "https://dl.acme.com/Notes.dmg" }, or null',
    ["none", false, {}, []].map((macos) => ({ macos })),
  ],
  ["the file's name says 4.1.0, and its release 4.2.1", [link("https://dl.acme.com/Notes-4.1.0.dmg")], [], "warnings"],
  [
    "downloadURL leads to a page: give the link of the file",
    [link("https://github.com/acme/notes/releases")],
    [],
    "warnings",
  ],
  [
    "downloadURL leads to this computer only",
    ["http://localhost:8080", "https://127.0.0.1", "https://[::ffff:127.0.0.1]"].map((origin) =>
      link(`${origin}/Notes-4.2.1.dmg`),
    ),
    [],
    "warnings",
  ],
  [
    "downloadURL has a placeholder: a template that was not filled",
    [link("https://dl.acme.com/Notes-{{version}}.dmg")],
    [],
    "warnings",
  ],
  ["the file's name says 4.2.1, and its release latest", [mac({ version: "latest" })], [], "warnings"],
  ["the file's name says 4.2.1, and its release {{version}}", [mac({ version: "{{version}}" })], [], "warnings"],
  ["latest.version: must be of type string, not number", [mac({ version: 4.2 })]],
  ["the version has spaces", [mac({ version: "4.2.1 " })], [], "warnings"],
  ["version has a comma: write 4.2.1", [mac({ version: "4,2,1" })], [], "warnings"],
  ["size is not a number of bytes such as 104857600: left out", [mac({ size: "104 MB" }), mac({ size: 104.2 })]],
  [
    "size is not a number of bytes such as 104857600: left out",
    [
      {
        ...macos({ from: "file", path: "macos.json", fields: { ...OF_RELEASE, size: "/size" } }),
        ...mac({ url: MAC.downloadURL, size: "12 MB" }),
      },
    ],
  ],
  ["size is 104 bytes, which is too small for an installer", [mac({ size: 104 })]],
  ["changelog has markup, which readers see as it is", [mac({ changelog: "<ul><li>Faster</li></ul>" })]],
  ["changelog is a link only: write what has changed", [mac({ changelog: "https://acme.com/changelog" })]],
  ["version is a prerelease, and read as the latest release", [mac({ version: "4.2.1-beta.1" })]],
  [
    "arch is x64, and the file's name says arm64",
    [mac({ arch: "x64", downloadURL: "https://dl.acme.com/Notes-4.2.1-arm64.dmg" })],
  ],
  [
    "the file's name says 4.1.0, and its release 4.2.1",
    [mac({ files: [{ url: "https://dl.acme.com/Notes-4.1.0-x64.dmg", arch: "x64" }] })],
  ],
  ["date has its day and month in doubt: write 2026-11-02", [mac({ date: "02/11/2026" })], [], "warnings"],
  ["date names a day or a time that does not exist", [mac({ date: "2026-13-45" })], [], "warnings"],
  ["date is none for who reads it later: write a day such as", [mac({ date: "2 days ago" })], [], "warnings"],
  ["date is in the future", [mac({ date: "2062-11-02" })], [], "warnings"],
  ["latest.date: must be of type string, not number", [mac({ date: 20261102 })]],
  ['latest.platform: must be "macos" or "windows"', [mac({ platform: "mac" })]],
  ["latest.platform: must be macos", [mac({ platform: "windows" })]],
  ["forceUpdate: must be true or false, not string", [mac({ forceUpdate: "no" })]],
  [/latest\.url|1 unlisted field/, [mac({ url: "https://x" })]],
  ["latest.changelog: must be of type string, not array", [mac({ changelog: ["Faster"] })]],
  ["hasUpdate: must be true or false", [{ macos: { hasUpdate: "true", ...MAC } }]],
  // Text; more mistakes of JSON are in cli.process.test.ts.
  [NOT_JSON, [{ text: "the settings" }, { text: "'{}'" }]],
  ["is YAML: write it as JSON", ["api:\n  name: Acme", "---\napi:", "# ours\napi: {}"].map((text) => ({ text }))],
  ["is TOML: write it as JSON", ['[api]\nname = "Acme"', 'host = "::"'].map((text) => ({ text }))],
  ["is JavaScript: write it as JSON", ["module.exports = {}", "export default {}"].map((text) => ({ text }))],
  ["is HTML or XML: write it as JSON", ["<!doctype html>", "<api/>"].map((text) => ({ text }))],
  ["NAME=VALUE, which belong into the environment", ["PORT=3000", "export PORT=3000"].map((text) => ({ text }))],
  ["is a text such as Markdown: settings are JSON", [{ text: "# Settings\n\nOurs." }]],
  [
    "is in Base64: decode it first",
    [{ text: Buffer.from('{ "plans": "none", "releases": "none" }').toString("base64") }],
  ],
  ["is a pointer of Git LFS: fetch the file", [{ text: "version https://git-lfs.github.com/spec/v1\nsize 1\n" }]],
  ["is empty: fill it in, or remove it and", ["", " \n"].map((text) => ({ text }))],
  [
    "is encrypted: decrypt it first",
    [
      { text: Buffer.from("\0GITCRYPT\0\xfe", "latin1") },
      { text: '{ "api": { "name": "ENC[AES256_GCM,data:Z3sN,type:str]" }, "sops": {} }' },
    ],
  ],
  ["is the schema of the settings: name the file", [{ text: '{\n  "$comment": "Vitrine 1.0.0"\n}' }]],
  [
    "line 2: not valid JSON; a merge conflict is not resolved: keep one side",
    ["<<<<<<< HEAD", "=======", ">>>>>>> ours"].map((mark) => ({ text: `{\n${mark}\n"port": 1 }` })),
  ],
  ["an invisible character is outside of the texts, U+00A0: remove it", [{ text: '{\u00a0"port": 1 }' }]],
  ["not valid JSON; write a colon instead of =", ['{ "port" = 1 }', '{ "port"= 1 }'].map((text) => ({ text }))],
  ["a comment begins with //, not with #", ["# ours\n{}", '{ "port": 1, # ours\n }'].map((text) => ({ text }))],
  [
    "a template is not filled in: write the value itself",
    ["${PORT}", "$PORT", "{{ port }}", "<%= port %>"].map((port) => ({ text: `{ "port": ${port} }` })),
  ],
  [
    'unknown setting; write it as "name" in "api": { … }',
    [settings({ "api.name": "Acme" }), settings({ api: undefined, "api.name": "Acme" })],
  ],
  ['unknown setting; write it as "title" in "pro" in "names": { … }', [settings({ "names.pro.title": "Pro" })]],
  [/""   unknown setting; leave it out/, [settings({ "": "ours" })]],
  ["the other values are numbers, true, false and null", [{ text: '{ "share": True }' }]],
  ["a name in double quotes is expected", [{ text: '{ "plans": "none",, "releases": "none" }' }]],
  ["must be a JSON object", [{ text: "null" }]],
  ["is not in UTF-8: save it in that encoding", [{ text: Buffer.from('{ "name": "Acmé" }', "latin1") }]],
  ["is not in UTF-8: save it in that encoding", [{ text: Buffer.from('\uFEFF{ "name": "Acme" }', "utf16le") }]],
  [
    "option --config is given twice; leave one",
    [{ words: ["--config", "vitrine.config.json", "--config", "other.json"] }],
  ],
  ["the file does not exist: correct --config", [{ words: ["--config", "nowhere.json"] }]],
  ["the file does not exist: correct VITRINE_CONFIG", [environment({ VITRINE_CONFIG: "nowhere.json" })]],
  [
    "is a directory, which Docker makes where a file is missing: name a file with --config",
    [{ words: ["--config", "."] }],
  ],
  // Choices that say two things
  [
    'releases.macos.asset names an installer for another processor than "arch"',
    [github({ asset: "*-arm64.dmg", arch: "x64" }), github({ asset: "*-amd64-mac.zip", arch: "arm64" })],
  ],
  [
    "asks this server itself, which only repeats what is published",
    [
      settings({ api: { baseUrl: OWN }, crossChecks: [{ facts: ["plans"], page: `${OWN}/` }] }),
      { ...json({ url: `${OWN}/api/v1/plans` }), environment: { BASE_URL: OWN } },
    ],
  ],
  [
    "; did you mean https://acme.com?",
    ["https://www.acme.com", "https://acme.co"].map((origin) => standIn({ [origin]: LOCAL })),
    ["collect --dry-run", "start"],
  ],
  [
    `standIns: https://acme.com is what a source asks: write it first, and ${LOCAL}`,
    [standIn({ [LOCAL]: SITE })],
    ["collect --dry-run", "start"],
  ],
  ["without a path or *", [standIn({ "https://*.acme.com": LOCAL })]],
  [
    /plans\.command\.2 is an argument here: there is no shell; put the line into a/,
    ["|", "&&", ">", "2>/dev/null"].map((word) => plans({ from: "command", command: ["node", "a.mjs", word, "b"] })),
  ],
  ["use some of search=yes, ai-input=yes, ai-train=no", [api({ contentSignal: "ai-training=no" })]],
  [
    /releases\.macos\.(?:asset|tag) takes one release only: write (?:Notes-\*-arm64\.dmg|v\*)/,
    [github({ asset: "Notes-4.2.0-arm64.dmg" }), github({ tag: "v4.2.0" })],
  ],
  [
    "guard.releaseOver counts only between guard.over and half of",
    [{ releaseOver: "48h" }, { over: "6h", releaseOver: "1h" }].map((guard) => settings({ guard })),
  ],
  ["guard.priceFactor has no effect while", [settings({ guard: { priceFactor: 2, off: ["price"] } })]],
  ["history.age is less than an hour: m is for minutes", [settings({ history: { age: "13m" } })]],
  [
    "names.pro.buy is the link of another plan",
    [settings({ names: { pro: { buy: `${SITE}/buy/team` }, team: { title: "Team" } } })],
  ],
  ["names: two plans are called the same", [settings({ names: { pro: { title: "A" }, team: { title: "A" } } })]],
  ["names.pro.title has markup, which readers see", [settings({ names: { pro: { title: "<b>Pro</b>" } } })]],
  [
    'crossChecks.0 has nothing to compare with its page: the facts are "none"',
    [settings({ crossChecks: [{ facts: ["windows"], page: `${SITE}/pricing` }] })],
  ],
  [PUBLIC, [api({ baseUrl: "http://0.0.0.0:3000" })]],
  ["has a placeholder: fill it in", [api({ baseUrl: "https://YOUR-DOMAIN" }), api({ home: "https://YOUR_SITE/" })]],
  ["url has {target}: write {{target}}", [macos({ from: "tauri", url: "https://127.0.0.1:9/{target}" })]],
  [
    "and no other placeholder",
    ["${version}", "%VERSION%", "*"].map((version) =>
      releases({ macos: "none", windows: { ...SQUIRREL, installer: `Notes-${version}-Setup.exe` } }),
    ),
  ],
  [
    /(?:SIGNING_KEY|NOTIFY_URL|VITRINE_DEMO) is not read: no setting refers to it/,
    ["SIGNING_KEY", "NOTIFY_URL", "VITRINE_DEMO"].map((name) => environment({ [name]: "x" })),
    ["collect --dry-run", "start"],
  ],
  [
    /(?:TRUST|GUARD|CHECK_LINK) is not read: write (?:trust|guard|checkLink) into the settings/,
    ["TRUST", "GUARD", "CHECK_LINK"].map((name) => environment({ [name]: "x" })),
    ["collect --dry-run", "start"],
  ],
  [
    / is not read: did you mean (?:VITRINE_CONFIG|SCHEDULE|BASE_URL|METRICS|--log json or --log text behind the command)\?/,
    ["CONFIG_FILE", "CRON", "PUBLIC_URL", "METRICS_PORT", "LOG"].map((name) => environment({ [name]: "x" })),
    ["collect --dry-run", "start"],
  ],
  [
    "is not read: for a store in Redis, set SNAPSHOTS=redis://HOST:PORT/0/NAME",
    ["REDIS_URL", "REDIS_HOST", "REDIS_PASSWORD"].map((name) => environment({ [name]: "x" }, { snapshots: undefined })),
    ["collect --dry-run", "start"],
  ],
  [
    "is not read: for a store in S3, set SNAPSHOTS=s3://BUCKET/NAME",
    ["S3_BUCKET", "AWS_BUCKET"].map((name) => environment({ [name]: "x" }, { snapshots: undefined })),
    ["collect --dry-run", "start"],
  ],
  [
    "host is 127.0.0.1, which nothing outside of this container reaches: set HOST=0.0.0.0",
    ["RENDER", "DYNO", "KUBERNETES_SERVICE_HOST"].map((name) => environment({ [name]: "x", PORT: "0" })),
  ],
  ["forge facts: unset it, and name the certificates", [environment({ NODE_TLS_REJECT_UNAUTHORIZED: "0" })]],
  ["snapshots is used as it stands, %h and the like too: write", [environment({ SNAPSHOTS: "%h/vitrine" })], ["start"]],
  ["lastCopy   is no switch: write the path of a directory", [environment({ LAST_COPY: "true" })], UNSERVED, "follow"],
  [
    /lastCopy {3}.*plans\.json is a file: write the path/,
    [environment({ LAST_COPY: "plans.json" })],
    UNSERVED,
    "follow",
  ],
  [
    "NOTIFY_URL is not set, and NOTIFY_URL_FILE is not read: set NOTIFY_URL",
    [{ settings: { notify: "$NOTIFY_URL" }, environment: { NOTIFY_URL_FILE: "/run/secrets/url" } }],
    ["collect --dry-run", "start"],
  ],
  ["is not read: did you mean SNAPSHOTS?", [environment({ SNAPSHOTS_DIR: "data" })]],
  ["is not read: did you mean VITRINE_CONFIG?", [environment({ VITRINE_CONFIG_FILE: "other.json" })]],
  ["KEY has a key that may do everything", [stripe("sk_live_1")]],
  ["KEY has a secret of github, and is sent to stripe", [stripe("ghp_1")]],
  [
    "KEY has a secret of stripe, and is sent to github",
    [{ ...github({ token: "$KEY" }), environment: { KEY: "rk_live_1" } }],
  ],
  ["api.baseUrl is an example: give your own", [api({ baseUrl: "https://example.com" })]],
  [
    "api.baseUrl has the port of this server, which speaks http",
    [settings({ port: 4443, api: { baseUrl: `${OWN}:4443` } })],
  ],
  [
    "api.baseUrl is missing, so every link leads to this computer",
    [settings({ host: "0.0.0.0", api: { name: "Acme" } })],
  ],
  ["api.home begins with http: write https", [api({ home: "http://acme.com" })]],
  [
    "names.pro.buy is no link for customers: give one that lasts",
    ["https://checkout.stripe.com/c/pay/cs_live_1", "https://dashboard.stripe.com/products/prod_1"].map((buy) =>
      settings({ names: { pro: { buy } } }),
    ),
  ],
  ["guard.priceFactor is a factor: for changes of 20 % write 1.2", [settings({ guard: { priceFactor: 20 } })]],
  ["releases.macos.pinned has no effect: nothing is left out", [github({ pinned: true })]],
  [
    "the environment variable HTTPS_PROXY is not read: sources and download links must be reached directly",
    [{ ...json({}), environment: { HTTPS_PROXY: "http://127.0.0.1:9" } }],
    ["collect --dry-run", "start"],
  ],
  ["KEY has a placeholder: fill it in", ["rk_live_...", "<key>", "YOUR_KEY", "sk_xxxxxxxx"].map((key) => stripe(key))],
  [
    "KEY has no name and password, NAME:PASSWORD, in Base64",
    [{ ...json({ headers: { authorization: "Basic $KEY" } }), environment: { KEY: "tok_1" } }],
  ],
  [
    "plans.plans.0 has one price for two cycles",
    [stripe("k", { from: "lemonsqueezy", plans: [{ id: "pro", variants: { monthly: "1", annual: "1" } }] })],
  ],
  [
    'plans.path   is where a snapshot is written: keep your facts in another folder than "snapshots" and',
    [settings({ snapshots: "." }), settings({ lastCopy: ".", snapshots: "data" })],
    ["collect"],
  ],
  ["snapshots is the path of a folder: write it as one", [settings({ snapshots: ":memory:" })]],
  // Left unfilled, kept twice, or of this server itself
  ["api.name has a placeholder: fill it in", ["{{ name }}", "<APP_NAME>", "YOUR APP"].map((name) => api({ name }))],
  ["releases.macos.repo has a placeholder", [macos({ from: "github", repo: "your-org/your-app" })]],
  ["api.home leads to this server: give the product's site", [api({ name: "Acme", baseUrl: OWN, home: `${OWN}/` })]],
  ["api.page.1 is in the list twice: leave it out", [api({ name: "Acme", page: ["news", "news"] })]],
  [
    "line has a price, which no collection keeps true",
    [settings({ names: { pro: { line: "Only 9.99 EUR a month" } } })],
  ],
  [
    "names: two plans have one payment link",
    [
      settings({
        names: { pro: { buy: "https://buy.stripe.com/1abc" }, team: { buy: "https://buy.stripe.com/1abc" } },
      }),
    ],
  ],
  ['names.pro.buy   must be of type string, such as "https://', [settings({ names: { pro: { buy: {} } } })]],
  ["staleAfter serves what nobody confirms for 365 d: write less", [settings({ staleAfter: "365d" })]],
  [
    "asks this server itself",
    [
      settings({
        api: { name: "Acme", baseUrl: OWN },
        crossChecks: [{ facts: ["plans"], page: `${OWN}/pricing.md` }],
      }),
    ],
  ],
  [
    "releases.windows.url has no windows, whose feed is another one, such as latest.yml",
    [releases({ macos: "none", windows: { from: "electron-builder", url: "https://127.0.0.1:9/latest-mac.yml" } })],
  ],
  [
    'plans reads releases of GitHub: write "from": "github" and "repo": "acme/notes"',
    [plans({ ...JSON_SOURCE, url: "https://api.github.com/repos/acme/notes/releases/latest" })],
  ],
  [
    'releases.macos.url is a feed of sparkle: write "from": "sparkle"',
    [macos({ from: "tauri", url: "https://127.0.0.1:9/appcast.xml" })],
  ],
  [
    'releases.macos.url is a feed of electron-builder: write "from": "electron-builder"',
    [macos({ from: "sparkle", url: "https://127.0.0.1:9/latest-mac.yml" })],
  ],
  ["api.home is an example: give your own address", [api({ name: "Acme", home: "https://acme.example" })]],
  ["api.name is missing, so readers see", [api({ baseUrl: OWN })], ["start", "collect --dry-run"]],
  [
    "api.baseUrl has no name of a host",
    ["https://api..acme.com", "https://*.acme.com"].map((baseUrl) => api({ baseUrl })),
  ],
  ["api.baseUrl begins with https:// twice", [api({ baseUrl: "https://https://api.acme.com" })]],
  [
    "an address of the server in it, which links add: write https://acme.com/facts",
    [api({ baseUrl: "https://acme.com/facts/mcp" }), api({ baseUrl: "https://acme.com/facts/openapi.json" })],
  ],
  ["api.contact is read by nobody", [api({ name: "Acme", contact: "noreply@acme.com" })]],
  ["api.license is no SPDX identifier", ["LICENSE", "GPLv3"].map((license) => api({ name: "Acme", license }))],
  ["api.overview is published as it is: write the path of", [api({ name: "Acme", overview: "vitrine.config.json" })]],
  [
    "names: two plans are called the same",
    [settings({ names: { pro: { title: "Pro", line: "a" }, one: { title: "Pro" } } })],
  ],
  ["title has markup", ["Pro &amp; Team", "**Pro**"].map((title) => settings({ names: { pro: { title } } }))],
  ['names has no effect, for plans are "none"', [settings({ plans: "none", names: { pro: { title: "Pro" } } })]],
  [
    'plans and releases are "none", so nothing is published',
    [settings({ plans: "none", releases: "none" })],
    ["start", "collect --dry-run"],
  ],
  ["guard.confirm takes so many runs", [settings({ guard: { confirm: 100 } })]],
  ["guard.priceFactor lets nearly every price through", [settings({ guard: { priceFactor: 100_000 } })]],
  ["schedule begins anew each hour", [settings({ schedule: "*/45 * * * *" })]],
  ["snapshots is the folder of the settings", [settings({ snapshots: "./", plans: JSON_SOURCE })]],
  [
    "snapshots is in a folder that the next installation empties",
    [settings({ snapshots: "node_modules/.cache/facts" })],
  ],
  ["and GitHub answers 60 requests an hour", [macos({ from: "github", repo: "acme/notes", schedule: "* * * * *" })]],
  [
    "crossChecks.1 asks what crossChecks.0 asks",
    [settings({ crossChecks: [1, 2].map(() => ({ facts: ["plans"], page: `${SITE}/pricing` })) })],
  ],
  [
    "crossChecks.0.page is no page of text",
    [settings({ crossChecks: [{ facts: ["plans"], page: `${SITE}/prices.pdf` }] })],
  ],
  [`standIns: ${SITE} leads to itself`, [standIn({ [SITE]: SITE })], ["start", "collect --dry-run"]],
  ["NOTIFY has a placeholder", [notified("https://hooks.slack.com/services/T00/B00/XXX")]],
  ["NOTIFY has the address of a page", [notified("https://acme.slack.com/archives/C1"), notified("https://t.me/acme")]],
  ["NOTIFY has an address of this server", [notified(`${OWN}/status`)]],
  ["KEY has no secret, but the word for none", ["undefined", "***"].map((key) => stripe(key))],
  ["KEY has the path of a file", [stripe("/run/secrets/stripe_key")]],
  ["KEY has a comment behind it", [stripe("rk_live_1 # live")]],
  ["KEY has a secret in Base64", [stripe(Buffer.from("rk_live_1").toString("base64"))]],
  ["api.contentSignal says one thing twice", [api({ name: "Acme", contentSignal: "search=yes, search=no" })]],
  ["api.faq is the file of api.overview", [api({ name: "Acme", overview: "plans.md", faq: "plans.md" })]],
  ["NOTIFY has the address of a chat that wants another shape", [notified("https://chat.googleapis.com/v1/spaces/A")]],
  ["releases.macos.tag has refs/tags/ in front, which no tag has: write v*", [github({ tag: "refs/tags/v*" })]],
  ["asset   has a placeholder: write * in its place", [github({ asset: "Notes-${version}.${ext}" })]],
  ["schedule runs each minute of its hours", [settings({ schedule: "* 6 * * *" })]],
  ["for its next run and is stale after 24 h: 502 in between; collect more", [settings({ schedule: "0 0 29 2 *" })]],
  [
    /api +is the sandbox, whose prices are not real: leave it out/,
    [stripe("k", { from: "paddle", api: "https://sandbox-api.paddle.com" })],
  ],
  [
    'is that of GitHub: write "from": "github" without "url"',
    [macos({ from: "gitea", repo: "acme/notes", url: "https://github.com" })],
  ],
  [
    "use group/project",
    ["acme/notes.git", "acme/notes/-/releases"].map((project) => macos({ from: "gitlab", project })),
  ],
  ['call it "sha512"', [mac({ sha256: Buffer.alloc(64).toString("base64") })], ["start"]],
  ['such as "#0f6e60"', [api({ name: "Acme", color: { light: "#000" } })]],
  ['to keep nothing, write { "keep": 0 }', [settings({ history: false })]],
  ["takes the path of a file, not the settings themselves", [environment({ VITRINE_CONFIG: '{"api":{}}' })]],
  ["plans.path is one file, and no pattern", [file("product/*.json")]],
  ["AWS_REGION is a zone: write the region, eu-west-1", [environment({ AWS_REGION: "eu-west-1a" })]],
  ["NODE_EXTRA_CA_CERTS names no file", [environment({ NODE_EXTRA_CA_CERTS: "/none.pem" })]],
  ["version is a range", [mac({ version: "4.2.x" })], ["start"], "warnings"],
  ["releases.macos.asset names no installer", [github({ asset: "*.exe.blockmap" })]],
  ["releases.macos.arch is of no Mac", [github({ arch: "ia32" })]],
  ['releases.macos.tag takes what is not finished: add "prereleases": true', [github({ tag: "v*-beta*" })]],
  [
    "is that of one version: write the address that stays",
    [macos({ from: "electron-builder", url: "https://github.com/acme/notes/releases/download/v4.2.1/latest-mac.yml" })],
  ],
  [
    "releases.windows.installer is that of one version: write {version}",
    [releases({ macos: "none", windows: { ...SQUIRREL, installer: "Notes-4.2.1-Setup.exe" } })],
  ],
  ["plans.currency is not an ISO 4217 code: write USD", [stripe("k", { currency: "usd" })]],
  [
    'plans.cycles: "annual" has 365 months: write 12',
    [json({ fields: { ...FIELDS, cycles: [CYCLES[0], { ...CYCLES[1], durationMonths: 365 }] } })],
  ],
  [
    "names.business is no plan of plans.plans, which has pro",
    [{ ...stripe("k"), settings: { plans: STRIPE, names: { business: { title: "Business" } } } }],
  ],
  ["KEY has a secret of github, and is sent to lemonsqueezy", [stripe("ghp_1abc", { ...LEMON })]],
  [
    "crossChecks.0 asks what plans asks",
    [settings({ crossChecks: [{ facts: ["plans"], ...FILE, path: "./plans.json" }] })],
  ],
  [
    "buy is for tests: give the public address",
    [settings({ names: { pro: { buy: "https://staging.acme.com/buy" } } })],
  ],
  ["quotes are typographic", [{ text: "{ “api”: {} }" }]],
  [
    'must be of type array (got "macos"), such as ["macos"]',
    [settings({ crossChecks: [{ facts: "macos", page: SITE }] })],
  ],
  ['another platform: give each "from" and an "asset" of its own', [releases({ ...GITHUB, asset: "*.dmg" })]],
  ["api.license is no SPDX identifier", [api({ license: "CC-BY" })]],
  ["KEY has a word before the secret", [{ ...github({ token: "$KEY" }), environment: { KEY: "token ghp_1" } }]],
  ['for a vendor without plans write "plans": "none"', [{ plans: { currency: "EUR", cycles: CYCLES, plans: [] } }]],
  [
    'latest.checksum is no field of Vitrine\'s, and is left out: call it "sha256"',
    [mac({ checksum: "a" })],
    ["start", "collect --dry-run"],
  ],
  ['left out: call it "changelog"', [mac({ releaseNotes: "a" })], ["start", "collect --dry-run"]],
  ['left out: call it "signature"', [mac({ edSignature: "a" })], ["start", "collect --dry-run"]],
  [
    "home   unknown setting; known here: title, line, buy",
    [settings({ names: { pro: { title: "Pro", home: SITE } } })],
  ],
  ['path   unknown setting; with it, write "from": "file"', [plans({ ...FILE, from: "json" })]],
  ['url    unknown setting; with it, write "from": "json"', [plans({ ...JSON_SOURCE, from: "file" })]],
  ["baseUrl   unknown setting; known here: url", [json({ baseUrl: SITE })]],
  ['snapshots   must be of type string, such as "rediss://', [settings({ snapshots: { type: "redis" } })]],
  [
    "snapshots   must be s3://BUCKET/PREFIX, without s3.eu-west-1.amazonaws.com",
    [settings({ snapshots: "s3://acme.s3.eu-west-1.amazonaws.com/prod" })],
  ],
  ["snapshots   must be s3://BUCKET/PREFIX; a bucket is in lower case", [settings({ snapshots: "s3://Acme_Facts/a" })]],
  [/sha256 of .*not in its form/, [mac({ sha256: "abc" })], ["start"]],
  [/arch of .*not in its form/, [mac({ arch: "amd64" })], ["start"]],
  [
    /plan "pro": a price has more decimals than (?:JPY|EUR)/,
    [
      { plans: { currency: "JPY", cycles: CYCLES, plans: [{ ...PRO, prices: { monthly: 19.5 } }] } },
      { plans: { currency: "EUR", cycles: CYCLES, plans: [{ ...PRO, prices: { monthly: 12.345 } }] } },
    ],
    [],
    "warnings",
  ],
  ['the badge of the cycle "annual" is a number alone', [cycles({}, { savingBadge: "17" })], [], "warnings"],
  [
    'plan "Pro": another differs in capitals only',
    [{ plans: { currency: "EUR", cycles: CYCLES, plans: [PRO, { ...PRO, id: "Pro", popular: false }] } }],
    [],
    "warnings",
  ],
  ['"creditsMonthly" is at the place of a price', [json({ fields: { ...FIELDS, creditsMonthly: "/price" } })]],
  ['"pro" is not among the cycles: monthly, annual', [json({ fields: { ...FIELDS, prices: { pro: "/price" } } })]],
  // Addresses and files of another sort than their source reads
  ["must end with /api/v3, as that of GitHub Enterprise Server does", [github({ api: "https://github.acme.com" })]],
  [
    'must be https://gitlab.com alone: the group belongs to "project"',
    [macos({ from: "gitlab", url: "https://gitlab.com/acme", project: "acme/notes" })],
  ],
  [
    /is that of Git(?:Hub|Lab): write "from": "git/,
    ["https://github.com", "https://gitlab.com/"].map((url) => macos({ ...GITHUB, from: "gitea", url })),
  ],
  ["must have no placeholder such as ${os}", [macos({ ...SQUIRREL, url: `${SITE}/\${arch}/RELEASES.json` })]],
  [
    "is the page about a file: write /raw/ in place of /blob/",
    ["https://github.com/acme/site/blob/main/p.json", "https://gitlab.com/acme/site/-/blob/main/p.json"].map((url) =>
      json({ url }),
    ),
  ],
  ["is that of an installer: write that of the update feed", [macos({ from: "sparkle", url: `${SITE}/Notes.dmg` })]],
  [
    "url is that of the build's configuration: write that of the feed",
    [
      macos({ from: "electron-builder", url: `${SITE}/electron-builder.yml` }),
      macos({ from: "tauri", url: `${SITE}/tauri.macos.conf.json` }),
    ],
  ],
  ["url has {target}: write {{target}}", [macos({ from: "tauri", url: `${SITE}/{target}/latest.json` })]],
  [
    'if no price for a year is stated, and leave out the cycle "annual"',
    [json({ fields: { ...FIELDS, annualPrice: FIELDS.monthlyPrice } })],
  ],
  ["plans   source/plans.mjs does not exist", [argument("source/plans.mjs")], ["start", "collect --dry-run"]],
  ["the file is empty", [{ plansText: "" }]],
  ["the file is YAML: write it as JSON", [{ plansText: "# Ours\ncurrency: EUR\nplans:\n  - id: pro\n" }]],
  ["the file is HTML or XML: write JSON", [{ plansText: "<!doctype html><p>Sign in" }]],
  ["the file is in UTF-16: save it as UTF-8", [{ plansText: Buffer.from("\ufeff{}", "utf16le") }]],
  [
    "the facts are at /data: put them at the top",
    [{ plans: { data: { currency: "EUR", cycles: CYCLES, plans: [PRO] } } }],
  ],
  ["files has one that is not for macos: leave it out", [mac({ files: [{ url: `${SITE}/Notes-4.2.1.AppImage` }] })]],
  [
    "sha256 is that of an empty file: compute it anew",
    [mac({ sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" })],
  ],
  [
    "two files have one sha256: compute each from its file",
    [mac({ sha256: "ab".repeat(32), files: [{ url: `${SITE}/Notes-4.2.1-x64.dmg`, sha256: "ab".repeat(32) }] })],
  ],
  ["changelog is not written yet", [mac({ changelog: "TODO: write" })]],
  ["changelog shows \\n: in JSON, a line ends with one backslash", [mac({ changelog: "- Ink.\\n- Search." })]],
];

async function folder(wrong: Wrong, onFinished: (cleanUp: () => Promise<void>) => void) {
  const directory = await settingsDirectory(
    {
      api: { name: "Acme" },
      plans: FILE,
      releases: { macos: { from: "file", path: "macos.json" }, windows: "none" },
      ...UNCHECKED_LINKS,
      ...wrong.settings,
    },
    onFinished,
  );
  if (wrong.text !== undefined) await writeFile(join(directory, "vitrine.config.json"), wrong.text);
  const facts = wrong.plans ?? { currency: "EUR", cycles: wrong.cycles ?? CYCLES, plans: [{ ...PRO, ...wrong.plan }] };
  await writeFile(join(directory, "plans.json"), wrong.plansText ?? JSON.stringify(facts));
  await writeFile(join(directory, "macos.json"), JSON.stringify(wrong.macos ?? MAC));
  return directory;
}

/** What a command prints until it has ended, or runs. */
async function printed(
  words: readonly string[],
  { environment = {}, ...wrong }: Wrong,
  directory: string,
): Promise<string> {
  const lines: string[] = [];
  const stopping = new AbortController();
  const print = (line: string) => {
    lines.push(line);
    if (line.includes("Ctrl+C stops")) stopping.abort();
  };
  const terminal = {
    out: print,
    err: print,
    isScreen: { out: false, err: false },
    width: 80,
    style: (_: string, text: string) => text,
  };
  const pipes = () => ({ input: process.stdin, output: process.stdout });
  await invoke([...words, ...(wrong.words ?? [])], terminal, () => ({
    environment: {
      LOG_FORMAT: "text",
      ...(wrong.settings && "port" in wrong.settings ? {} : { PORT: "0" }),
      ...environment,
    },
    directory,
    pipes,
    stop: stopping.signal,
  }));
  return lines.join("\n");
}

const COMMANDS: [command: string, share: number][] = [
  ["check", 1],
  ["collect --dry-run", 6],
  // Starts the whole service for each that is only warned of.
  ["start", 12],
];

describe.concurrent.each(COMMANDS.filter(([command]) => isOffered(command)))(
  "%s is not silent about (cli/features/check/sources.ts)",
  (command, share) => {
    // All read the settings in one way, so most is tried with one command, and some of it with each.
    const all = GROUPS.flatMap(([told, wrongs, unless = [], by = "check"]) =>
      wrongs.map((wrong) => ({ wrong, told, unless, by })),
    );
    const rows = all
      .filter(({ unless }, index) => !unless.includes(command) && index % share === 0)
      .filter(({ wrong, by }) => isIn(by) && haveFeatures(wrong.settings ?? {}));
    test.for(rows.map(({ wrong, told }) => [JSON.stringify(wrong), wrong, told] as const))(
      "%s",
      async ([, wrong, told], { expect, onTestFinished }) => {
        const directory = await folder(wrong, onTestFinished);
        expect(await printed(command.split(" "), wrong, directory)).toMatch(told);
      },
    );
  },
);
