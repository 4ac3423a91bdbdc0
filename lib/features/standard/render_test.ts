import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { renderMarkdown } from "./render.ts";

const html = (markdown: string) => renderMarkdown(markdown).html.trim();

const ATTACKS = [
  "<script>alert(1)</script>",
  "<scr<script>ipt>alert(1)</scr</script>ipt>",
  "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
  "a <script>alert(1)</script> b",
  "<img src=x onerror=alert(1)>",
  "![x](x.png)",
  "<svg onload=alert(1)><a xlink:href='javascript:alert(1)'>x</a></svg>",
  "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
  "<iframe src='https://evil.example'></iframe>",
  "<iframe srcdoc='<script>alert(1)</script>'>text</iframe>",
  "<object data=x></object><embed src=x><base href='https://evil.example/'>",
  "<form action='https://evil.example'><input name=q><button>Go</button></form>",
  "<meta http-equiv=refresh content='0;url=https://evil.example'>",
  "<style>body{display:none}</style><link rel=stylesheet href=x>",
  "<p style='position:fixed' class='card' id='main' onclick='alert(1)' tabindex=1>x</p>",
  "<h2 id='x' onmouseover='alert(1)'>x</h2>",
  "<table style='x' class='y' role='presentation'><tr><td onclick=x>1</td></tr></table>",
  "<h2><table><tr><td>x</td></tr></table></h2>",
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](&#106;avascript:alert(1))",
  "[x](<java\tscript:alert(1)>)",
  "<a href='java\nscript:alert(1)'>x</a>",
  "[x](data:text/html;base64,PHNjcmlwdD4=)",
  "[x](vbscript:x)",
  "[x](file:///etc/passwd)",
  "[x](//evil.example)",
  "<javascript:alert(1)>",
  '## "><script>alert(1)</script>',
  '## " onmouseover="alert(1)\n\n|a|\n|-|\n|b|',
  "## <a href='javascript:x'>x</a>",
  "`<script>`\n\n```html\n<script>alert(1)</script>\n```",
];

/** Returns whether a link resolves to an allowed scheme or to the page's own host. */
function isAllowedLink(href: string): boolean {
  const { protocol, host } = new URL(
    href.replaceAll("&amp;", "&"),
    "https://own.example/standard/x",
  );
  return protocol === "mailto:" || /^https?:/i.test(href) ||
    protocol === "https:" && host === "own.example";
}

/** The allowed attributes and their values. */
const ATTRIBUTES: Record<string, Pick<RegExp, "test">> = {
  "a class": /^anchor$/,
  "a href": { test: isAllowedLink },
  "a rel": /^noopener$/,
  "ol start": /^\d+$/,
  "th scope": /^col$/,
  "pre class": /^bytes$/,
  "div class": /^(table-region|code-sample)$/,
  "div role": /^region$/,
  "div tabindex": /^0$/,
  "div aria-label": /^Table/,
};
const TAGS =
  /^(h[2-6]|p|blockquote|hr|br|ul|ol|li|pre|code|kbd|table|thead|tbody|tr|th|td|strong|em|del|sub|sup|a|div)$/;

const TAG = /<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+="[^"<>]*")*)(?: \/)?>/g;

/** Returns everything that is not text or an allowed tag with allowed attributes. */
function disallowed(text: string): string[] {
  const found: string[] = [];
  const rest = text.replace(TAG, (whole, _closing, tag, attributes) => {
    if (!TAGS.test(tag)) found.push(whole);
    for (const [, name, value] of attributes.matchAll(/ ([a-z-]+)="([^"]*)"/g)) {
      const rule = /^h\d$/.test(tag) && name === "id" ? /^\S+$/ : ATTRIBUTES[`${tag} ${name}`];
      if (!rule?.test(value)) found.push(`${tag} ${name}=${value}`);
    }
    return "";
  });
  if (/[<>]/.test(rest)) found.push(rest);
  return found;
}

Deno.test("renderMarkdown() neutralises each attack", () => {
  for (const attack of ATTACKS) assertEquals(disallowed(html(attack)), [], attack);
});

Deno.test("renderMarkdown() neutralises any mixture of attacks and Markdown", () => {
  const pieces = fc.constantFrom(
    ...ATTACKS,
    "\n\n",
    "|a|\n|-|\n",
    "# ",
    "- ",
    "> ",
    "`",
    "**",
    '"',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
      assertEquals(disallowed(html(parts.join(""))), []);
    }),
    { numRuns: 300 },
  );
});

Deno.test("disallowed() finds disallowed tags and attributes", () => {
  for (
    const bad of ["<script>", '<p class="x">', '<a href="javascript:x">', "<img src=x>", "a < b"]
  ) {
    assertEquals(disallowed(bad).length, 1, bad);
  }
});

