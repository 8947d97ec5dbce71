// Prints the plans as the edge answers them from a directory of snapshots, the first argument.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createHandler } from "vitrine/edge";

const get = (key) => readFile(join(process.argv[2], key)).catch(() => undefined);
const handler = createHandler({ store: { get }, base: "https://facts.acme.example" });
const response = await handler(new Request("https://facts.acme.example/api/v1/plans"));
process.stdout.write(await response.text());
