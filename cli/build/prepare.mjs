// npm's `prepare`: builds dist when npm prepares this package for another project, as it does for a git address or a folder.
// npm runs it after `npm ci` in a checkout, too: nothing is built there, because a checkout runs the source and may have no
// packages to build with.
import { execFileSync } from "node:child_process";

const { npm_package_resolved: isForAnother } = process.env;

if (isForAnother) execFileSync(process.execPath, ["--import", "tsx", "cli/build/build.ts"], { stdio: "inherit" });
