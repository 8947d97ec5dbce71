// What `npm run lint` checks. The three rules of the house are lint rules here: which programs and packages a program may import,
// which folder of a program's core stands above which (test/floors.json, lowest first), and that only registries import features.
import floors from "./test/floors.json" with { type: "json" };

const SERVING = ["h3", "h3/*", "listhen", "@modelcontextprotocol/sdk/**"];
const COLLECTING = ["undici", "node-cron"];

/** Other programs, and packages of theirs, that each program must not import. */
const FOREIGN = {
  snapshots: ["**/collector/**", "**/server/**", "**/cli/**", ...SERVING, ...COLLECTING],
  collector: ["**/server/**", "**/cli/**", ...SERVING],
  server: ["**/collector/**", "**/cli/**", ...COLLECTING],
};

function restrict(files, patterns) {
  return { files: [files], rules: { "no-restricted-imports": ["error", { patterns }] } };
}

function foreign(program) {
  const group = FOREIGN[program];
  return group ? [{ group, message: "collector → snapshots ← server, cli above them" }] : [];
}

const PROGRAMS = ["snapshots", "collector", "server", "cli"];

/** A feature can be taken out: only the registries name it. */
const NO_FEATURES = {
  group: ["**/features/**"],
  message: "the core imports no feature: a registry lists it (test/floors.json)",
};

/** No file of a floor imports from its own floor, except from its own folder, or from a floor above; features stand above all. */
function overridesOf(program) {
  const own = floors[program].flatMap((names, index) =>
    names.map((name) => {
      const above = floors[program]
        .slice(index)
        .flat()
        .filter((other) => other !== name);
      const regex = `^${name.endsWith("/") ? "(?:\\.\\./)+" : "\\./"}(?:${above.join("|").replaceAll(".", "\\.")})`;
      const upwards =
        above.length === 0 ? [] : [{ regex, message: `${program}/${name} stands below (test/floors.json)` }];
      const patterns = [...foreign(program), ...upwards];
      const files = `${program}/${name}${name.endsWith("/") ? "**" : ""}`;
      const registries = floors.registries.filter((path) => path.startsWith(`${program}/${name}`));
      return [restrict(files, [...patterns, NO_FEATURES]), ...registries.map((path) => restrict(path, patterns))];
    }),
  );
  const core = restrict(`${program}/**`, [...foreign(program), NO_FEATURES]);
  return [core, ...own.flat(), restrict(`${program}/features/**`, foreign(program))];
}

export default {
  // Generated.
  ignorePatterns: ["server/features/widgets/built.ts"],
  plugins: ["typescript", "import", "unicorn", "oxc", "promise", "node"],
  categories: {
    correctness: "error",
    suspicious: "error",
    perf: "error",
  },
  rules: {
    "no-console": "error",
    "no-await-in-loop": "off",
    "no-control-regex": "off",
    "no-shadow": "off",
    "no-unmodified-loop-condition": "off",
    "no-unused-vars": [
      "error",
      {
        ignoreRestSiblings: true,
      },
    ],
    "oxc/no-map-spread": "off",
    "unicorn/consistent-function-scoping": "off",
    "unicorn/require-post-message-target-origin": "off",
    "import/no-default-export": "error",
    "import/no-named-as-default-member": "off",
    "import/no-cycle": "error",
    "typescript/no-explicit-any": "error",
    "typescript/consistent-type-imports": "error",
  },
  overrides: [
    ...PROGRAMS.flatMap(overridesOf),
    // The build makes a file for browsers of one feature, and documents of others.
    restrict("cli/build/**", []),
    { files: ["test/support/**/*.ts", "examples/hosting/**"], rules: { "no-console": "off" } },
    {
      files: [
        "*.config.ts",
        "examples/edge/**",
        "test/external/package/program/my-source.ts",
        "test/external/edge/worker/**",
      ],
      rules: { "import/no-default-export": "off" },
    },
    { files: ["*.config.*"], rules: { "import/no-default-export": "off" } },
  ],
};
