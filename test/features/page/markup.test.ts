// Text from facts in Markdown, which many read as it is: escapes stand only where a mark would mean something.
import { expect, test } from "vitest";
import { markdown } from "../../../server/features/page/markup.ts";

test.for([
  ["Free & Co", "Free & Co"],
  ["Fish &amp; Chips &#35;", "Fish \\&amp; Chips \\&#35;"],
  ["C# for snake_case and a__b", "C# for snake_case and a__b"],
  ["# one #", "\\# one \\#"],
  ["_a_ and __b__", "\\_a\\_ and \\_\\_b\\_\\_"],
  ["a_ b _c", "a\\_ b \\_c"],
  ["*a* `b` [c](d) <e> |f| ~~g~~ \\", "\\*a\\* \\`b\\` \\[c\\](d) \\<e\\> \\|f\\| \\~\\~g\\~\\~ \\\\"],
  ["two\n\nlines", "two lines"],
])("%j is %j (server/features/page/markup.ts)", ([text, expected]) => {
  expect(markdown`${text}`.text).toBe(expected);
});
