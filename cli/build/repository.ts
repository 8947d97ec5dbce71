// What follows from the address of the repository. It stands once, as "repository" in package.json: homepage, bugs, mcpName, the
// entry for the MCP registry, links in documents and the template's action are made from it. Nobody knows the address before the
// owner has chosen it, so until then it says OWNER, and whatever would lead nowhere is left out.

export interface Manifest {
  version: string;
  repository: string;
  [key: string]: unknown;
}

const UNKNOWN = "OWNER";
const REGISTRY_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/** Whether the owner has yet to choose the address: nothing may be published before. */
export function isUnknown({ repository }: Manifest): boolean {
  return repository.includes(`${UNKNOWN}/`);
}

/** @throws Error unless "repository" is written `github:owner/name`. */
function pathOf({ repository }: Manifest): string {
  const path = /^github:([\w.-]+\/[\w.-]+)$/.exec(repository)?.[1];
  if (path === undefined) throw new Error(`"repository" in package.json is ${repository}: write "github:owner/name"`);
  return path;
}

/** The address of the repository, without a slash at its end. */
export function repositoryUrl(manifest: Manifest): string {
  return `https://github.com/${pathOf(manifest)}`;
}

/** The text of package.json, with what follows from its repository. */
export function withAddresses(text: string): string {
  const { homepage: _homepage, bugs: _bugs, mcpName: _mcpName, ...manifest } = JSON.parse(text) as Manifest;
  const path = pathOf(manifest);
  const url = repositoryUrl(manifest);
  const addresses = isUnknown(manifest) ? {} : { homepage: `${url}#readme`, bugs: `${url}/issues` };
  const entries = Object.entries(manifest).flatMap(([key, value]) =>
    key === "repository"
      ? Object.entries({ repository: value, ...addresses, mcpName: `io.github.${path}` })
      : [[key, value]],
  );
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}

/** The text of server.json: the program as an MCP server over stdin and stdout, for the MCP registry. Not the entry of a vendor's
 * own server, which that one publishes at /server.json. */
export function registryEntry(manifest: Manifest): string {
  const path = pathOf(manifest);
  const { version, name } = manifest;
  const entry = {
    $schema: REGISTRY_SCHEMA,
    name: `io.github.${path}`,
    title: "Vitrine",
    // The registry takes at most 100 characters.
    description: "A vendor's plans, prices and latest releases: public facts with an expiry, read-only.",
    version,
    ...(!isUnknown(manifest) && { repository: { url: repositoryUrl(manifest), source: "github" } }),
    packages: [
      {
        registryType: "npm",
        identifier: name,
        version,
        transport: { type: "stdio" },
        packageArguments: [
          { type: "positional", value: "mcp" },
          {
            type: "named",
            name: "--config",
            description: "The settings of the vendor: vitrine.config.json",
            format: "filepath",
            isRequired: true,
          },
        ],
      },
    ],
  };
  return `${JSON.stringify(entry, null, 2)}\n`;
}

/** A document with what the repository publishes between its markers, each within a line: how to run it without a checkout, and
 * links. Nothing while the repository is unknown. */
export function withLinks(document: string, manifest: Manifest): string {
  const path = pathOf(manifest);
  const url = repositoryUrl(manifest);
  const image = `ghcr.io/${path.toLowerCase()}`;
  const parts = {
    run: ` So do \`npx ${manifest.name} start\` and \`docker run --publish 3000:3000 ${image} start --demo\`.`,
    links: ` · [releases](${url}/releases) · [image](https://${image}) · [questions](${url}/issues)`,
  };
  return Object.entries(parts).reduce((text, [name, part]) => {
    const marked = new RegExp(`(<!-- ${name}: [^>]*-->).*(<!-- /${name} -->)`);
    return text.replace(marked, `$1${isUnknown(manifest) ? "" : part}$2`);
  }, document);
}

/** A file of the template, with the address of this repository, and the action and the package of this major version. While the
 * address is unknown, the action says that it has to be replaced, because the host's own error names no remedy. */
export function ofTemplate(text: string, manifest: Manifest): string {
  const path = pathOf(manifest);
  const [major] = manifest.version.split(".");
  const replace = isUnknown(manifest) ? ` # instead of ${UNKNOWN}: the account on GitHub with Vitrine` : "";
  return text
    .replaceAll(/uses: \S+\/examples\/pages@\S+(?: # .*)?/g, `uses: ${path}/examples/pages@v${major}${replace}`)
    .replaceAll(/npm install github:[\w./#-]+/g, `npm install github:${path}#v${major}`)
    .replaceAll(/(https:\/\/github\.com\/)[\w.-]+\/[\w.-]+/g, `$1${path}`);
}
