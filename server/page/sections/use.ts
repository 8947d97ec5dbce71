// Complete programs in four languages that call the API at its real addresses.
import { fenced, html, joined, markdown } from "../markup.ts";
import { copyBlock, type Section } from "../components.ts";
import type { View } from "../view.ts";

export function useSection({ index }: View): Section {
  const snippets = snippetsFor(index.endpoints.plans, `${index.endpoints.latestRelease}?platform=macos`);
  return {
    id: "use",
    title: "Use it",
    html: html`<p>No key and no account: call it over HTTPS from a server, an app or a web page.</p>
      ${snippets.map(
        ({ id, language, text }, index) =>
          html`<details${index === 0 && html` open`}><summary>${language}</summary>${copyBlock(`use-${id}`, text, `the example for ${language}`)}</details>`,
      )}`,
    markdown: joined(
      snippets.map(({ id, language, text }) => markdown`### ${language}\n\n${fenced(text, id)}`),
      "\n\n",
    ),
  };
}

/** Normalised URLs have no quotes, backslashes or line breaks, so they need no escaping in any of the languages. */
function snippetsFor(plans: string, release: string) {
  return [
    { id: "sh", language: "curl", text: `curl '${plans}'\ncurl '${release}'` },
    {
      id: "js",
      language: "JavaScript",
      text: `const response = await fetch("${plans}");
if (!response.ok) throw new Error(\`answered \${response.status}\`);
const { currency, plans } = await response.json();
for (const { id, monthlyPrice } of plans) console.log(id, monthlyPrice, currency);`,
    },
    {
      id: "python",
      language: "Python",
      text: `import json
from urllib.request import urlopen

with urlopen("${release}") as response:
    release = json.load(response)
print(release["latest"]["version"] if release["hasUpdate"] else "no release")`,
    },
    {
      id: "swift",
      language: "Swift",
      text: `import Foundation

struct LatestRelease: Decodable {
    struct Release: Decodable { let version: String, downloadURL: URL }
    let hasUpdate: Bool
    let forceUpdate: Bool?
    let latest: Release?
}

let address = URL(string: "${release}")!
let (data, _) = try await URLSession.shared.data(from: address)
let release = try JSONDecoder().decode(LatestRelease.self, from: data)
print(release.latest?.version ?? "no release")`,
    },
  ];
}
