// Release notes in HTML become the text that a person would read.
import { describe, expect, test } from "vitest";
import { htmlText } from "../../collector/parsing/html.ts";

test.for<[what: string, html: string, text: string]>([
  ["paragraphs and headings", "<h2>New</h2><p>One</p>\n<p>Two</p>", "New\n\nOne\n\nTwo"],
  ["line breaks", "a<br>b<br/>c</br>d<br><br>e", "a\nb\nc\nd\n\ne"],
  ["lists", "New:\n<ul>\n <li>a</li>\n <li> b<li>c\n</ul>after", "New:\n- a\n- b\n- c\nafter"],
  ["lists of paragraphs", "<ul><li><p>a</p></li><li>\n<p>b</p></li></ul>", "- a\n\n- b"],
  ["lists in lists", "<ul><li>a<ul><li>b</li></ul></li><li></li><li>c</li></ul>", "- a\n- b\n- c"],
  ["divisions, one line each", "<div>a</div>\n<div><div>b</div></div>c", "a\nb\nc"],
  ["tables", "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>", "a b\n1 2"],
  ["links", '<a href="https://example.com/?a=1">the <b>notes</b></a>, here', "the notes, here"],
  ["preformatted lines", "x y\nz <pre>- a\n  - b\r\n\r\nc</pre>", "x y z\n- a\n- b\n\nc"],
  ["white space", "  a \n\t b <i> c</i>  <p> &nbsp; </p><p>d</p>", "a b c\n\nd"],
  [
    "every entity",
    "<b>&lt;b&gt; &amp;amp; caf&eacute; &hearts;&check; &#x1F600;&#8364; &copy 1</b>",
    "<b> &amp; café ♥✓ 😀€ © 1",
  ],
  ["what is no entity or tag", "<b>&xyz; 1 < 2 & 3 > 2 <3</b>", "&xyz; 1 < 2 & 3 > 2 <3"],
  ["text without markup, in its lines", "- a &amp; b\n\n  - c ", "- a & b\n\n  - c"],
  ["no scripts, styles, titles or comments", "<title>a</title><style>b</style><script>c<p></script>d<!-- e -->", "d"],
  [
    "nothing that browsers do not show",
    "<noscript>a</noscript><canvas>b</canvas><meter>c</meter><progress>d</progress><dialog>e</dialog><b popover>f</b><dialog open>g</dialog>",
    "g",
  ],
  [
    "nothing with a style that hides it, however it is written",
    "<b style='display:/* */none'>a</b><b style='/*;*/display: none'>b</b><b style='opacity:-1'>c</b><b style='font-size:+0'>d</b>" +
      "<b style='color:red/*'>e</b><b style='opacity:.5'>f</b>",
    "ef",
  ],
  ["a page with an open head", "<!DOCTYPE html><html><head><meta charset=utf-8><title>a</title><body>b</body>", "b"],
  ["torn markup", "<p>a <b>b</p><i>c<a href='", "a b\n\nc"],
])("%s", ([, html, text]) => {
  expect(htmlText(html)).toBe(text);
});

describe("of two hundred thousand characters", () => {
  const of = (text: string) => text.repeat(2e5 / text.length);
  test.for([
    "<",
    "&",
    "<p>",
    "</p>",
    "<br>",
    "<li>",
    "<!--",
    "<![CDATA[",
    "<script>",
    "<a b='",
    "<a b ",
    "</",
    "&#1",
    "&amp",
    " \n",
  ])("%j repeated is converted", (text) => {
    expect(htmlText(`<b>a</b>${of(text)}`)).toMatch(/^a/);
  });

  test.for(["<b>", "<div>", "<svg>", "<template>"])("%s inside each other are refused", (tag) => {
    expect(() => htmlText(of(tag))).toThrow("HTML nested too deeply");
    expect(htmlText(`${tag.repeat(400)}${of("</i></p>")}`)).toBe("");
  });
});
