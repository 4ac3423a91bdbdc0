import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { isRewritable } from "./headers.ts";
import { createReferences } from "./references.ts";
import { rewriteHtml } from "./rewrite_html.ts";
import { processorMs } from "../../testing/times.ts";

const SLUG = "docs-0123456789abcdef01234567";
const PAGE = "https://docs.example/a/b/page.html?q=1";

/** Rewrites a body that arrives in chunks of `size` bytes. */
async function rewrite(body: string | Uint8Array, size = 1 << 16): Promise<Uint8Array> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  let from = 0;
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (from >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(from, from += size));
    },
  });
  const references = createReferences("https://docs.example", SLUG, PAGE);
  const rewritten = source.pipeThrough(rewriteHtml(references));
  return new Uint8Array(await new Response(rewritten).arrayBuffer());
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes).replaceAll(SLUG, "§");

/** A page, and its rewritten form with § for the slug; undefined if the page is unchanged. */
const PAGES: [page: string, rewritten?: string][] = [
  ['<a href="/x">', '<a href="/§/x">'],
  ["<a href=/x>", "<a href=/§/x>"],
  ["<A HREF = '/x?a=1&amp;b=\u00e9' class=k>", "<A HREF = '/§/x?a=1&amp;b=\u00e9' class=k>"],
  ['<a\r\nhref="/x"\r\n>', '<a\r\nhref="/§/x"\r\n>'],
  ['<a/href="/x">', '<a/href="/§/x">'],
  ['<a href=" /x">', '<a href="/§/x">'],
  ['<a href="/x" href="/y">', '<a href="/§/x" href="/y">'],
  ['<a href="/">', '<a href="/§/">'],
  ['<a href="\\x">', '<a href="/§\\x">'],
  ['<a href="https://docs.example/x#f">', '<a href="/§/x#f">'],
  ['<a href="HTTPS://DOCS.example:443/x">', '<a href="/§/x">'],
  ["<a href=https://docs.example>", "<a href=/§/>"],
  ['<a href="https://docs.example?q">', '<a href="/§/?q">'],
  ['<a href="//docs.example/x">', '<a href="/§/x">'],
  ['<a href="../../../x">', '<a href="/§/x">'],
  ['<a href="../c">', '<a href="/§/a/c">'],
  ['<a href="/../x">', '<a href="/§/x">'],
  ['<a href="https://docs.example/../x">', '<a href="/§/x">'],
  ['<a href="%2E%2e/%2e./../caf\u00e9?x=1&amp;y">', '<a href="/§/caf%C3%A9?x=1&amp;y">'],
  [
    '<img src=/i srcset="/a 1x, /b 2x,https://docs.example/c,d 3w">',
    '<img src=/§/i srcset="/§/a 1x, /§/b 2x,/§/c,d 3w">',
  ],
  [
    '<img srcset="data:image/png;base64,AA== 1x, /b 2x">',
    '<img srcset="data:image/png;base64,AA== 1x, /§/b 2x">',
  ],
  [
    '<img srcset=",/a,, /b(1,2) 1x, /c calc(1,2) x, /d (">',
    '<img srcset=",/§/a,, /§/b(1,2) 1x, /§/c calc(1,2) x, /§/d (">',
  ],
  ['<img srcset="../\u00e0/b 1x, /\u00e0\n2x">', '<img srcset="/§/a/%C3%A0/b 1x, /§/\u00e0\n2x">'],
  [
    "<link href=/a imagesrcset='/b' rel=preload>",
    "<link href=/§/a imagesrcset='/§/b' rel=preload>",
  ],
  [
    '<form action="/f"><button formaction="/g">',
    '<form action="/§/f"><button formaction="/§/g">',
  ],
  [
    "<video poster=/p src=/v><source src=/s srcset=/t><track src=/u>",
    "<video poster=/§/p src=/§/v><source src=/§/s srcset=/§/t><track src=/§/u>",
  ],
  ["<object data=/o></object><p data=/o>", "<object data=/§/o></object><p data=/o>"],
  ["<script src=/s></script><iframe src=/f>", "<script src=/§/s></script><iframe src=/§/f>"],
  ['<svg><use xlink:href="/s#a" HREF="/t"/>', '<svg><use xlink:href="/§/s#a" HREF="/§/t"/>'],
  ["<body background=/b><q cite=/c>", "<body background=/§/b><q cite=/§/c>"],
  [
    `<meta http-equiv="Refresh" content="0; URL='/n'">`,
    `<meta http-equiv="Refresh" content="0; URL='/§/n'">`,
  ],
  ['<meta http-equiv=refresh content="5">'],
  ['<meta name=description content="/n">'],
  ['<meta name=Referrer content="unsafe-url">', '<meta name=Referrer content="no-referrer">'],
  [
    "<a href=x ping='https://spy.example/' referrerpolicy=unsafe-url>",
    "<a href=x ping='' referrerpolicy=\"\">",
  ],
  [
    '<base href="/docs/"><a href="/x"><a href="y"><a href="../../z">',
    '<base href="/§/docs/"><a href="/§/x"><a href="y"><a href="/§/z">',
  ],
  ['<base href="https://cdn.example/"><a href="/x"><a href="../x">'],
  [
    '<base href="/docs/"><base href="https://cdn.example/"><a href="/x">',
    '<base href="/§/docs/"><base href="https://cdn.example/"><a href="/§/x">',
  ],
  [
    '<base href="https://cdn.example/"><a href="https://docs.example/x">',
    '<base href="https://cdn.example/"><a href="/§/x">',
  ],
  ['<base href="data:,x"><a href="/x">', '<base href="data:,x"><a href="/§/x">'],
  ['<a href="&#x2F;x&#47;y&amp;">', '<a href="/§/x/y&amp;">'],
  ["<a href=https&#x3a;&sol;&sol;docs.example&sol;x>", "<a href=/§/x>"],
  ['<base href="&#x2F;docs/">', '<base href="/§/docs/">'],
  ['<a href="/&#x2F;evil.example/"><a href="x&#x2F;y"><a href="tel&colon;&#47;1">'],
  ['<a href="x.html"><a href=""><a href><a href="#f"><a href="?q=../..">'],
  ['<a href="mailto:a@b.example"><a href="javascript:\'/../\'"><a href="tel:/1">'],
  ['<a href="//evil.example/x"><a href="/\\evil.example/">'],
  ['<a href="http://docs.example/x"><a href="https://docs.example:444/">'],
  ['<a href="https://docs.example.evil.example/"><a href="https://docs.example@evil.example/">'],
  ['<script>a = \'<a href="/x">\'</script><!-- <a href="/x"> --><style>a{b:url(/x)}</style>'],
  ['<title><a href="/x"></title><textarea><a href="/x"></textarea><plaintext><a href="/x">'],
  ['<svg><![CDATA[<a href="/x">]]></svg><a title="<a href=\'/x\'>">'],
  ['<a href="/x'],
  ["<a href='/x' <b"],
  ['<pre>\n\n\u0000<p =href="/x">&nosuch;&amp;</p\r\n>'],
  [""],
];

