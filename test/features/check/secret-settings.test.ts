// Secrets in settings, variables and words of the command line: refused where they do not belong, or warned of, with what to write
// instead; never repeated.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasStore, haveFeatures, isIn } from "../../support/program/feature.ts";
import { typeInProcess } from "../../support/program/in-process.ts";
import { settingsDirectory } from "../../support/program/settings.ts";

/** Part of every secret below. */
const SECRET = "T0XYZ-hunter2";
const FILE = { from: "file", path: "facts.json" };
const NO_USER = "may have a user name and a password only in the environment, as SNAPSHOTS";
const AWS = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: SECRET, AWS_REGION: "eu-central-1" };

interface Given {
  settings?: object;
  environment?: Record<string, string>;
  words?: string[];
  /** Instead of the settings as JSON. */
  text?: string;
}
type Row = [given: Given, told: string | RegExp];

const plans = (more: object): Given => ({ settings: { plans: { from: "json", url: "https://x.example/", ...more } } });
const headers = (headers: unknown): Given => plans({ headers });
const at = (SNAPSHOTS: string): Given => ({ environment: { ...AWS, SNAPSHOTS } });

async function printed({ settings, environment = {}, words = ["check"], text }: Given): Promise<string> {
  const directory = await settingsDirectory({ plans: FILE, releases: "none", ...settings });
  if (text !== undefined) await writeFile(join(directory, "vitrine.config.json"), text);
  const { stdout, stderr } = await typeInProcess(words, { directory, environment });
  return stdout + stderr;
}

const URLS: [url: string, shown: string][] = [
  [`http://hooks.example/services/${SECRET}`, '(got "http://hooks.example/…")'],
  [`HTTP://hooks.example:8080/${SECRET}`, '(got "http://hooks.example:8080/…")'],
  [`https//hooks.example/services/${SECRET}`, "(http only on this computer)"],
  [`hooks.example/services/${SECRET}`, "(http only on this computer)"],
  [`ftp://hooks.example/${SECRET}`, "(http only on this computer)"],
  [`https://user:${SECRET}@hooks.example/`, "(http only on this computer)"],
  [`http://hooks.example/?key=${SECRET}`, "(http only on this computer)"],
];

const WHERE = new RegExp(
  `must be the path of a directory, or a URL that starts with file:///${isIn("redis") ? " or redis:" : ""}.* percent-encoded; the location is given as SNAPSHOTS$`,
  "m",
);
const REDIS =
  /must look like redis:\/\/host:6379\/0\/name or rediss:.* percent-encoded; the location is given as SNAPSHOTS$/m;
const HTTPS =
  /must look like https:\/\/host\/snapshots\/, or http:\/\/ on this computer, .*; the location is given as SNAPSHOTS$/m;
const S3 = /must be s3:\/\/BUCKET\/PREFIX; .*; the location is given as SNAPSHOTS$/m;
const VARIABLE = /plans\.url +must have no "\$NAME", which is replaced in headers only; write %24 for a dollar sign/;
const REFERENCE = 'use "$NAME"';
const UNKNOWN = /^✖ (unknown command|unexpected argument: (check takes none|history takes 1)) \(see .*--help\)\n$/;

const AT_STORES: [location: string, told: RegExp][] = [
  [`redis:me:${SECRET}@host/0/acme`, REDIS],
  [`redis://me:123/${SECRET}@host/0/acme`, REDIS],
  [`http://me:${SECRET}@elsewhere.example/snapshots/`, HTTPS],
  [`https://host/snapshots/?token=${SECRET}`, HTTPS],
  [`https://host/snapshots/#${SECRET}`, HTTPS],
  [`https://me:123/${SECRET}@host/snapshots/`, HTTPS],
  ["s3://", S3],
  [`s3://Bucket_/${SECRET}`, S3],
  [`s3://bucket/acme?${SECRET}`, S3],
];

