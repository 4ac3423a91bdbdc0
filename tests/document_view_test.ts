import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/base/time.ts";
import {
  documentPath,
  formatDocumentId,
  LOADS_PER_VIEW,
  LOOK_UPS_PER_MINUTE,
  READINGS_PER_HOUR,
  RESUME_LIFETIME_MS,
  TICKET_LIFETIME_MS,
} from "../lib/features/documents/mod.ts";
import { statusOf } from "./contact_site.ts";
import { BY, type DocumentFixture, documentFixture, PDF, PNG } from "./document_site.ts";

const BROWSER = {
  "user-agent": "Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/150.0",
};
/** The headers that a browser sends with a request from one of our pages. */
const OF_PAGE = { "sec-fetch-site": "same-origin", "sec-fetch-dest": "empty" };

/** Headers of programs that fetch pages without a reader. */
const UNREAD: Record<string, string>[] = [
  { "sec-purpose": "prefetch" },
  { "user-agent": "facebookexternalhit/1.1" },
  { "user-agent": "Slackbot-LinkExpanding 1.0" },
];

const textOf = async (response: Promise<Response>) => await (await response).text();

/** Returns the query with which a page loads the file that it shows. */
const shownQuery = (page: string): string =>
  /\/file(\?version=\d+&(?:amp;)?show=[\w.-]+)/.exec(page)![1].replace("&amp;", "&");

Deno.test("a stranger sees issuer, date, version, state and hash, and nothing else", async () => {
  await using fixture = await documentFixture();
  const { id, versions: [{ original }] } = await fixture.add(PDF);
  const response = await fixture.fetch(`/d/${id}`, { headers: BROWSER });
  assertEquals([response.status, response.headers.get("cache-control")], [200, "no-store"]);
  const page = await response.text();
  for (
    const text of [
      "A registered document",
      "Attest Systems",
      formatDocumentId(id),
      "1 of 1",
      "Current version",
      original.sha256.slice(0, 4),
      '<a class="button" href="/my-record">My record →</a>',
      'href="/check"',
      `href="${documentPath(id)}/request"`,
      "ask the holder for a link to it or for the file.",
      "http://trust.localhost:8000/",
    ]
  ) assertStringIncludes(page, text);
  for (const text of ["Ada", "certificate.pdf", fixture.hash, `/d/${id}/file`]) {
    assertFalse(page.includes(text), text);
  }
  const [, styles] = /href="(\/styles\/pages\/[^"]+)"/.exec(page)!;
  assertStringIncludes(await textOf(fixture.fetch(styles)), ".hash-rows{display:grid");
  assertEquals(await fixture.events(), []);
});

Deno.test("the lock screen shows a public title, and no hash of a document that can be guessed", async () => {
  await using fixture = await documentFixture();
  const shown = await fixture.add("short text", { public: true, title: "Diploma <b>" });
  const page = await textOf(fixture.fetch(`/d/${shown.id}`));
  assertStringIncludes(page, "Diploma &lt;b>");
  assertStringIncludes(page, "Not published");
  assertFalse(page.includes(shown.versions[0].original.sha256.slice(0, 4)));
});

Deno.test("each state has its own text, and only a public document shows why it was withdrawn", async () => {
  await using fixture = await documentFixture();
  const { documents } = fixture.site.services;
  const reason = "It named the wrong person.";
  const replaced = await fixture.add(PDF);
  await fixture.addVersion(replaced.id, PDF + "2");
  const withdrawn = await fixture.add(PDF);
  const told = await fixture.add(PDF, { public: true });
  for (const { id } of [withdrawn, told]) assert((await documents.withdraw(id, reason, BY)).ok);
  const expires_at = new Date(fixture.clock.now).toISOString();
  const expired = await fixture.add(PDF, { expires_at });
  fixture.clock.now += 1;
  const pages = await Promise.all(
    [`${replaced.id}?version=1`, replaced.id, withdrawn.id, told.id, expired.id].map((path) =>
      textOf(fixture.fetch(`/d/${path}`))
    ),
  );
  const heading = (page: string) => /<h2 id="document-state">([^<]*)/.exec(page)![1];
  assertEquals(pages.map(heading), [
    "Replaced by a newer version",
    "Current version",
    "Withdrawn",
    "Withdrawn",
    "Expired",
  ]);
  assertEquals(pages.map((page) => page.includes(reason)), [false, false, false, true, false]);
  const requests = pages.map((page) => page.includes("Request access"));
  assertEquals(requests, [true, true, false, false, false]);
});

