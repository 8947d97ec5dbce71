// Small pages for people who open the address of a program in a browser: /mcp, /status, and addresses with nothing
// behind them. They need no script, and nothing of the request is in them.
import { answer, type Answer } from "../../answers/answer.ts";
import type { SnapshotStatus } from "../../../snapshots/fact-state.ts";
import { commonHead, policyFor } from "./head.ts";
import type { Notices, Site } from "../../answers/addition.ts";
import { html, htmlTable, verbatim, type Html } from "./markup.ts";
import { noticeStyleFor } from "./style.ts";
import { dateTime, joinTitles, SNAPSHOT_TITLES } from "../words/words.ts";

export function createNotices({ api, base, logo }: Pick<Site, "api" | "base" | "logo">): Notices {
  const style = noticeStyleFor(api.color);
  const home = html`<p>
    <a href="${base}/"><bdi>${api.name}</bdi>: plans and downloads</a>
  </p>`;
  const agents = api.page?.includes("agents") === false ? "/llms.txt" : "/#agents";
  const notice = (title: string, content: Html): Answer => {
    const page = html`<!doctype html>
      <html lang="en">
        <head>
          ${commonHead(`${title} · ${api.name}`, logo, api.color)} ${verbatim("style", style)}
        </head>
        <body>
          <main>${content} ${home}</main>
        </body>
      </html>`;
    const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": policyFor(style) };
    return answer(200, page.text, headers);
  };
  const refusal = (status: number, message: string, more: Html | string = "") =>
    notice(
      message.replace(/\.$/, ""),
      html`<p>${status}</p>
        <h1>${message}</h1>
        ${more}`,
    );
  return {
    refusal,
    notFound: refusal(
      404,
      "There is nothing at this address.",
      html`<p>Programs find everything from <a href="${base}/api/v1">the index of the API</a>.</p>`,
    ),
    posting: refusal(
      405,
      "This is the address of an MCP server.",
      html`<p>It is for AI agents, which send it messages: <a href="${base}${agents}">add it to yours</a>.</p>`,
    ),
    status: (states, silentSince) => notice("Status", statusContent(states, silentSince)),
  };
}

const COLUMNS = ["Facts", "State", "Confirmed", "Fresh until", "Last collection"];

function statusContent(states: readonly SnapshotStatus[], silentSince: string | undefined): Html {
  const unavailable = states.filter(({ state }) => state !== "fresh").map(({ name }) => name);
  const title = unavailable.length === 0 ? "All facts are fresh." : `Unavailable: ${joinTitles(unavailable)}.`;
  const held = states.flatMap(({ name, held }) => (held ? [{ name, ...held }] : []));
  return html`<p>Status</p>
    <h1>${title}</h1>
    ${htmlTable(COLUMNS, states.map(stateRow))}
    ${silentSince !== undefined && html`<p>No collection since ${dateTime(silentSince)}: the next one is overdue.</p>`}
    ${held.map(
      ({ name, since, reasons }) =>
        html`<p>
          ${SNAPSHOT_TITLES[name]}: a candidate is held back since ${dateTime(since)}: ${reasons.join(", ")}.
        </p>`,
    )}`;
}

function stateRow({ name, state, aging, confirmedAt, freshUntil, lastOutcome }: SnapshotStatus): Html {
  const [confirmed, until] = [confirmedAt, freshUntil].map((time) => (time === undefined ? "–" : dateTime(time)));
  const collected = lastOutcome ? `${lastOutcome.result}, ${dateTime(lastOutcome.finishedAt)}` : "–";
  return html`<tr>
    <th scope="row">${SNAPSHOT_TITLES[name]}</th>
    <td data-state="${state}">${state}${aging && ", aging"}</td>
    ${[confirmed, until, collected].map((text, index) => html`<td data-label="${COLUMNS[index + 2]}">${text}</td>`)}
  </tr>`;
}