const ROWS: Row[] = [
  ...URLS.flatMap(([url, shown]): Row[] => [
    [plans({ url }), shown],
    [{ settings: { releases: { from: "sparkle", url } } }, shown],
    [{ settings: { standIns: { [url]: "https://mirror.example" } } }, "must be an https"],
    [{ settings: { standIns: { "https://dl.example": url } } }, "must be an https"],
  ]),
  ...["https://x.example/$TOKEN", "https://x.example/a?key=$TOKEN", "https://x.example/${TOKEN}/b"].map((url): Row => {
    return [{ ...plans({ url }), environment: { TOKEN: SECRET } }, VARIABLE];
  }),
  // Headers and tokens
  [
    { ...headers({ "x-one": "$ONE", "x-two": "$TWO", authorization: "Bearer $THREE" }), environment: { THREE: "" } },
    /variable ONE is not set[^]*variable TWO is not set[^]*variable THREE is empty/,
  ],
  [
    { ...headers({ "x-one": "$ONE" }), environment: { ONE: `${SECRET}\r\nx-injected: 1` } },
    "the environment variable ONE contains characters that a header cannot: remove line breaks and the like",
  ],
  [headers({ "x-key": [SECRET] }), "plans.headers"],
  [headers({ "x-key": `${SECRET}\n` }), "plans.headers"],
  [headers(`x-key: ${SECRET}`), "plans.headers"],
  ...["${TOKEN}", "token=$TOKEN", "$$TOKEN", "$TOKEN "].map((value): Row => {
    return [{ ...headers({ "x-key": value }), environment: { TOKEN: SECRET } }, 'use "$NAME" or "Bearer $NAME"'];
  }),
  ...Object.entries({
    authorization: SECRET,
    "X-Api-Key": SECRET,
    cookie: "session=hunter2",
    "x-tenant": "Bearer hunter2",
    "X-Tenant": "ghp_0123456789hunter2ABCDEF",
  }).map(([name, value]): Row => {
    return [headers({ [name]: value }), `! plans.headers.${name} looks like a secret: put it into the environment and`];
  }),
  [{ settings: { releases: { from: "github", repo: "acme/notes", token: `ghp_${SECRET}` } } }, REFERENCE],
  [
    { settings: { releases: { from: "github", repo: "acme/notes", api: `https://a.example?b=${SECRET}` } } },
    "releases.api",
  ],
  // Where the snapshots are
  [at(`postgres://me:${SECRET}@host/0/acme`), WHERE],
  [at(`see redis://me:${SECRET}@host/0/acme`), WHERE],
  [at(`file://host/${SECRET}`), WHERE],
  ...(isIn("redis") ? [[at(`redis//me:${SECRET}@host/0/acme`), WHERE] satisfies Row] : []),
  [at(`me:${SECRET}@host/0/acme`), WHERE],
  [at(`//me:${SECRET}@host/0/acme`), WHERE],
  [at(`redis://me:${SECRET}@host:66379/0/acme`), WHERE],
  [at(`file:${SECRET}`), WHERE],
  ...AT_STORES.filter(([location]) => hasStore(location)).map(([location, told]): Row => [at(location), told]),
  ...["redis://me:hunter2@host/0/acme", "redis://hunter2@host", "https://me:hunter2@host/snapshots/"]
    .filter(hasStore)
    .flatMap((snapshots): Row[] => [
      [{ settings: { snapshots } }, NO_USER],
      [{ words: ["check", "--snapshots", snapshots] }, NO_USER],
    ]),
  ...[
    "redis://me:hunter2@host/0",
    "s3://hunter2/x",
    "//me:hunter2@host",
    "file:///srv/%zz-hunter2",
    "file://host/hunter2",
  ].map((LAST_COPY): Row => [
    { settings: { lastCopy: "kept" }, environment: { SNAPSHOTS: "https://host/snapshots/", LAST_COPY } },
    /lastCopy {3}must be the path of a directory, given as LAST_COPY$/m,
  ]),
  // Where messages go
  [{ settings: { notify: "$NOTIFY_URL" } }, "the environment variable NOTIFY_URL is not set"],
  ...[`http://chat.example/${SECRET}`, SECRET].map((NOTIFY_URL): Row => {
    return [{ settings: { notify: "$NOTIFY_URL" }, environment: { NOTIFY_URL } }, "must be an https URL"];
  }),
  [{ settings: { notify: `https://chat.example/${SECRET}` } }, REFERENCE],
  // What is typed
  [{ text: '{\n  "plans": hunter2\n}' }, "line 2: not valid JSON; names and texts need double quotes"],
  [{ words: [`redis://me:${SECRET}@host/0/acme`] }, UNKNOWN],
  [{ words: [`REDIS_PASSWORD=${SECRET}`, "check"] }, UNKNOWN],
  [{ words: ["check", `REDIS_PASSWORD=${SECRET}`] }, UNKNOWN],
  ...(isIn("history") ? [[{ words: ["history", "plans", SECRET] }, UNKNOWN] satisfies Row] : []),
  [{ words: ["serve", "--config", `redis://me:${SECRET}@host/0/acme`] }, "✖ redis://host/0/acme has 1 problem"],
];

describe("a secret in the settings (cli/features/check/probable-mistakes.ts)", () => {
  const rows = ROWS.filter(([{ settings = {} }]) => haveFeatures(settings));
  test.for(rows.map(([given, told]) => [JSON.stringify(given), given, told] as const))(
    "%s is answered with what to write, and not repeated",
    async ([, given, told]) => {
      const text = await printed(given);
      expect(text).toMatch(told);
      expect(text).not.toContain("hunter2");
    },
  );
});

test("a dollar sign that is no reference may stay in a URL", async () => {
  for (const url of ["https://x.example/a?price=$5", "https://x.example/a?%24filter=b", "https://x.example/a$"]) {
    expect(await printed(plans({ url }))).not.toMatch(/plans\.url +must/);
  }
});

test("a reference and a plain header cause no warning", async () => {
  const plain = { authorization: "Bearer $TOKEN", accept: "application/vnd.acme.v3+json", "accept-language": "en" };
  expect(await printed({ ...headers(plain), environment: { TOKEN: SECRET } })).not.toContain("looks like a secret");
});