Deno.test("an id is redirected to its canonical form from any case, hyphens and look-alikes", async () => {
  await using fixture = await documentFixture();
  const { id } = await fixture.add(PDF);
  const grant = await fixture.grant(id);
  for (
    const [path, to] of [
      [`/D/${id}/3`, `/d/${id}/3`],
      [`/d/${id.toLowerCase()}/3?version=1`, `${documentPath(id)}/3?version=1`],
      [`/d/${formatDocumentId(id).toLowerCase()}`, documentPath(id)],
      [`/d/${id.replaceAll("0", "O").replaceAll("1", "l")}`, documentPath(id)],
      [`/d/${id.toLowerCase()}/a%0ab`, `${documentPath(id)}/a%0Ab`],
    ]
  ) {
    if (path === `/d/${id}`) continue; // an id without look-alikes, whose short form is served
    const response = await fixture.fetch(path, { cookie: grant });
    await response.body?.cancel();
    assertEquals(response.headers.get("location"), to, path);
  }
  assertEquals(await fixture.events(), []);
  assertEquals(await statusOf(fixture.site.request("foundation", `/D/${id}`)), 404);
});

Deno.test("unknown and malformed ids get the same 404, and a client that tries many gets 429", async () => {
  await using fixture = await documentFixture();
  const { id } = await fixture.add(PDF);
  const from = "198.51.100.1";
  const ids = ["0000000000000000", "nothing", "%00", "0".repeat(500)];
  const normal = async (path: string) => {
    const response = await fixture.fetch(path, { from });
    // The number that was typed is filled in, and stands in the address that paper gets.
    const own = /(nonce|value=)[^"]*"[^"]*"|<p class="printed-from">.*?<\/p>/g;
    return [response.status, (await response.text()).replace(own, "")];
  };
  const [first, ...others] = await Promise.all(ids.map((each) => normal(`/d/${each}`)));
  assertEquals(first[0], 404);
  for (const other of others) assertEquals(other, first);
  for (const path of ["file", "file?show"]) {
    assertEquals(await statusOf(fixture.fetch(`/d/0000000000000000/${path}`)), 303);
    assertEquals(await statusOf(fixture.fetch(`/d/${id}/${path}`)), 303);
  }
  let allowed = ids.length;
  while (
    allowed < 1000 && await statusOf(fixture.fetch("/d/0000000000000001", { from })) === 404
  ) allowed++;
  assertEquals(allowed, LOOK_UPS_PER_MINUTE);
  for (const each of [id, "nothing"]) {
    const response = await fixture.fetch(`/d/${each}`, { from });
    await response.body?.cancel();
    assertEquals(response.status, 429);
    assertMatch(response.headers.get("retry-after")!, /^\d+$/);
  }
  assertEquals(await statusOf(fixture.fetch(`/d/${id}`, { from: "198.51.100.2" })), 200);
  fixture.clock.now += MINUTE_MS;
  assertEquals(await statusOf(fixture.fetch(`/d/${id}`, { from })), 200);
});

Deno.test("a typed number opens the document's page from the trust pages that ask for one", async () => {
  await using fixture = await documentFixture();
  const { id } = await fixture.add(PDF);
  for (const path of ["/check", "/d", "/d/0000-not-a-number", `/d/${"0".repeat(16)}`]) {
    const html = await textOf(fixture.fetch(path, { headers: { accept: "text/html" } }));
    assertMatch(html, /<form [^>]*action="\/d"/, path);
    assertMatch(html, /<input [^>]*name="number"/, path);
    assertEquals(html.includes("0000-not-a-number"), path.includes("not"), path);
    assertFalse(html.includes("Did you mean"), path);
  }
  const open = (text: string) => fixture.fetch(`/d?number=${encodeURIComponent(text)}`);
  const lookalikes = id.replaceAll("0", "o").replaceAll("1", "l");
  const address = fixture.site.services.surfaces.url("trust", `/d/${id}/2`)!;
  for (
    const text of [id, ` ${formatDocumentId(id).toLowerCase()} `, lookalikes, address.toUpperCase()]
  ) {
    const response = await open(text);
    assertEquals(
      [response.status, response.headers.get("location")],
      [302, documentPath(id)],
      text,
    );
  }
  for (const text of ["", "<b>", id.slice(1), "x".repeat(600)]) {
    const response = await open(text);
    assertEquals(response.status, 400, text);
    assertStringIncludes(await response.text(), "This is not a document number.");
  }
});

Deno.test("the record page lists the holder's documents with their states", async () => {
  await using fixture = await documentFixture();
  const section = async () => {
    const html = await textOf(fixture.fetch("/my-record", { cookie: fixture.cookie }));
    return /<section[^>]* id="documents".*?<\/section>/s.exec(html)?.[0];
  };
  assertStringIncludes(
    (await section())!,
    "None yet. A document that is issued to you appears here.",
  );
  const { id } = await fixture.add(PDF);
  await fixture.addVersion(id, "%PDF-1.7 other");
  const letter = await fixture.add(PDF, { title: "Letter" });
  assert((await fixture.site.services.documents.withdraw(letter.id, "Wrong", BY)).ok);
  const html = (await section())!;
  for (
    const text of [
      `<a href="${documentPath(id)}">Certificate of Ada</a>`,
      "Current version",
      "version 2 of",
      formatDocumentId(id),
      `<a href="${documentPath(letter.id)}">Letter</a>`,
      "Withdrawn",
    ]
  ) assertStringIncludes(html, text);
});

Deno.test("the holder reads, downloads and prints without an event", async () => {
  await using fixture = await documentFixture();
  const { cookie } = fixture;
  const { id } = await fixture.add(PDF);
  const page = await textOf(fixture.fetch(`/d/${id}`, { cookie, headers: BROWSER }));
  assertStringIncludes(page, "Certificate of Ada");
  assertMatch(page, /If something in it is wrong, ask\s(<!-- -->)?\s?Attest Systems/);
  assertEquals(await textOf(fixture.fetch(`/d/${id}/file`, { cookie, headers: BROWSER })), PDF);
  const printed = { cookie, method: "POST", headers: { ...BROWSER, ...OF_PAGE } };
  assertEquals(await statusOf(fixture.fetch(`/d/${id}/printed`, printed)), 204);
  assertEquals([await fixture.events(), await fixture.log()], [[], []]);
});

Deno.test("a reader with a grant causes an event for each view, download and print", async () => {
  await using fixture = await documentFixture();
  const { id } = await fixture.add(PDF);
  const cookie = await fixture.grant(id);
  const read = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    fixture.fetch(`/d/${id}${path}`, { cookie, method, headers: { ...BROWSER, ...headers } });
  const page = await textOf(read("/2"));
  assertStringIncludes(page, "Certificate of Ada");
  assertStringIncludes(page, `/d/${id}/printed`);
  assertFalse(page.includes("If something in it is wrong"));
  // Files that the page loads belong to the view.
  const show = shownQuery(page);
  for (let i = 0; i < 3; i++) assertEquals(await textOf(read(`/file${show}`, OF_PAGE)), PDF);
  assertEquals(await fixture.events(), ["document_viewed"]);
  assertEquals(await textOf(read("/file")), PDF);
  assertEquals(await statusOf(read("/printed", OF_PAGE, "POST")), 204);
  assertEquals(await statusOf(read("", {})), 200); // grants are never suppressed
  assertEquals(await fixture.events(), [
    "document_viewed",
    "document_downloaded",
    "document_printed",
    "document_viewed",
  ]);
  const [viewed] = await fixture.log();
  assertEquals([viewed.network, viewed.browser], ["203.0.113.0/24", "Firefox on Windows"]);
  assertMatch(viewed.detail!, new RegExp(`^${formatDocumentId(id)} version 1, with the grant `));
});

Deno.test("opening the address of a page's file counts as a download", async () => {
  await using fixture = await documentFixture();
  const { id } = await fixture.add(PDF);
  const cookie = await fixture.grant(id);
  const show = shownQuery(await textOf(fixture.fetch(`/d/${id}`, { cookie })));
  const requests: Record<string, string>[] = [
    {}, // a program
    { "sec-fetch-site": "none", "sec-fetch-dest": "document" },
    { "sec-fetch-site": "same-origin", "sec-fetch-dest": "document" },
    { "sec-fetch-site": "cross-site", "sec-fetch-dest": "image" },
  ];
  for (const headers of requests) {
    await statusOf(fixture.fetch(`/d/${id}/file${show}`, { cookie, headers }));
  }
  assertEquals(await fixture.events(), [
    "document_viewed",
    ...Array(4).fill("document_downloaded"),
  ]);
});

Deno.test("a file is part of a view only with the ticket of a page that the same reader opened", async () => {
  await using fixture = await documentFixture();
  const { id } = await fixture.add(PDF);
  const other = await fixture.add(PDF);
  const cookie = await fixture.grant(id);
  const show = shownQuery(await textOf(fixture.fetch(`/d/${id}`, { cookie })));
  const another = await fixture.grant(id);
  const foreign = await fixture.grant(other.id);
  const [, end, signature] = /show=(\d+)\.(.*)$/.exec(show)!;
  const load = (document: string, query: string, cookie: string) =>
    statusOf(fixture.fetch(`/d/${document}/file${query}`, { cookie, headers: OF_PAGE }));
  for (
    const [document, query, reader] of [
      [id, "?show", cookie],
      [id, `?show=${Number(end) + 1}.${signature}`, cookie],
      [id, `?show=${end}.${"A".repeat(43)}`, cookie],
      [id, show, another],
      [other.id, show, foreign],
    ]
  ) assertEquals(await load(document, query, reader), 200);
  assertEquals((await fixture.events()).length, 6);
  assertEquals(await load(id, show, cookie), 200);
  assertEquals((await fixture.events()).length, 6);
  fixture.clock.now += TICKET_LIFETIME_MS;
  assertEquals(await load(id, show, cookie), 200);
  assertEquals((await fixture.events()).length, 7);
});

Deno.test("a page loads its file five times, and further loads are downloads", async () => {
  await using fixture = await documentFixture();
  const { id } = await fixture.add(PDF);
  const cookie = await fixture.grant(id);
  const openPage = async () => shownQuery(await textOf(fixture.fetch(`/d/${id}`, { cookie })));
  const load = async (show: string, method = "GET") => {
    const path = `/d/${id}/file${show}`;
    await statusOf(fixture.fetch(path, { cookie, headers: OF_PAGE, method }));
    return (await fixture.log()).length;
  };
  const show = await openPage();
  for (let i = 0; i < LOADS_PER_VIEW; i++) {
    assertEquals(await load(show, "HEAD"), 1);
    assertEquals(await load(show), 1);
  }
  assertEquals([await load(show), await load(show)], [2, 3]);
  // The last character has two bits that the signature does not need.
  const last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const respelt = show.slice(0, -1) + last[last.indexOf(show.at(-1)!) ^ 1];
  assertEquals(await load(respelt), 4);
  assertEquals(await load(await openPage()), 5); // the view of another page
});

Deno.test("readings with one grant are limited, so that a chain cannot grow without bound", async () => {
  await using fixture = await documentFixture();
  const { id } = await fixture.add("text");
  const cookie = await fixture.grant(id);
  const other = await fixture.grant(id);
  const download = (cookie: string) => fixture.fetch(`/d/${id}/file`, { cookie });
  for (let i = 0; i < READINGS_PER_HOUR; i++) assertEquals(await statusOf(download(cookie)), 200);
  const refused = await download(cookie);
  assertEquals([refused.status, refused.headers.has("retry-after")], [429, true]);
  assertFalse((await refused.text()).startsWith("text"));
  assertEquals(await statusOf(fixture.fetch(`/d/${id}`, { cookie })), 429);
  const print = { cookie, method: "POST", headers: OF_PAGE };
  assertEquals(await statusOf(fixture.fetch(`/d/${id}/printed`, print)), 429);
  assertEquals((await fixture.log()).length, READINGS_PER_HOUR);
  assertEquals(await statusOf(download(other)), 200);
  fixture.clock.now += HOUR_MS;
  assertEquals(await statusOf(download(cookie)), 200);
});

Deno.test("the documents of a record that waits for its deletion are unknown", async () => {
  await using fixture = await documentFixture();
  const { id } = await fixture.add(PDF, { public: true });
  const grant = await fixture.grant(id);
  assertStringIncludes(await textOf(fixture.fetch(`/d/${id}`)), "Certificate of Ada");
  const digits = fixture.hash.slice(-4);
  await statusOf(
    fixture.fetch("/my-record/delete", { cookie: fixture.cookie, form: { digits } }),
  );
  const closed = await fixture.signIn([fixture.hash]);
  for (const cookie of [undefined, grant, closed]) {
    assertEquals(await statusOf(fixture.fetch(`/d/${id}`, { cookie })), 404);
    assertEquals(await statusOf(fixture.fetch(`/d/${id}/file`, { cookie })), 303);
  }
  assertEquals(await fixture.events(), []);
});

Deno.test("HEAD, prefetches and link previews never count, and only HEAD gets the document", async () => {
  await using fixture = await documentFixture();
  const { id } = await fixture.add(PDF);
  const cookie = await fixture.grant(id);
  for (const path of ["", "/file"]) {
    const head = await fixture.fetch(`/d/${id}${path}`, { cookie, method: "HEAD" });
    assertEquals([head.status, await head.text(), head.headers.get("etag")], [200, "", null]);
    for (const headers of UNREAD) {
      const response = await fixture.fetch(`/d/${id}${path}`, { cookie, headers });
      assertEquals([response.status, (await response.text()).includes("Ada")], [403, false]);
    }
  }
  assertEquals([await fixture.events(), await fixture.log()], [[], []]);
});

Deno.test("a print is counted only from our page and with permission to read", async () => {
  await using fixture = await documentFixture();
  const { id } = await fixture.add(PDF);
  const cookie = await fixture.grant(id);
  const print = (options: Parameters<typeof fixture.fetch>[1]) =>
    statusOf(fixture.fetch(`/d/${id}/printed`, { method: "POST", ...options }));
  assertEquals(await print({ headers: OF_PAGE }), 404);
  assertEquals(await print({ cookie }), 403);
  assertEquals(await print({ cookie, headers: { origin: "https://other.example" } }), 403);
  assertEquals(await fixture.events(), []);
});

Deno.test("an expired grant, another document's and another browser see the lock screen", async () => {
  await using fixture = await documentFixture();
  const [{ id }, other] = [await fixture.add(PDF), await fixture.add(PDF + "2")];
  const cookie = await fixture.grant(id);
  const isLocked = async (path: string, cookie?: string) =>
    (await textOf(fixture.fetch(path, { cookie }))).includes("A registered document");
  assertFalse(await isLocked(`/d/${id}`, cookie));
  assert(await isLocked(`/d/${other.id}`, cookie));
  assert(await isLocked(`/d/${id}`, "document_share=" + "a".repeat(43)));
  assert(await isLocked(`/d/${id}`));
  fixture.clock.now += 7 * DAY_MS;
  assert(await isLocked(`/d/${id}`, cookie));
  assertEquals(await statusOf(fixture.fetch(`/d/${id}/file`, { cookie })), 303);
});

Deno.test("a grant opens only the version in force, the holder every version", async () => {
  await using fixture = await documentFixture();
  const { documents } = fixture.site.services;
  const { id } = await fixture.add(PDF);
  await fixture.addVersion(id, PDF + "2");
  const grant = await fixture.grant(id);
  const pageOf = (query: string) => textOf(fixture.fetch(`/d/${id}${query}`, { cookie: grant }));
  const shown = await pageOf("");
  for (
    const text of ["Genuine: issued by ", ", unchanged, in force", "Version 2 of 2, the newest"]
  ) {
    assertStringIncludes(shown, text);
  }
  assertStringIncludes(shown, 'download it and <a href="/check">check it</a>');
  assertStringIncludes(await pageOf("?version=1"), "Replaced by a newer version");
  assertFalse((await pageOf("?version=1")).includes("Genuine"));
  const file = async (query: string, cookie: string) => {
    const response = await fixture.fetch(`/d/${id}/file${query}`, { cookie });
    return response.status === 200 ? (await response.text()).length : response.status;
  };
  assertEquals([await file("", grant), await file("?version=1", grant)], [5001, 303]);
  assertEquals(
    [await file("?version=1", fixture.cookie), await file("?version=3", fixture.cookie)],
    [
      5000,
      303,
    ],
  );
  assert((await documents.withdraw(id, "Wrong", BY)).ok);
  assertEquals([await file("", grant), await file("", fixture.cookie)], [303, 5001]);
  const withdrawn = await pageOf("");
  assertFalse(withdrawn.includes("Genuine"));
  assertStringIncludes(withdrawn, "Your access has ended, because the document was withdrawn");
  assertStringIncludes(
    await textOf(fixture.fetch(`/d/${id}`, { cookie: fixture.cookie })),
    "Wrong",
  );
  const expiring = await fixture.add(PDF, {
    expires_at: new Date(fixture.clock.now + HOUR_MS).toISOString(),
  });
  const reader = await fixture.grant(expiring.id);
  const path = `/d/${expiring.id}/file`;
  assertEquals(await statusOf(fixture.fetch(path, { cookie: reader })), 200);
  fixture.clock.now += HOUR_MS;
  assertEquals(await statusOf(fixture.fetch(path, { cookie: reader })), 303);
  assertEquals(await statusOf(fixture.fetch(path, { cookie: fixture.cookie })), 200);
});

Deno.test("files are downloads that run nothing; only images are shown, in a sandbox", async () => {
  await using fixture = await documentFixture();
  const { cookie } = fixture;
  const svg = await fixture.add("<svg xmlns='http://www.w3.org/2000/svg'/>", {
    file_name: 'Zeugnis "Müller".svg',
  });
  const image = await fixture.add(PNG, { file_name: "photo.png" });
  const show = shownQuery(await textOf(fixture.fetch(`/d/${image.id}`, { cookie })));
  // Compatibility forms of path separators.
  const path = await fixture.add("x", { file_name: "\u2025\uff0fetc\uff1apasswd.txt" });
  for (
    const [{ id }, query, disposition, type] of [
      [
        svg,
        "?show",
        `attachment; filename="Zeugnis _Muller_.svg"; filename*=UTF-8''Zeugnis%20_M%C3%BCller_.svg`,
        "text/plain; charset=utf-8",
      ],
      [image, "", `attachment; filename="photo.png"; filename*=UTF-8''photo.png`, "image/png"],
      [
        path,
        "",
        `attachment; filename="_etc_passwd.txt"; filename*=UTF-8''%E2%80%A5%EF%BC%8Fetc%EF%BC%9Apasswd.txt`,
        "text/plain; charset=utf-8",
      ],
      [image, show, `inline; filename="photo.png"; filename*=UTF-8''photo.png`, "image/png"],
    ] as const
  ) {
    const { headers, body } = await fixture.fetch(`/d/${id}/file${query}`, {
      cookie,
      headers: OF_PAGE,
    });
    await body?.cancel();
    assertEquals(headers.get("content-disposition"), disposition);
    assertEquals(headers.get("content-type"), type);
    assertEquals(
      headers.get("content-security-policy"),
      "sandbox; default-src 'none'; frame-ancestors 'none'",
    );
    assertEquals(headers.get("x-content-type-options"), "nosniff");
    assertEquals(headers.get("cross-origin-resource-policy"), "same-origin");
    assertEquals(headers.get("cache-control"), "private, no-store");
  }
  const page = await fixture.fetch(`/d/${svg.id}`, { cookie });
  assertStringIncludes(await page.text(), "&lt;svg xmlns=");
});

Deno.test("the issued copy is shown and downloaded by default, and the original on request", async () => {
  const issued = new TextEncoder().encode("%PDF-1.7 issued");
  await using fixture = await documentFixture({}, {
    issuePdf: () => Promise.resolve({ ok: true, bytes: issued, pages: 6 }),
  });
  const { id } = await fixture.add(PDF, { file_name: "Ada.pdf" });
  const cookie = await fixture.grant(id);
  const get = async (query: string, headers = {}) => {
    const response = await fixture.fetch(`/d/${id}/file${query}`, { cookie, headers });
    const name = /filename="([^"]*)"/.exec(response.headers.get("content-disposition")!)![1];
    return [name, (await response.text()).length];
  };
  const show = shownQuery(await textOf(fixture.fetch(`/d/${id}`, { cookie })));
  assertEquals(await get(show, OF_PAGE), ["Ada-issued.pdf", 15]);
  assertEquals(await get(""), ["Ada-issued.pdf", 15]);
  assertEquals(await get("?form=original"), ["Ada.pdf", 5000]);
  const details = (await fixture.log()).slice(1).map(({ detail }) => detail!.split(",")[1]);
  assertEquals(details.map((text) => text === " the original"), [false, true]);
  const lock = await textOf(fixture.fetch(`/d/${id}/7`));
  assertStringIncludes(lock, "6 pages and a final page about the registration");
  assertStringIncludes(lock, "you scanned the code of the final page");
  assertStringIncludes(
    await textOf(fixture.fetch(`/d/${id}/6`)),
    "you scanned the code of page 6",
  );
  assertFalse(lock.includes("not genuine"));
  assertStringIncludes(await textOf(fixture.fetch(`/d/${id}/8`)), "not genuine");
});

