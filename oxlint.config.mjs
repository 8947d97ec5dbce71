// What `npm run lint` checks. The two rules of the house are lint rules here: which programs and packages a program may import,
// and which folder of a program stands above which (test/floors.json, lowest first).
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

/** No file of a floor imports from its own floor, except from its own folder, or from a floor above. */
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
      return restrict(`${program}/${name}${name.endsWith("/") ? "**" : ""}`, [...foreign(program), ...upwards]);
    }),
  );
  return [restrict(`${program}/**`, foreign(program)), ...own];
}

export default {
  // Generated.
  ignorePatterns: ["server/widgets/built.ts"],
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
    ...Object.keys(floors).flatMap(overridesOf),
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
