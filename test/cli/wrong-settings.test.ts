// A hundred wrong settings of the kinds that people make. None passes in silence: `check`, the dry run and `start` name the setting,
// what is wrong with it, and what to write instead.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "vitest";
import { invoke } from "../../cli/invoke.ts";
import { settingsDirectory } from "../support/program/settings.ts";

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
const STRIPE = {
  from: "stripe",
  key: "$KEY",
  currency: "EUR",
  cycles: CYCLES,
  plans: [{ id: "pro", product: "prod_1" }],
};

interface Wrong {
  settings?: object;
  plans?: unknown;
  plan?: object;
  cycles?: unknown;
  macos?: unknown;
  environment?: Record<string, string>;
  /** Instead of the settings as JSON. */
  text?: string;
  words?: string[];
}

const settings = (settings: object): Wrong => ({ settings });
const api = (api: object): Wrong => settings({ api });
const plans = (plans: object): Wrong => settings({ plans });
const macos = (source: unknown): Wrong => settings({ releases: { macos: source, windows: "none" } });
const plan = (plan: object): Wrong => ({ plan });
const mac = (release: object): Wrong => ({ macos: { ...MAC, ...release } });
const environment = (environment: Record<string, string>, more: object = {}): Wrong => ({
  environment,
  settings: more,
});