Deno.test("a file without an issued copy has a cover sheet, which is not counted as a reading", async () => {
  await using fixture = await documentFixture();
  const { id } = await fixture.add("some text", { file_name: "notes.txt" });
  const cookie = await fixture.grant(id);
  const sheet = await fixture.fetch(`/d/${id}/cover`, { cookie });
  assertEquals(sheet.headers.get("content-type"), "application/pdf");
  assertStringIncludes(sheet.headers.get("content-disposition")!, '"notes-cover.pdf"');
  assertStringIncludes(sheet.headers.get("content-security-policy")!, "sandbox");
  assertEquals((await sheet.text()).slice(0, 5), "%PDF-");
  assertEquals(await statusOf(fixture.fetch(`/d/${id}/cover`)), 303);
  assertEquals(await fixture.events(), []);
});

/** A download of {@link PDF} by a reader with a grant, which is one event. */
async function startDownload(fixture: DocumentFixture) {
  const { id } = await fixture.add(PDF);
  const cookie = await fixture.grant(id);
  const get = (headers: Record<string, string>, as = cookie) =>
    fixture.fetch(`/d/${id}/file`, { cookie: as, headers: { ...BROWSER, ...headers } });
  const whole = await get({});
  assertEquals(await whole.text(), PDF);
  const tag = whole.headers.get("etag")!;
  return {
    id,
    get,
    tag,
    /** Asks for a part. Returns the status, the number of bytes, and how many readings were counted. */
    async part(
      range: string,
      etag = tag,
    ): Promise<[status: number, size: number, counted: number]> {
      const response = await get({ range, "if-range": etag });
      const { length } = await response.text();
      return [response.status, length, (await fixture.log()).length];
    },
  };
}

