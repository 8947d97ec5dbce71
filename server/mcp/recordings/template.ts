// The text of one recorded answer, with gaps for the parts that differ between clients and between confirmations. Long
// pieces between the gaps are shared by all clients and all confirmations.
import { randomUUID } from "node:crypto";
import { MAX_COPIED_BYTES } from "../../answers/prepared.ts";
import type { McpResponse } from "../sdk-server.ts";

const MARK = randomUUID();

/** Replace the parts of an answer, each a whole JSON string, while it is recorded. */
export const PLACEHOLDERS = {
  id: `${MARK}:id`,
  confirmedAt: `${MARK}:confirmedAt`,
  freshUntil: `${MARK}:freshUntil`,
  note: `${MARK}:note`,
};
type Gap = keyof typeof PLACEHOLDERS;

export type Template = readonly (Uint8Array | Gap)[];

/** An answer before and after its id. */
export type Recording =
  | readonly [before: string, after: string]
  | readonly [before: readonly Uint8Array[], after: readonly Uint8Array[]];

export function templateOf(response: McpResponse): Template {
  const pieces = JSON.stringify(response).split(new RegExp(`"${MARK}:(\\w+)"`));
  return pieces.map((piece, index) => (index % 2 === 0 ? Buffer.from(piece) : (piece as Gap)));
}

/** Fills all gaps but the id's. */
export function fillIn(template: Template, values: Partial<Record<Gap, string | undefined>> = {}): Recording {
  const chunks = template.map((piece) =>
    typeof piece === "string" ? Buffer.from(JSON.stringify(values[piece] ?? "")) : piece,
  );
  const position = template.indexOf("id");
  const [before, after] = [chunks.slice(0, position), chunks.slice(position + 1)];
  const length = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (length > MAX_COPIED_BYTES) return [before, after];
  return [Buffer.concat(before).toString("latin1"), Buffer.concat(after).toString("latin1")];
}
