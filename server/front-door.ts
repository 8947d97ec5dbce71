// The first of two doors to the prepared answers: in the listener, before h3, for GET and HEAD of targets that are known
// exactly as they are written. Everything else, odd spellings of the same routes included, goes on to h3 and ends in the
// same answers.
import type { RequestListener } from "node:http";
import type { Table } from "./table.ts";

/** Answers what the table knows; hands the rest to `next`. */
export function frontDoor(table: Table, next: RequestListener): RequestListener {
  return (request, response) => {
    const { method, url = "", headers } = request;
    const isRead = method === "GET" || method === "HEAD";
    const choice = isRead ? table.answer(url, headers) : undefined;
    if (!choice) return next(request, response);
    response.writeHead(choice.status, choice.headers as string[]);
    if (method === "HEAD" || choice.status === 304) response.end();
    else response.end(choice.body);
  };
}