Deno.test("a part is sent only to the browser that was sent the beginning", async () => {
  await using fixture = await documentFixture();
  const { id, get, tag } = await startDownload(fixture);
  const another = await fixture.grant(id);
  const range = "bytes=1-";
  const others: [headers: Record<string, string>, cookie?: string][] = [
    [{ range }], // without If-Range
    [{ range, "if-range": '"guess"' }],
    [{ range, "if-range": `"${"A".repeat(22)}"` }],
    [{ range, "if-range": `W/${tag}` }],
    [{ range, "if-range": tag }, another],
    [{ range: "bytes=0-1,5-6", "if-range": tag }], // several parts
    [{ range: "bytes=9-1", "if-range": tag }],
    [{ range: "bytes=-", "if-range": tag }],
    [{ range: "pages=1-2", "if-range": tag }],
  ];
  for (const [headers, cookie] of others) {
    const response = await get(headers, cookie);
    assertEquals([response.status, (await response.text()).length], [200, 5000], headers.range);
  }
  assertEquals((await fixture.events()).length, 1 + others.length);
});

Deno.test("the parts of a download are those of RFC 9110, and do not count", async () => {
  await using fixture = await documentFixture();
  const { get, tag } = await startDownload(fixture);
  for (
    const [range, contentRange, length] of [
      ["bytes=4990-", "bytes 4990-4999/5000", 10],
      ["bytes=0-0", "bytes 0-0/5000", 1],
      ["Bytes=100-4979", "bytes 100-4979/5000", 4880],
      ["bytes=5000-", "bytes */5000", 0],
      ["bytes=-0", "bytes */5000", 0],
    ] as const
  ) {
    const part = await get({ range, "if-range": tag });
    assertEquals(part.status, length === 0 ? 416 : 206, range);
    assertEquals(part.headers.get("content-range"), contentRange);
    assertEquals(part.headers.get("etag"), tag);
    assertEquals((await part.text()).length, length);
  }
  const whole = await get({});
  const suffix = await get({ range: "bytes=-20", "if-range": whole.headers.get("etag")! });
  assertEquals(suffix.headers.get("content-range"), "bytes 4980-4999/5000");
  const all = await get({ range: "bytes=-9999", "if-range": await tagOf(get({})) });
  assertEquals(all.headers.get("content-range"), "bytes 0-4999/5000");
  for (const { body } of [whole, suffix, all]) await body?.cancel();
  assertEquals(await fixture.events(), Array(3).fill("document_downloaded"));
});

