// The addresses, and complete programs in four languages that call the API at its real addresses.
import type { Example } from "../../../answers/addition.ts";
import {
  copyBlock,
  copyButton,
  fenced,
  html,
  joined,
  markdown,
  switchBetween,
  switchRules,
  trusted,
  type Html,
  type Section,
} from "../markup.ts";
import type { View } from "../view.ts";

export function useSection(view: View): Section {
  const snippets = snippetsFor(view);
  const listed = addresses(view);
  const past = view.mentions().flatMap((mention) => mention.past ?? []);
  return {
    id: "use",
    title: "Use it",
    html: html`<p>No key and no account: call it over HTTPS from a server, an app or a web page.</p>
      <dl class="addresses">
        ${listed.map(
          ({ id, title, url }) =>
            html`<div>
              <dt>${title}</dt>
              <dd><a id="${id}" href="${url}">${url}</a>${copyButton(id, `the ${title} address`)}</dd>
            </div>`,
        )}
      </dl>
      ${
        past.length > 0 &&
        html`<p>
          As of any day, with <code>?at=</code>:
          ${past.map(({ title, href }, index) => html`${index > 0 && ", "}<a href="${href}">${title}</a>`)}.
        </p>`
      }
      ${switchBetween(
        "tab",
        "Language of the example",
        snippets.map(({ id, language }) => ({ value: id, label: language })),
      )}
      ${snippets.map(
        ({ id, language, text }) =>
          html`<div data-tab="${id}">${copyBlock(`use-${id}`, inTones(text), `the example for ${language}`)}</div>`,
      )}`,
    markdown: markdown`${joined(
      listed.map(({ title, url }) => markdown`- ${title}: ${trusted<"markdown">(`<${url}>`)}`),
      "\n",
    )}
${past.length > 0 && markdown`- As of any day, with ${trusted<"markdown">("`?at=`")}: ${trusted<"markdown">(past.map(({ href }) => `<${href}>`).join(", "))}\n`}
${joined(
  snippets.map(({ id, language, text }) => markdown`### ${language}\n\n${fenced(text, id)}`),
  "\n\n",
)}`,
  };
}

/** CSS rules by which the chosen language's example is shown. */
export function exampleRules(view: View): string {
  return switchRules(
    "use",
    "tab",
    snippetsFor(view).map(({ id }) => id),
  );
}

function inTones(code: string): (string | Html)[] {
  return code.split(/("[^"\n]*"|'[^'\n]*')/).map((part, index) => (index % 2 === 0 ? part : html`<i>${part}</i>`));
}

function addresses({ index, base }: View): { id: string; title: string; url: string }[] {
  return [
    { id: "address-rest", title: "REST", url: `${base}/api/v1` },
    { id: "address-openapi", title: "OpenAPI", url: index.openapi },
    { id: "address-mcp", title: "MCP", url: index.mcp },
  ];
}

/** Normalised URLs have no quotes, backslashes or line breaks, so they need no escaping in any of the languages. */
function snippetsFor({ index, mentions, releases }: View): Example[] {
  const { plans, latestRelease } = index.endpoints;
  // One that has a release, if there is any.
  const release = `${latestRelease}?platform=${releases[0]?.platform ?? "macos"}`;
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
    ...mentions().flatMap(({ examples = [] }) => examples),
  ];
}
