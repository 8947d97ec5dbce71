// The server's name in hosts, derived from the vendor's.
import { expect, test } from "vitest";
import { hostName } from "../../../server/mcp/identity.ts";

test.for([
  ["Lumen Notes", "lumen-notes"],
  ["  Notes & more!  ", "notes-more"],
  ["Müller Büro", "muller-buro"],
  ["MÜLLER", "muller"],
  ["Straße Ægir Øst Łódź İz", "strasse-aegir-ost-lodz-iz"],
  ["Ｎｏｔｅｓ", "notes"],
  ["Ωmega 2", "mega-2"],
  ["Заметки", "api-notes-example"],
  ["X", "api-notes-example"],
  ["2048", "api-notes-example"],
  ["メモ帳", "api-notes-example"],
] as const)("%s is %s", ([name, slug]) => {
  expect(hostName(name, "https://api.notes.example:8443/x")).toBe(slug);
});

test("without a Latin letter and an address it is a neutral word", () => {
  expect(hostName("Заметки")).toBe("product");
});