const tagOf = async (response: Promise<Response>): Promise<string> => {
  const { headers, body } = await response;
  await body?.cancel();
  return headers.get("etag")!;
};

Deno.test("every byte is sent once more for a download; a part of which some was sent is a new one", async () => {
  await using fixture = await documentFixture();
  const { part } = await startDownload(fixture);
  assertEquals(await part("bytes=2500-"), [206, 2500, 1]); // an interrupted download
  assertEquals(await part("bytes=0-999"), [206, 1000, 1]);
  assertEquals(await part("bytes=1000-2499"), [206, 1500, 1]);
  assertEquals(await part("bytes=3000-"), [206, 2000, 2]); // it was interrupted again
  assertEquals(await part("bytes=0-2999"), [206, 3000, 2]);
  assertEquals(await part("bytes=2999-3000"), [206, 2, 3]); // overlaps both
  assertEquals(await part("bytes=0-"), [206, 5000, 4]);
  assertEquals(await part("bytes=4999-"), [206, 1, 5]);
});

Deno.test("a document that is taken in parts ten times is downloaded ten times", async () => {
  await using fixture = await documentFixture();
  const { part } = await startDownload(fixture);
  for (let copy = 1; copy <= 10; copy++) {
    assertEquals(await part("bytes=0-2499"), [206, 2500, copy]);
    assertEquals(await part("bytes=2500-"), [206, 2500, copy]);
  }
});

