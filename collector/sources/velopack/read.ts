// releases.{channel}.json, as Velopack writes it: every package of one channel. Full and delta packages have the same notes.
import * as z from "zod";
import { parseJson } from "../../parsing/json.ts";
import { checkShape, listOf, notes, shortText } from "../../parsing/shape.ts";
import type { ListedVersion } from "../../releases/version-feed.ts";
import { KIB, MIB, type DocumentReader } from "../fetch-document.ts";

const VelopackFeed = z.object({ Assets: listOf(z.object({ Version: shortText, NotesMarkdown: notes }), 10_000) });

export const velopackReader: DocumentReader<ListedVersion[]> = {
  name: "velopack",
  maxInPlace: 128 * KIB,
  maxBytes: 4 * MIB,
  read(text) {
    const { Assets } = checkShape(VelopackFeed, parseJson(text), "a Velopack feed");
    return Assets.map(({ Version, NotesMarkdown }) => ({ version: Version, notes: NotesMarkdown, date: "", link: "" }));
  },
};
