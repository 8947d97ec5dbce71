// A double of the code host for the action: its issues, its Pages, and the releases of a repository, on 127.0.0.1.
import { readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { json, startUpstream, status, type Behaviour } from "../../support/collecting/upstream.ts";

export interface Issue {
  number: number;
  title: string;
  body: string;
  state: string;
  comments: string[];
  user: string;
}

const API = "/repos/acme/facts";
export const BOT = "github-actions[bot]";

/** `site`: the directory that Pages serves. */
export async function startCodeHost(site: string) {
  const upstream = await startUpstream();
  const issues: Issue[] = [];
  const dispatches: { workflow: string; ref: unknown }[] = [];
  const state = { pages: "workflow" as "workflow" | "legacy" | "off" | "forbidden" };

  upstream.set(`${API}/pages`, (request, response) => {
    const answer = { html_url: upstream.url("/pages"), build_type: state.pages };
    const refusal = { off: 404, forbidden: 403, workflow: undefined, legacy: undefined }[state.pages];
    (refusal ? status(refusal) : json(answer))(request, response);
  });
  for (const file of ["plans.json", "release-macos.json", "release-windows.json", "last-run.json"]) {
    upstream.set(`/pages/${file}`, async (request, response) => {
      const text = await readFile(join(site, file), "utf8").catch(() => undefined);
      (text === undefined ? status(404) : status(200, { "content-type": "application/json" }, text))(request, response);
    });
  }
  upstream.set(`${API}/issues`, async (request, response) => {
    const asked = new URL(request.url ?? "", upstream.origin).searchParams;
    if (request.headers.authorization !== "Bearer of-the-run") return status(403)(request, response);
    if (request.method === "GET") {
      const found = issues.filter(({ state, user }) => state === asked.get("state") && user === asked.get("creator"));
      const first = (Number(asked.get("page")) - 1) * 100;
      return json(found.toReversed().slice(first, first + 100))(request, response);
    }
    const { title, body } = await bodyOf(request);
    return json(add({ title: String(title), body: String(body) }))(request, response);
  });
  const dispatch: Behaviour = async (request, response) => {
    dispatches.push({ workflow: request.url?.split("/").at(-2) ?? "", ref: (await bodyOf(request)).ref });
    status(204)(request, response);
  };
  upstream.set(`${API}/actions/workflows/facts.yml/dispatches`, dispatch);

  function add({ title, body = "", user = BOT }: { title: string; body?: string; user?: string }): Issue {
    const issue: Issue = { number: issues.length + 1, title, body, state: "open", comments: [], user };
    issues.push(issue);
    upstream.set(`${API}/issues/${issue.number}`, async (request, response) => {
      issue.state = String((await bodyOf(request)).state);
      json(issue)(request, response);
    });
    upstream.set(`${API}/issues/${issue.number}/comments`, async (request, response) => {
      issue.comments.push(String((await bodyOf(request)).body));
      json({})(request, response);
    });
    return issue;
  }

  return { upstream, issues, dispatches, state, add };
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return JSON.parse(text);
}

/** The releases of acme/notes as the API lists them, the newest first. */
export function setReleases(
  upstream: { set: (path: string, behaviour: Behaviour) => void },
  ...versions: string[]
): void {
  const link = (file: string) => `/acme/notes/releases/download/x/${file}`;
  const releases = versions.map((version) => ({
    tag_name: `v${version}`,
    draft: false,
    prerelease: false,
    published_at: "2026-11-02T10:01:02Z",
    body: "Faster.",
    assets: [`Notes-${version}.dmg`, `Notes-Setup-${version}.exe`].map((name) => {
      upstream.set(link(name), status(200, { "content-type": "application/octet-stream", "content-length": "1000" }));
      return { name, state: "uploaded", size: 1_000, browser_download_url: `https://github.com${link(name)}` };
    }),
  }));
  upstream.set("/repos/acme/notes/releases?per_page=100&page=1", json(releases));
  upstream.set("/repos/acme/notes/releases/latest", json(releases[0]));
}