Deno.test("of 20 requests for a part at the same time, one belongs to the download", async () => {
  await using fixture = await documentFixture();
  const { part } = await startDownload(fixture);
  const parts = await Promise.all(Array.from({ length: 20 }, () => part("bytes=10-19")));
  for (const [status, size] of parts) assertEquals([status, size], [206, 10]);
  assertEquals((await fixture.log()).length, 1 + 19);
});

Deno.test("a download cannot be resumed after an hour, or above the limit of readings", async () => {
  await using fixture = await documentFixture();
  const { get, tag, part } = await startDownload(fixture);
  fixture.clock.now += RESUME_LIFETIME_MS - 1;
  assertEquals(await part("bytes=0-9"), [206, 10, 1]);
  fixture.clock.now += 1;
  assertEquals(await part("bytes=10-19"), [200, 5000, 2]);

  const later = await tagOf(get({}));
  assert(later !== tag);
  assertEquals(await part("bytes=10-19", later), [206, 10, 3]);
  // The first one was counted more than an hour ago.
  for (let i = 3; i <= READINGS_PER_HOUR; i++) await part("bytes=10-19", later);
  assertEquals(await part("bytes=0-9", later), [206, 10, 1 + READINGS_PER_HOUR]);
  const refused = await get({ range: "bytes=10-19", "if-range": later });
  assertEquals([refused.status, refused.headers.has("retry-after")], [429, true]);
  assertFalse((await refused.text()).includes("%%%%"));
});

