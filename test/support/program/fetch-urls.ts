// Fetches each URL on the command line and prints one line of JSON for it. Host names that end in .example resolve to this
// machine, as if the upstream were a remote one.
import dns from "node:dns";
import { fetchText } from "../../../collector/http/fetch.ts";

const { lookup } = dns;
const here = { address: "127.0.0.1", family: 4 };
dns.lookup = Object.assign((name: string, options: dns.LookupAllOptions, done: (...found: unknown[]) => void) => {
  if (!name.endsWith(".example")) return Reflect.apply(lookup, dns, [name, options, done]);
  return options.all ? done(null, [here]) : done(null, here.address, here.family);
}, lookup);

for (const url of process.argv.slice(2)) {
  const headers = { "x-api-key": "secret" };
  const line = await fetchText(url, { signal: new AbortController().signal, deadline: 10_000, headers }).then(
    (fetched) => ({ fetched }),
    (error: unknown) => ({ error: String(error) }),
  );
  console.log(JSON.stringify(line));
}
process.exit();