Deno.test("renderMarkdown() keeps the text next to an attack", () => {
  assertEquals(html("a <script>alert(1)</script> b").replace(/\s+/g, " "), "<p>a b</p>");
  assertEquals(html("`<script>`"), "<p><code>&lt;script&gt;</code></p>");
});

Deno.test("links keep https, http, mailto and relative URLs and lose all others", () => {
  const link = (href: string) => html(`[x](${href})`);
  assertEquals(link("/standard/heads#keys"), '<p><a href="/standard/heads#keys">x</a></p>');
  assertEquals(link("#keys"), '<p><a href="#keys">x</a></p>');
  assertEquals(link("mailto:a@b.example"), '<p><a href="mailto:a@b.example">x</a></p>');
  for (const outside of ["https://b.example/", "http://b.example/"]) {
    assertEquals(link(outside), `<p><a href="${outside}" rel="noopener">x</a></p>`);
  }
  for (const refused of ["javascript:x", "data:x", "ftp://b.example", "//b.example"]) {
    assertEquals(link(refused), "<p><a>x</a></p>", refused);
  }
});

Deno.test("headings have unique anchors and link to themselves", () => {
  const rendered = renderMarkdown(
    "## The `salt` & <more>\n\n### Record\n\n### Record\n\n## Record-1\n\n## !!!\n\n## [Heads](/x)\n\n# Zoë",
  );
  assertEquals(rendered.headings, [
    { id: "the-salt--", text: "The salt & ", level: 2 },
    { id: "record", text: "Record", level: 3 },
    { id: "record-1", text: "Record", level: 3 },
    { id: "record-1-1", text: "Record-1", level: 2 },
    { id: "section", text: "!!!", level: 2 },
    { id: "heads", text: "Heads", level: 2 },
    { id: "zoë", text: "Zoë", level: 2 },
  ]);
  for (const { id, level } of rendered.headings) {
    assertStringIncludes(
      rendered.html,
      `<h${level} id="${id}"><a class="anchor" href="#${id}">`,
    );
  }
  assertStringIncludes(rendered.html, "The <code>salt</code> &amp;");
  assertFalse(rendered.html.includes('href="/x"'));
});

Deno.test("a heading does not get an id that the page uses", () => {
  assertEquals(renderMarkdown("## Main").headings[0].id, "main-1");
  assertEquals(renderMarkdown("## On this page").headings[0].id, "on-this-page-1");
});

Deno.test("each table is in a focusable region with its own name", () => {
  const table = "| a | b |\n|---|---|\n| 1 | 2 |\n\n";
  const { html } = renderMarkdown(
    `${table}## "Faults" & <b>more</b>\n\n${table}${table}## Next\n\n${table}## Next\n\n${table}`,
  );
  const labels = [...html.matchAll(
    /<div class="table-region" role="region" tabindex="0" aria-label="([^"]*)"><table>/g,
  )].map(([, label]) => label);
  assertEquals(labels, [
    "Table",
    "Table: &quot;Faults&quot; &amp; more",
    "Table: &quot;Faults&quot; &amp; more (2)",
    "Table: Next",
    "Table: Next (2)",
  ]);
  assertEquals(html.split("</table></div>").length - 1, labels.length);
  assert(html.includes('<th scope="col">a</th>'));
});

Deno.test("a code block is escaped and otherwise unchanged", () => {
  assertEquals(
    html('```json\n{"a": "<b>"}\n```'),
    '<div class="code-sample"><pre><code>{"a": "&lt;b&gt;"}\n</code></pre></div>',
  );
});

Deno.test("only a code block of one word gets the class that lets it break anywhere", () => {
  const block = (code: string) => html("```\n" + code + "\n```");
  assertEquals(
    block("00ff00ff"),
    '<div class="code-sample"><pre class="bytes"><code>00ff00ff\n</code></pre></div>',
  );
  for (const code of ["a = b", "a\nb"]) {
    assertEquals(block(code), `<div class="code-sample"><pre><code>${code}\n</code></pre></div>`);
  }
});

Deno.test("headings are numbered, and those of a section of a longer page are below its title", () => {
  const text = "## A\n\n### B\n\n#### C\n\n## D\n\n### E\n\n|a|\n|-|\n|b|";
  const section = { id: "heads", title: "Heads" };
  const { headings, html } = renderMarkdown(text, { number: 5, section });
  assertEquals(headings, [
    { id: "heads-a", text: "A", level: 3, number: "5.1" },
    { id: "heads-b", text: "B", level: 4, number: "5.1.1" },
    { id: "heads-c", text: "C", level: 5 },
    { id: "heads-d", text: "D", level: 3, number: "5.2" },
    { id: "heads-e", text: "E", level: 4, number: "5.2.1" },
  ]);
  const link = '<a class="anchor" href="#heads-e"><span class="number">5.2.1</span> E</a>';
  assertStringIncludes(html, `<h4 id="heads-e">${link}</h4>`);
  assertStringIncludes(html, 'aria-label="Table: Heads: E"');
});