Deno.test("a download of many separate parts counts again, so that what is stored stays small", async () => {
  await using fixture = await documentFixture();
  const { part } = await startDownload(fixture);
  for (let i = 0; i < 50; i++) assertEquals(await part(`bytes=${i * 2}-${i * 2}`), [206, 1, 1]);
  assertEquals(await part("bytes=200-200"), [206, 1, 2]);
});

Deno.test("a file that a page shows has no entity tag, and is never sent in parts", async () => {
  await using fixture = await documentFixture();
  const { id, get, tag } = await startDownload(fixture);
  const cookie = await fixture.grant(id);
  const show = shownQuery(await textOf(fixture.fetch(`/d/${id}`, { cookie })));
  const headers = { ...OF_PAGE, range: "bytes=0-9", "if-range": tag };
  const shown = await fixture.fetch(`/d/${id}/file${show}`, { cookie, headers });
  assertEquals([shown.status, shown.headers.get("etag")], [200, null]);
  assertEquals(shown.headers.get("accept-ranges"), null);
  assertEquals(await shown.text(), PDF);
  assertEquals(await fixture.events(), ["document_downloaded", "document_viewed"]);
  assertEquals(await statusOf(get({ range: "bytes=0-9", "if-range": tag })), 206);
});

Deno.test("the holder resumes a download at any time, and an administrator as a reader does", async () => {
  await using fixture = await documentFixture();
  const { id } = await fixture.add(PDF);
  const path = `/console/records/${fixture.hash}/documents/${id}/file`;
  const readers: [(headers: Record<string, string>) => Promise<Response>, number[]][] = [
    [(headers) => fixture.fetch(`/d/${id}/file`, { cookie: fixture.cookie, headers }), [0, 0, 0]],
    [(headers) => fixture.asAdministrator(path, { headers }), [1, 1, 2]],
  ];
  for (const [get, events] of readers) {
    const tag = await tagOf(get({}));
    const counted = [(await fixture.events()).length];
    for (let i = 0; i < 2; i++) {
      const response = await get({ range: "bytes=10-", "if-range": tag });
      assertEquals([response.status, (await response.text()).length], [206, 4990]);
      counted.push((await fixture.events()).length);
    }
    assertEquals(counted, events);
  }
});

