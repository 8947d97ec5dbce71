import { configDefaults, defineConfig } from "vitest/config";

/** Need a POSIX system: signals, links to FIFOs, permissions, /proc, a shell, or Redis. */
const POSIX = [
  "test/cli/{cli,collect,commands,npm-flags,remote-store}.process.test.ts",
  "test/collector/pacing.process.test.ts",
  "test/features/kinds/command.process.test.ts",
  "test/examples/{compose,edge,hosting}.test.ts",
  "test/program/{build-edge,crash,handover,hang,late-loads,readme,roll-out,stop,store-secrets,systemd}.test.ts",
  "test/server/answers/semantics.process.test.ts",
  "test/server/door/{listener.process,overload}.test.ts",
  "test/features/mcp/stdio.process.test.ts",
  "test/snapshots/{hints,make-directory.process}.test.ts",
  "test/features/redis/*.test.ts",
  "test/features/{follow,probes,s3}/*.process.test.ts",
];

const UNUSED = [...configDefaults.exclude, ...(process.platform === "win32" ? POSIX : [])];

/** Start Vitrine or Redis: `npm run unit` leaves them out (vitest.unit.config.ts). Elsewhere a name says so: NAME.process.test.ts. */
const PROCESSES = ["test/program/**/*.test.ts", "test/examples/**/*.test.ts", "test/**/*.process.test.ts"];

/** Compute for seconds: worst texts, random documents and requests, years of a history, thousands of folders. Not in `npm run unit`. */
const LONG = [
  "test/**/linear.test.ts",
  "test/collector/property.test.ts",
  "test/features/express-lane/express-lane.test.ts",
  "test/features/history/reads.test.ts",
  "test/features/many/collect-many.test.ts",
  "test/server/door/overload.test.ts",
];

const common = {
  include: ["test/**/*.test.ts"],
  testTimeout: 30_000,
  hookTimeout: 30_000,
  // Most tests wait for processes and sockets, so two cores can run six workers; more would load the modules more often.
  maxWorkers: 6,
  // A separate process for each file would spend a fifth of the time loading the same modules.
  isolate: false,
  // Room for new objects: with the 16 MB of Node 20, collecting garbage takes a tenth of the time.
  execArgv: ["--max-semi-space-size=64"],
};

/** Not a second project of one configuration: each project would load all modules anew. */
export const unit = { ...common, name: "unit", exclude: [...UNUSED, ...PROCESSES, ...LONG] };

export default defineConfig({
  test: { ...common, exclude: UNUSED, globalSetup: "test/support/program/built.ts" },
});
