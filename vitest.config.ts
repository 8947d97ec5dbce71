import { configDefaults, defineConfig } from "vitest/config";

/** Need a POSIX system: signals, links to FIFOs, permissions, /proc, a shell, or Redis. */
const POSIX = [
  "test/cli/{cli,collect,commands,remote-store}.test.ts",
  "test/collector/{pacing,privacy}.test.ts",
  "test/features/kinds/command.test.ts",
  "test/examples/{compose,edge,hosting}.test.ts",
  "test/program/{build-edge,crash,followed,handover,hang,late-loads,readme,redis,s3,stop,store-secrets,systemd}.test.ts",
  "test/server/answers/semantics.test.ts",
  "test/server/door/{listener,overload}.test.ts",
  "test/features/mcp/stdio.test.ts",
  "test/snapshots/{hints,make-directory}.test.ts",
  "test/features/redis/*.test.ts",
];

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...(process.platform === "win32" ? POSIX : [])],
    globalSetup: "test/support/program/built.ts",
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Most tests wait for processes and sockets, so two cores can run four workers.
    maxWorkers: 4,
    // A separate process for each file would spend a fifth of the time loading the same modules.
    isolate: false,
    // Room for new objects: with the 16 MB of Node 20, collecting garbage takes a tenth of the time.
    execArgv: ["--max-semi-space-size=64"],
  },
});
