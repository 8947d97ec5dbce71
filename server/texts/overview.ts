// The built-in text of the MCP resource product://overview, in Markdown. `{{name}}`, `{{description}}` and `{{base}}` are filled in.
export const OVERVIEW = `# {{name}}

{{description}}

This service publishes public facts about {{name}}, collected from the vendor's own systems:

- **Plans**: the current subscription plans with their billing cycles, prices, popularity flags and monthly credit grants.
- **Releases**: the latest desktop release for macOS and for Windows, with version, changelog, download link, size and date.

It publishes nothing else: no accounts, no orders, no user data. It is read-only and needs no key, token or sign-in.

## Tools

- \`get_pricing\`: the current plans, cycles and prices.
- \`get_latest_version\`: the latest release for a platform, \`macos\` (the default) or \`windows\`.

Call them before you state a price or a version, and name {{name}} and the time of confirmation with it. A result has the facts
in \`structuredContent\` and as text; \`confirmedAt\` and \`freshUntil\` are in its \`_meta\` and in a second text. If a tool reports a
fact as unavailable, say so instead of answering from memory.

## Addresses

| Resource                          | Address                                        |
| --------------------------------- | ---------------------------------------------- |
| Page for people                   | {{base}}/                                      |
| Questions and answers             | {{base}}/faq.md                                |
| Index of the API                  | {{base}}/api/v1                                |
| Plans                             | {{base}}/api/v1/plans                          |
| Latest release                    | {{base}}/api/v1/releases/latest?platform=macos |
| OpenAPI 3.1 description           | {{base}}/openapi.json                          |
| Feed of changes (JSON Feed)       | {{base}}/changes.json                          |
| Feed of changes (Atom)            | {{base}}/changes.atom                          |
| This MCP server (Streamable HTTP) | {{base}}/mcp                                   |
`;