/** What each command says of it, and the commands that need none of it. */
const WRONG: [wrong: Wrong, told: string | RegExp, unless?: string[]][] = [
  // Schedules and durations
  [settings({ schedule: "*/90 * * * *" }), 'use a cron expression such as */15 * * * *: "*/90" has a longer'],
  [settings({ schedule: "0 */36 * * *" }), 'use a cron expression such as */15 * * * *: "*/36" has a longer'],
  [settings({ schedule: "every 15 minutes" }), "use a cron expression such as */15 * * * *: it needs five"],
  [settings({ schedule: "15m" }), "use a cron expression such as */15 * * * *: it needs five"],
  [settings({ schedule: "*/15 * * *" }), "use a cron expression such as */15 * * * *: it needs five"],
  [settings({ schedule: "60 * * * *" }), 'use a cron expression such as */15 * * * *: "60" is not'],
  [settings({ schedule: "0 0 31 2 *" }), 'use a cron expression such as */15 * * * *: "31" is not'],
  [settings({ schedule: 15 }), "must be of type string"],
  [settings({ schedule: "0 0 * * 1" }), "plans is collected every 7 d and stale after 24 h: 502 in"],
  [settings({ staleAfter: 24 }), "must be of type string"],
  [settings({ staleAfter: "24" }), "use a duration such as 30s, 15m or 24h"],
  [settings({ staleAfter: "1 day" }), "use a duration such as 30s, 15m or 24h"],
  [settings({ staleAfter: "24H" }), "use a duration such as 30s, 15m or 24h"],
  [settings({ staleAfter: "90s" }), "plans is collected every 15 min and stale after 2 min: 502 in"],
  [settings({ staleAfter: "2y" }), "use a duration such as 30s, 15m or 24h"],
  [settings({ guard: { over: "20 min" } }), "use a duration such as 30s, 15m or 24h"],
  [settings({ history: { age: "1y" } }), "use a duration such as 30s, 15m or 24h"],
  [environment({ STALE_AFTER: "1 hour" }), "use a duration such as 30s, 15m or 24h"],
  [environment({ SCHEDULE: "hourly" }), "use a cron expression such as */15 * * * *: it needs five"],
  // Names and levels
  [settings({ shedule: "* * * * *" }), 'unknown setting; did you mean "schedule"?'],
  [settings({ Plans: FILE }), 'unknown setting; did you mean "plans"?'],
  [settings({ release: GITHUB }), 'unknown setting; did you mean "releases"?'],
  [settings({ api: { name: "A", port: 80 } }), "unknown setting here; it belongs to another place"],
  [settings({ baseUrl: "https://a.com" }), "unknown setting here; it belongs to another place"],
  [settings({ name: "Acme" }), "unknown setting here; it belongs to another place"],
  [settings({ server: { port: 3000 } }), "unknown setting"],
  [settings({ guard: { priceFaktor: 3 } }), 'unknown setting; did you mean "priceFactor"?'],
  [settings({ history: 100 }), "must be of type object"],
  [macos({ ...GITHUB, repository: "a/b" }), "unknown setting"],
  [settings({ names: { Pro: { title: "Pro" } } }), 'names: there is no plan "Pro" (the plans are pro)'],
  [settings({ names: { pro: "Pro" } }), "must be of type object"],
  [settings({ names: { pro: { titel: "Pro" } } }), 'unknown setting; did you mean "title"?'],
  [settings({ plans: [FILE] }), 'must be a source, such as { "from": "file", "path":'],
  [settings({ plans: "plans.json" }), 'must be a source, such as { "from": "file", "path":'],
  [settings({ plans: { path: "plans.json" } }), "must name one of the known kinds of source (it is missing):"],
  [
    settings({ plans: { from: "github", repo: "acme/notes" } }),
    'a source of kind "github" provides releases, not plans',
  ],
  [
    settings({ releases: { mac: GITHUB, windows: "none" } }),
    "must name one of the known kinds of source (it is missing):",
  ],
  [
    settings({ releases: { macos: GITHUB } }),
    'releases.windows   must be a source, such as { "from": "file", "path": "facts.json" }, or "none"',
  ],
  [settings({ releases: [] }), "releases   must be a source, such as"],
  [settings({ releases: { macos: GITHUB, windows: "none", linux: GITHUB } }), 'unknown setting; did you mean "line"?'],
  [
    settings({ releases: { macos: GITHUB, win: "none" } }),
    "must name one of the known kinds of source (it is missing):",
  ],
  [
    settings({ releases: { darwin: GITHUB, win32: GITHUB } }),
    "must name one of the known kinds of source (it is missing):",
  ],
  [settings({ releases: { macos: null, windows: null } }), 'must be a source, such as { "from": "file", "path":'],
  // Types
  [settings({ port: "3000" }), "use a whole number from 0 to 65535"],
  [settings({ port: 70000 }), "use a whole number from 0 to 65535"],
  [settings({ port: 6000 }), /browsers refuse th(e|is) port/, ["collect --dry-run"]],
  [settings({ port: 3000.5 }), "use a whole number from 0 to 65535"],
  [environment({ PORT: "http" }), "use a whole number from 0 to 65535"],
  [settings({ host: "http://0.0.0.0" }), "use an IP address such as 127.0.0.1 or ::1, the name of this"],
  [settings({ host: "0.0.0.0:80" }), "use an IP address such as 127.0.0.1 or ::1, the name of this"],
  [settings({ host: "*" }), "use an IP address such as 127.0.0.1 or ::1, the name of this"],
  [settings({ share: "yes" }), "must be of type boolean"],
  [settings({ checkLink: "false" }), "must be of type boolean"],
  [settings({ expressLane: 1 }), "must be of type boolean"],
  [settings({ metrics: true }), "must be of type string"],
  [settings({ metrics: 9464 }), "must be of type string"],
  [settings({ guard: true }), "guard   must be false (got true)"],
  [settings({ guard: { off: ["zzz"] } }), 'guard.off.0   must be "'],
  [settings({ guard: { confirm: 0 } }), "guard.confirm   must be at least 1 (got 0)"],
  [settings({ guard: { off: ["prices"] } }), 'must be "plans" or "price" or "currency" or "release" or'],
  [settings({ guard: { confirm: "3" } }), "must be of type number"],
  [settings({ guard: { priceFactor: 1 } }), "must be at least 1.1"],
  [settings({ history: { keep: -1 } }), "must be at least 0"],
  // Addresses
  [api({ baseUrl: "acme.com" }), "must be an absolute http(s) URL without a user name"],
  [api({ baseUrl: "https//acme.com" }), "must be an absolute http(s) URL without a user name, or set"],
  [api({ baseUrl: "https://acme.com/?a=1" }), "must not have a query or fragment, or set BASE_URL"],
  [api({ baseUrl: "https://acme.com/api/v1" }), "api.baseUrl ends with /api/v1, which every link adds: leave it"],
  [api({ baseUrl: " https://acme.com" }), "must be an absolute http(s) URL without a user name, or set"],
  [api({ baseUrl: "http://facts.acme.com" }), "api.baseUrl begins with http: write https, which browsers and"],
  [
    environment({ BASE_URL: "http://localhost:3000", NODE_ENV: "production" }),
    "api.baseUrl leads to this computer only: give the public address",
  ],
  [
    environment({ NODE_ENV: "production" }, { api: { baseUrl: "http://127.0.0.1:3000" } }),
    "api.baseUrl leads to this computer only: give the public address",
  ],
  [
    settings({ host: "0.0.0.0", api: { baseUrl: "http://localhost:3000" } }),
    "api.baseUrl leads to this computer only: give the public address",
  ],
  [api({ home: "www.acme.com" }), "must be an absolute http(s) URL without a user name"],
  [api({ contact: "sales at acme.com" }), "use an e-mail address, or the http(s) URL of a page"],
  [api({ origins: ["https://acme.com/"] }), "use https://host"],
  [api({ origins: ["*"] }), "use https://host"],
  [api({ color: "green" }), "use #rrggbb, such as #0f6e60"],
  [api({ color: "0f6e60" }), "use #rrggbb, such as #0f6e60"],
  [api({ logo: "logo.jpg" }), "logo.jpg cannot be read", ["collect --dry-run"]],
  [api({ logo: "https://acme.com/logo.svg" }), "logo.svg cannot be read", ["collect --dry-run"]],
  [api({ page: ["faq"] }), 'must be "news" or "history" or "use" or "agents" or "status"'],
  [api({ page: "news" }), "must be of type array"],
  [api({ contentSignal: "ai-train" }), "use a list such as search=yes, ai-input=yes, ai-train=no"],
  [api({ name: "" }), 'api.name   must not be empty (got "")'],
  [api({ name: "x".repeat(101) }), "api.name   must be at most 100 characters"],
  [api({ name: "Acme " }), "api.name begins or ends with a space: remove it"],
  [api({ overview: "overview.md" }), "overview.md cannot be read", ["collect --dry-run"]],
  [
    plans({ ...JSON_SOURCE, url: "http://api.acme.com/plans" }),
    "must be an https URL without user name (http only on this",
  ],
  [plans({ ...JSON_SOURCE, url: "api.acme.com/plans" }), "must be an https URL without user name (http only on this"],
  [
    plans({ ...JSON_SOURCE, url: "https://127.0.0.1:9/plans?api_key=sk_live_123456" }),
    'plans.url has a secret in it: send it as one of the "headers",',
  ],
  [
    plans({ ...JSON_SOURCE, url: "https://127.0.0.1:9/plans?token=$TOKEN" }),
    'must have no "$NAME", which is replaced in headers only; write',
  ],
  [
    plans({ ...JSON_SOURCE, url: "https://user:pass@api.acme.com/plans" }),
    "must be an https URL without user name (http only on this",
  ],
  [
    plans({ ...JSON_SOURCE, url: "https://127.0.0.1:9/sk_live_51Habcdefghijklmn" }),
    'plans.url has a secret in it: send it as one of the "headers",',
  ],
  [
    plans({ ...JSON_SOURCE, headers: { Authorization: "Bearer sk_live_123456" } }),
    "plans.headers.Authorization looks like a secret: put it into",
  ],
  [
    plans({ ...JSON_SOURCE, headers: { authorization: "Bearer $MISSING" } }),
    "the environment variable MISSING is not set",
  ],
  [
    plans({ ...JSON_SOURCE, headers: { authorization: "Bearer ${TOKEN}" } }),
    'use "$NAME" or "Bearer $NAME" for an environment variable',
  ],
  [
    plans({ ...JSON_SOURCE, headers: { "accept encoding": "gzip" } }),
    "plans.headers.accept encoding   is not a header name",
  ],
  [plans({ ...JSON_SOURCE, pick: "data.plans" }), "must start with /, such as /data/plans"],
  [plans({ ...JSON_SOURCE, timeout: 30 }), "must be of type string"],
  [plans({ ...JSON_SOURCE, timeout: "30ms" }), "use a duration such as 30s, 15m or 24h"],
  [
    { ...plans({ ...JSON_SOURCE, headers: { authorization: "Bearer $TOKEN" } }), environment: { TOKEN: '"abc"' } },
    "the environment variable TOKEN has quotes or a space around it:",
  ],
  [
    { ...plans({ ...JSON_SOURCE, headers: { authorization: "Bearer $TOKEN" } }), environment: { TOKEN: "'abc'" } },
    "the environment variable TOKEN has quotes or a space around it:",
  ],
  [
    { ...plans({ ...JSON_SOURCE, headers: { authorization: "Bearer $TOKEN" } }), environment: { TOKEN: "abc " } },
    "the environment variable TOKEN has quotes or a space around it:",
  ],
  [
    { ...plans({ ...JSON_SOURCE, headers: { authorization: "Bearer $TOKEN" } }), environment: { TOKEN: "" } },
    "the environment variable TOKEN is not set",
  ],
  [
    { ...plans({ ...JSON_SOURCE, headers: { authorization: "Bearer $TOKEN" } }), environment: { TOKEN: "Bearer abc" } },
    "the environment variable TOKEN begins with Bearer itself:",
  ],
  [settings({ notify: "https://hooks.acme.com/x" }), 'use "$NAME" for an environment variable; secrets do not belong'],
  [
    { ...settings({ notify: "$HOOK" }), environment: { HOOK: "hooks.acme.com" } },
    "the environment variable HOOK must be an https URL without user",
    ["collect --dry-run"],
  ],
  [
    settings({ standIns: { "https://dl.acme.com/a": "http://127.0.0.1:1" } }),
    "must be an https origin such as https://dl.acme.com, without a",
  ],
  [
    settings({ standIns: { "https://dl.acme.com": "http://127.0.0.1:1" } }),
    "standIns: no source has the origin https://dl.acme.com; used",
    ["collect --dry-run", "start"],
  ],
  // Repositories and files
  [macos({ ...GITHUB, repo: "acme/notes.git" }), 'use owner/name without ".git"'],
  [macos({ ...GITHUB, repo: "https://github.com/acme/notes" }), "use owner/name, such as acme/notes"],
  [macos({ ...GITHUB, repo: "notes" }), "use owner/name, such as acme/notes"],
  [macos({ ...GITHUB, repo: "acme/notes/releases" }), "use owner/name, such as acme/notes"],
  [macos({ ...GITHUB, repo: "@acme/notes" }), "use owner/name, such as acme/notes"],
  [macos({ ...GITHUB, asset: ".*\\.dmg$" }), "is a glob, not a regular expression: * stands for any text, ?"],
  [macos({ ...GITHUB, asset: "Notes-[0-9]+.dmg" }), "is a glob, not a regular expression: * stands for any text, ?"],
  [macos({ ...GITHUB, tag: "^v[0-9]" }), "is a glob, not a regular expression: * stands for any text, ?"],
  [macos({ ...GITHUB, asset: "(arm64|x64).dmg" }), "is a glob, not a regular expression: * stands for any text, ?"],
  [macos({ ...GITHUB, asset: "*.{dmg,pkg}" }), "is a glob, not a regular expression: * stands for any text, ?"],
  [macos({ ...GITHUB, asset: "/\\.dmg/" }), "is a glob, not a regular expression: * stands for any text, ?"],
  [macos({ ...GITHUB, asset: "*.exe" }), "releases.macos.asset names an installer for another platform"],
  [
    macos({ ...GITHUB, asset: "https://github.com/acme/notes/releases/download/v1/Notes.dmg" }),
    "is the name of a file, without the address in front of it",
  ],
  [macos({ ...GITHUB, arch: "amd64" }), 'must be "universal" or "arm64" or "x64" or "ia32"'],
  [macos({ ...GITHUB, arch: "x86_64" }), 'must be "universal" or "arm64" or "x64" or "ia32"'],
  [macos({ ...GITHUB, token: "ghp_abcdef" }), 'use "$NAME" for an environment variable; secrets do not belong'],
  [macos({ ...GITHUB, since: "31.01.2026" }), "does not have its form"],
  [macos({ ...GITHUB, prereleases: "no" }), "must be of type boolean"],
  [macos({ from: "GitHub", repo: "acme/notes" }), "must name one of the known kinds of source"],
  [macos({ from: "github.com", repo: "acme/notes" }), "must name one of the known kinds of source"],
  [macos({ from: "git", repo: "acme/notes" }), "must name one of the known kinds of source"],
  [
    macos({ from: "gitlab", project: "https://gitlab.com/acme/notes" }),
    "use group/project, such as acme/notes, or its number, such as",
  ],
  [macos({ from: "gitlab", project: "acme" }), "use group/project, such as acme/notes, or its number, such as"],
  [
    macos({ from: "gitea", url: "http://127.0.0.1:9/acme/notes", repo: "acme/notes" }),
    'releases.macos.url has the repository in it, which "repo"',
  ],
  [settings({ snapshots: "~/data" }), "snapshots is used as it stands, ~ and $NAME too: write the"],
  [settings({ snapshots: "$HOME/data" }), "snapshots is used as it stands, ~ and $NAME too: write the"],
  [settings({ snapshots: "" }), "must not be empty"],
  [settings({ snapshots: "s3:bucket" }), "must be s3://BUCKET/PREFIX; a prefix may have letters, digits,"],
  [settings({ snapshots: "redis://user:pw@host" }), "may have a user name and a password only in the environment, as"],
  [settings({ snapshots: "http://host/snapshots/" }), "must look like https://host/snapshots/, or http:// on this"],
  [settings({ snapshots: "plans.json" }), "ENOTDIR", ["collect --dry-run"]],
  [settings({ lastCopy: "https://acme.com" }), "must be the path of a directory, or set LAST_COPY"],
  [settings({ lastCopy: "~/copy" }), "lastCopy is used as it stands, ~ and $NAME too"],
  [plans({ ...FILE, path: "~/plans.json" }), "plans.path is used as it stands, ~ and $NAME too"],
  [plans({ ...FILE, path: "Plans.json" }), "the file does not exist"],
  [plans({ ...FILE, path: "plans.json " }), "plans.path begins or ends with a space"],
  [plans({ ...FILE, path: "." }), "the file is not a regular file"],
  [plans({ ...FILE, path: "plans.yaml" }), "the file does not exist"],
  [plans({ ...FILE, path: "file:///plans.json" }), "the file does not exist"],
  [plans({ ...FILE, path: "https://acme.com/plans.json" }), "the file does not exist"],
  [plans({ from: "command", command: "node facts.mjs" }), 'must be a list such as ["node", "facts.mjs"]'],
  [
    plans({ from: "command", command: ["node facts.mjs"] }),
    "node facts.mjs is in no folder of PATH: write its full path, or",
  ],
  [
    plans({ from: "command", command: ["./nowhere.mjs"] }),
    "./nowhere.mjs does not exist, or the interpreter that its first",
  ],
  [plans({ from: "module", path: "facts.mjs" }), "must name one of the known kinds of source"],
  [settings({ product: "Acme Notes" }), "use lowercase letters, digits and hyphens, such as acme-notes"],
  // Payments
  [{ ...plans({ ...STRIPE, key: "sk_live_1" }) }, 'use "$NAME" for an environment variable; secrets do not belong'],
  [{ ...plans({ ...STRIPE, currency: "€" }), environment: { KEY: "rk_live_1" } }, "must be three letters such as USD"],
  [
    { ...plans(STRIPE), environment: { KEY: "rk_test_1" } },
    "the environment variable KEY has a test mode key; use a live key",
  ],
  [
    { ...plans(STRIPE), environment: { KEY: "pk_live_1" } },
    "the environment variable KEY has a publishable key, which",
  ],
  [
    {
      ...plans({ ...STRIPE, cycles: [CYCLES[0], { ...CYCLES[1], durationMonths: "12" }] }),
      environment: { KEY: "rk_live_1" },
    },
    "must be of type number",
  ],
  [
    {
      ...plans({ ...STRIPE, cycles: [CYCLES[0], { ...CYCLES[1], durationMonths: 1 }] }),
      environment: { KEY: "rk_live_1" },
    },
    "cannot distinguish two cycles of the same length: use lookup",
  ],
  // Facts
  [{ plans: [] }, "the answer: must be of type object, not array"],
  [{ plans: { plans: [PRO] } }, "currency: must be of type string (it is missing); cycles: must"],
  [
    {
      cycles: [
        { ...CYCLES[0], durationMonths: 12 },
        { ...CYCLES[1], durationMonths: 1 },
      ],
    },
    'plan "pro": 12 months cost less than one: are the two swapped?',
  ],
  [{ cycles: [{ ...CYCLES[0], key: "month" }, CYCLES[1]] }, 'plan "pro": the price "monthly" is for no cycle'],
  [
    {
      cycles: [
        { ...CYCLES[0], savingBadge: "17%" },
        { ...CYCLES[1], savingBadge: "+17%" },
      ],
    },
    'the badge of the cycle "annual" says dearer, but plan "pro"',
  ],
  [plan({ monthlyPrice: "19" }), "plans[0].monthlyPrice: must be of type number, not string"],
  [plan({ monthlyPrice: "19 €" }), "plans[0].monthlyPrice: must be of type number, not string"],
  [plan({ prices: { monthly: "19", annual: 190 } }), "plans[0].prices.*: must be of type number, not string"],
  [
    plan({ monthlyPrice: 1900, annualPrice: 19000, prices: { monthly: 1900, annual: 19000 } }),
    "all prices are whole and large: write them in major units,",
  ],
  [
    plan({ monthlyPrice: 1999, annualPrice: 19999, prices: { monthly: 1999, annual: 19999 } }),
    "all prices are whole and large: write them in major units,",
  ],
  [plan({ monthlyPrice: -19 }), "plans[0].monthlyPrice: must be at least 0"],
  [
    plan({ monthlyPrice: 190, annualPrice: 19, prices: { monthly: 190, annual: 19 } }),
    'plan "pro": 12 months cost less than one: are the two swapped?',
  ],
  [plan({ monthlyPrice: 29 }), 'plan "pro": monthlyPrice differs from the price of the cycle of'],
  [plan({ prices: { monthly: 19, yearly: 190 } }), 'plan "pro": the price "yearly" is for no cycle'],
  [plan({ popular: "true" }), "plans[0].popular: must be of type boolean, not string"],
  [plan({ id: "Pro Plan" }), "plans[0].id: must be 1 to 64 of A-Z a-z 0-9 . _ : - and begin"],
  [plan({ creditsMonthly: "2000" }), "plans[0].creditsMonthly: must be of type number, not string"],
  [plan({ creditsMonthly: undefined }), "plans[0].creditsMonthly: must be of type number (it is missing)"],
  [plan({ price: 19 }), /plans\[0\]\.price|1 unlisted field/],
  [{ plans: { currency: "€", cycles: CYCLES, plans: [PRO] } }, "the currency is not an ISO 4217 code such as USD"],
  [{ plans: { currency: "EURO", cycles: CYCLES, plans: [PRO] } }, "the currency is not an ISO 4217 code such as USD"],
  [{ plans: { currency: "EUR", cycles: CYCLES, plans: [PRO, PRO] } }, "plans: must not repeat an id"],
  [mac({ downloadURL: "https://dl.acme.com/Notes-4.2.1.exe" }), "the file's name is that of no installer for macos"],
  [
    mac({ downloadURL: "http://dl.acme.com/Notes-4.2.1.dmg" }),
    "latest.downloadURL: must be an absolute https URL in its normal",
  ],
  [
    mac({ downloadURL: "dl.acme.com/Notes-4.2.1.dmg" }),
    "latest.downloadURL: must be an absolute https URL in its normal",
  ],
  [mac({ downloadURL: "/Notes-4.2.1.dmg" }), "latest.downloadURL: must be an absolute https URL in its normal"],
  [mac({ downloadURL: "https://dl.acme.com/Notes-4.1.0.dmg" }), "the file's name says 4.1.0, and its release 4.2.1"],
  [
    mac({ downloadURL: "https://github.com/acme/notes/releases" }),
    "downloadURL leads to a page: give the link of the file",
  ],
  [mac({ downloadURL: "http://localhost:8080/Notes-4.2.1.dmg" }), "downloadURL leads to this computer only"],
  [
    mac({ downloadURL: "https://dl.acme.com/Notes-{{version}}.dmg" }),
    "downloadURL has a placeholder: a template that was not filled",
  ],
  [mac({ version: "latest" }), "the file's name says 4.2.1, and its release latest"],
  [mac({ version: "{{version}}" }), "the file's name says 4.2.1, and its release {{version}}"],
  [mac({ version: 4.2 }), "latest.version: must be of type string, not number"],
  [mac({ version: "4.2.1 " }), "the version has spaces"],
  [mac({ version: "4,2,1" }), "version has a comma: write 4.2.1"],
  [mac({ size: "104 MB" }), "size is not a number of bytes such as 104857600: left out"],
  [mac({ size: 104.2 }), "size is not a number of bytes such as 104857600: left out"],
  [mac({ date: "02/11/2026" }), "date has its day and month in doubt: write 2026-11-02"],
  [mac({ date: "2026-13-45" }), "date is no day of the calendar"],
  [mac({ date: "2062-11-02" }), "date is in the future"],
  [mac({ date: 20261102 }), "latest.date: must be of type string, not number"],
  [mac({ platform: "mac" }), 'latest.platform: must be "macos" or "windows"'],
  [mac({ platform: "windows" }), "latest.platform: must be macos"],
  [mac({ forceUpdate: "no" }), "forceUpdate: must be of type boolean, not string"],
  [mac({ url: "https://x" }), /latest\.url|1 unlisted field/],
  [mac({ changelog: ["Faster"] }), "latest.changelog: must be of type string, not array"],
  [{ macos: { macos: MAC, windows: null } }, "hasUpdate: must be true or false"],
  [{ macos: { hasUpdate: "true", ...MAC } }, "hasUpdate: must be true or false"],
  [{ macos: [] }, "the answer: must be of type object, not array"],
  // Text; more mistakes of JSON are in cli.test.ts.
  [{ text: "module.exports = {}" }, "line 1: not valid JSON; names and texts need double quotes"],
  [{ text: "null" }, "must be a JSON object"],
  [
    { words: ["--config", "vitrine.config.json", "--config", "other.json"] },
    "option --config is given twice; leave one",
  ],
  [{ words: ["--config", "nowhere.json"] }, "the file does not exist"],
  [{ words: ["--config", "."] }, "cannot be read (EISDIR)"],
];

