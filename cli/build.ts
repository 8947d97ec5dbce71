// `npm run build`: the program as it is published, in dist.
import { rm } from "node:fs/promises";
import { bundle } from "./bundle.ts";

const dist = new URL("../dist/", import.meta.url);
await rm(dist, { recursive: true, force: true });
await bundle({ vitrine: "cli/main.ts" }, "dist");