for (const [page, rewritten = page] of PAGES) {
  const becomes = rewritten === page ? "is unchanged" : "is rewritten";
  Deno.test(`${JSON.stringify(page)} ${becomes} in chunks of any size`, async () => {
    for (const size of [1 << 16, 1, 3]) {
      assertEquals(textOf(await rewrite(page, size)), rewritten, `in chunks of ${size}`);
    }
  });
}

Deno.test("bytes without a link are unchanged", async () => {
  const pieces = fc.constantFrom(
    ..."< > / ! - = \" ' & ; \r \n \0 a p script style title svg math <!-- --> <p> </p> ]]> &amp"
      .split(" "),
    "<![CDATA[",
    " ",
    "\u00ef\u00bb\u00bf",
    "\u00c3\u00a9",
    "\u00ff\u00fe",
    "\u0080",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 60 }), fc.integer({ min: 1, max: 9 }), async (
      parts,
      size,
    ) => {
      const bytes = Uint8Array.from(parts.join(""), (char) => char.charCodeAt(0));
      assertEquals(await rewrite(bytes, size), bytes);
    }),
    { numRuns: 300 },
  );
});

Deno.test("all other bytes of a page in another encoding are unchanged", async () => {
  const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
  const page = latin1('<title>caf\xe9</title><a href="/caf\xe9">\xff</a>');
  assertEquals(
    await rewrite(page, 2),
    latin1(`<title>caf\xe9</title><a href="/${SLUG}/caf\xe9">\xff</a>`),
  );
});

Deno.test("nothing is rewritten after a tag of more than 4 MiB", async () => {
  const page = `<a href="/x"><img src="data:${"A".repeat(5 << 20)}"><a href="/y">`;
  const rewritten = textOf(await rewrite(page));
  assert(rewritten === page.replace("/x", "/§/x"), rewritten.slice(0, 100));
});

Deno.test("the time to rewrite an attribute is linear in its length", async () => {
  for (const length of [4_000, 100_000]) {
    const long = (text: string) => text.repeat(length);
    const attributes = [
      ...[",", " ", "(", " (", "a,", "a ,", ", ", " ( )"].flatMap((text) => [
        `srcset="a${long(text)}"`,
        `srcset="${long(text)}b"`,
      ]),
      ...["../", ".", "%2e", "&#47;"].map((text) => `href="${long(text)}"`),
      ...["; ", "5.", " url"].map((text) => `content="5;${long(text)}"`),
    ];
    for (const attribute of attributes) {
      const ms = await processorMs(() => rewrite(`<meta http-equiv=refresh ${attribute}>`));
      assert(ms < 2_000, `${ms} ms for ${attribute.slice(0, 20)}`);
    }
  }
});

Deno.test("links after a tag of 3 MiB are rewritten", async () => {
  const page = `<a href="/x"><img src="data:${"A".repeat(3 << 20)}"><a href="/y">`;
  const rewritten = textOf(await rewrite(page));
  assert(rewritten === page.replace("/x", "/§/x").replace("/y", "/§/y"), rewritten.slice(0, 100));
});

const TYPES: [type: string | null, rewritable: boolean][] = [
  ["text/html", true],
  ["text/html; charset=utf-8", true],
  ['Text/HTML;charset="UTF8"', true],
  ["text/html; charset=iso-8859-1", true],
  ["text/html; charset=windows-1252; x=y", true],
  ["text/html; charset=utf-16", false],
  ["text/html; charset=shift_jis", false],
  ["text/html; charset=iso-2022-jp", false],
  ["text/html5", false],
  ["application/xhtml+xml", false],
  ["text/plain", false],
  ["", false],
  [null, false],
];

for (const [type, rewritable] of TYPES) {
  Deno.test(`isRewritable() returns ${rewritable} for ${type}`, () => {
    assertEquals(isRewritable(type), rewritable);
  });
}