async function folder(wrong: Wrong, onFinished: (cleanUp: () => Promise<void>) => void) {
  const directory = await settingsDirectory(
    {
      api: { name: "Acme" },
      plans: FILE,
      releases: { macos: { from: "file", path: "macos.json" }, windows: "none" },
      checkLink: false,
      ...wrong.settings,
    },
    onFinished,
  );
  if (wrong.text !== undefined) await writeFile(join(directory, "vitrine.config.json"), wrong.text);
  const facts = wrong.plans ?? { currency: "EUR", cycles: wrong.cycles ?? CYCLES, plans: [{ ...PRO, ...wrong.plan }] };
  await writeFile(join(directory, "plans.json"), JSON.stringify(facts));
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

describe.concurrent.each(["check", "collect --dry-run", "start"])("%s is not silent about", (command) => {
  // All read the settings in one way, so what is wrong with these alone is tried with one command, and some of it with each.
  const rows = WRONG.filter(
    ([{ settings }, , unless = []], index) =>
      !unless.includes(command) && (command === "check" || settings === undefined || index % 5 === 0),
  );
  test.for(rows.map(([wrong, told]) => [JSON.stringify(wrong), wrong, told] as const))(
    "%s",
    async ([, wrong, told], { expect, onTestFinished }) => {
      const directory = await folder(wrong, onTestFinished);
      expect(await printed(command.split(" "), wrong, directory)).toMatch(told);
    },
  );
});