Deno.test("the downloads of a document are deleted with it, and expire in the store", async () => {
  await using fixture = await documentFixture();
  await startDownload(fixture);
  assertEquals(await fixture.count("document_downloads"), 1);
  await fixture.site.services.documents.recordData.deleteOf!(fixture.hash);
  assertEquals(await fixture.count("document_downloads"), 0);
});

Deno.test("an administrator reads a document in the console only, which is an event each time", async () => {
  await using fixture = await documentFixture();
  const { hash } = fixture;
  const { id } = await fixture.add(PDF, { expires_at: new Date(fixture.clock.now).toISOString() });
  fixture.clock.now += 1;
  const path = `/console/records/${hash}/documents/${id}`;
  const page = await fixture.asAdministrator(`${path}/view`);
  assertEquals([page.status, page.headers.get("cache-control")], [200, "no-store"]);
  assertStringIncludes(await page.text(), `${path}/file?version=1&show`);
  assertEquals(await (await fixture.asAdministrator(`${path}/file`)).text(), PDF);
  const printed = await fixture.asAdministrator(`${path}/printed`, {
    method: "POST",
    headers: OF_PAGE,
  });
  assertEquals(printed.status, 204);
  assertEquals(await statusOf(fixture.asAdministrator(`${path}/view`)), 200);
  assertEquals(await fixture.events(), [
    "document_viewed",
    "document_downloaded",
    "document_printed",
    "document_viewed",
  ]);
  const [{ detail }] = await fixture.log();
  assertEquals(detail, `${formatDocumentId(id)} version 1, by an administrator`);
  for (
    const other of [
      `/console/records/${"0".repeat(64)}/documents/${id}/view`,
      `${path}/view?version=9`,
    ]
  ) {
    assertEquals(await statusOf(fixture.asAdministrator(other)), 404);
  }
});

Deno.test("the page that shows a document allows only what pdf.js needs", async () => {
  await using fixture = await documentFixture();
  const { id } = await fixture.add(PDF);
  const page = await fixture.fetch(`/d/${id}`, { cookie: fixture.cookie });
  const html = await page.text();
  const policy = page.headers.get("content-security-policy")!;
  for (const part of ["img-src 'self' blob:;", "worker-src 'self';", "object-src 'none'"]) {
    assertStringIncludes(policy, part);
  }
  assertFalse(/unsafe|wasm|\*/.test(policy), policy);
  assertFalse(/\sstyle=/.test(html));
  const base = /\/pdfjs\/[\d.]+/.exec(html)![0];
  for (const name of ["pdf.min.mjs", "pdf.worker.min.mjs"]) {
    const file = await fixture.fetch(`${base}/${name}`, { headers: { "accept-encoding": "br" } });
    await file.body?.cancel();
    assertEquals(file.status, 200);
    assertEquals(file.headers.get("content-type"), "text/javascript; charset=utf-8");
    assertEquals(file.headers.get("content-encoding"), "br");
    assertEquals(
      file.headers.get("content-security-policy"),
      "default-src 'none'; script-src 'self'; frame-ancestors 'none'",
    );
    assert(Number(file.headers.get("content-length")) < 400_000);
  }
  for (
    const path of [`${base}/package.json`, "/pdfjs/0/pdf.min.mjs", `${base}/..%2fpackage.json`]
  ) {
    assertEquals(await statusOf(fixture.fetch(path)), 404);
  }
});
