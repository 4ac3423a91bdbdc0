import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { recordHash, verifyChain } from "../packages/proof/mod.ts";
import { deleteContact, readContact, recordsOf } from "../lib/features/contact/store.ts";
import { decodeHex } from "../lib/base/encoding.ts";
import { apart, openKv } from "../lib/platform/kv/mod.ts";
import { main as contactDelete } from "../lib/app/commands/contact_delete.ts";
import { DAY_MS, MINUTE_MS } from "../lib/base/time.ts";
import { type ContactFixture, contactFixture, PERSON, statusOf } from "./contact_site.ts";
import { runMain } from "./run_command.ts";

interface ConfirmFixture extends ContactFixture {
  /** The record's hash, and the token of its confirmation link. */
  hash: string;
  token: string;
  open(token?: string, method?: string): Promise<Response>;
  /** Presses the button on the link's page. */
  press(token?: string, headers?: HeadersInit): Promise<Response>;
  /** Returns the kinds of the chain's events. */
  kinds(): Promise<string[]>;
}

/** A site with one registered enquiry. */
async function confirmFixture(email = "ada@example.org"): Promise<ConfirmFixture> {
  const fixture = await contactFixture();
  const { hash } = await (await fixture.send({ ...PERSON, email })).json();
  const token = new URL((await fixture.mails())[0].link!).searchParams.get("token")!;
  return {
    ...fixture,
    hash,
    token,
    open: (sent = token, method = "GET") =>
      fixture.site.request("trust", `/confirm?token=${sent}`, { method }),
    press: (sent = token, headers = {}) =>
      fixture.site.request("trust", "/confirm", {
        method: "POST",
        body: new URLSearchParams({ token: sent }),
        headers,
      }),
    kinds: async () =>
      (await fixture.site.services.chains.page(hash))!.events.map(({ kind }) => kind),
  };
}

async function pageOf(response: Response): Promise<[status: number, title: string]> {
  return [response.status, /<h1>(.*?)<\/h1>/.exec(await response.text())![1]];
}

const CONFIRMED = "Your email address is confirmed";
const ALREADY = "Your email address is already confirmed";

Deno.test("GET /confirm shows a button and changes nothing", async () => {
  await using fixture = await confirmFixture();
  const { hash, token } = fixture;
  const before = await fixture.entries();
  for (const method of ["GET", "HEAD", "GET"]) {
    const response = await fixture.open(token, method);
    assertEquals(response.status, 200);
    assertEquals(response.headers.get("referrer-policy"), "no-referrer");
    assertEquals(response.headers.get("cache-control"), "no-store");
    const html = await response.text();
    if (method === "HEAD") continue;
    assertStringIncludes(html, "<h1>Confirm your email address</h1>");
    assertStringIncludes(html, "a•••@e•••.org");
    assertStringIncludes(html, hash);
    assertStringIncludes(html, `<form class="confirm around-5" method="post" action="/confirm">`);
    assertStringIncludes(html, `<input type="hidden" name="token" value="${token}"`);
    assertFalse(/<script|Example|ada@example/.test(html));
    for (const [, address] of html.matchAll(/(?:src|href|action)="(.*?)"/g)) {
      assertFalse(address.includes(token), "no link contains the token");
    }
    const page = html.replace(/<footer.*<\/footer>/s, ""); // the footer links to other surfaces
    for (const [, address] of page.matchAll(/(?:src|href|action)="(.*?)"/g)) {
      assertMatch(address, /^(\/|#|mailto:|http:\/\/trust\.localhost:8000\/)/);
    }
  }
  assertEquals(await fixture.entries(), before);
  assertEquals(await fixture.kinds(), ["hash_generated"]);
});

Deno.test("POST /confirm appends one event, marks the contact and links to the chain", async () => {
  await using fixture = await confirmFixture();
  const { hash } = fixture;
  fixture.clock.now += MINUTE_MS;
  const response = await fixture.press();
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("referrer-policy"), "no-referrer");
  assertEquals(response.headers.get("cache-control"), "no-store");
  const html = await response.text();
  assertStringIncludes(html, `<h1>${CONFIRMED}</h1>`);
  assertStringIncludes(html, `href="http://trust.localhost:8000/verify?hash=${hash}"`);
  const at = new Date(fixture.clock.now).toISOString();
  assertEquals((await readContact(fixture.site.services.kv, hash))!.confirmed_at, at);
  const json = /<pre [^>]*tabindex="0">(.*?)<\/pre>/s.exec(html)![1].replaceAll("&quot;", '"');
  const { record, salt } = JSON.parse(json);
  assertEquals(record.name, PERSON.name);
  assertEquals(
    await recordHash(decodeHex(salt), record),
    hash,
    "the record and salt open the commitment",
  );

  assertEquals(await pageOf(await fixture.press()), [200, ALREADY]);
  const opened = await (await fixture.open()).text();
  assertStringIncludes(opened, `<h1>${ALREADY}</h1>`);
  assertFalse(opened.includes("Example"), "GET does not show the record");
  assertEquals(await fixture.kinds(), ["hash_generated", "email_confirmed"]);
});

Deno.test("20 concurrent POSTs append one event", async () => {
  await using fixture = await confirmFixture();
  const pages = await Promise.all(
    Array.from({ length: 20 }, async () => (await pageOf(await fixture.press()))[1]),
  );
  assertEquals(await fixture.kinds(), ["hash_generated", "email_confirmed"]);
  assertEquals(pages.filter((title) => title === CONFIRMED).length, 1);
  assertEquals(pages.filter((title) => title === ALREADY).length, 19);
});

Deno.test("a link that was confirmed before tokens were marked as used cannot be confirmed again", async () => {
  await using fixture = await confirmFixture();
  const { kv } = fixture.site.services;
  await statusOf(fixture.press());
  for await (const { key, value } of kv.list({ prefix: ["contact_confirmations"] })) {
    const { hash, expires_at } = value as { hash: string; expires_at: string };
    await kv.set(key, { hash, expires_at }, { expireIn: DAY_MS });
  }
  assertEquals(await pageOf(await fixture.press()), [200, ALREADY]);
  assertEquals(await fixture.kinds(), ["hash_generated", "email_confirmed"]);
});

Deno.test("a link expires after seven days, and then returns 410", async () => {
  await using fixture = await confirmFixture();
  const start = fixture.clock.now;
  fixture.clock.now = start + 7 * DAY_MS - 1;
  assertEquals(await statusOf(fixture.open()), 200);
  fixture.clock.now = start + 7 * DAY_MS;
  for (const response of [await fixture.open(), await fixture.press()]) {
    assertEquals(await pageOf(response), [410, "This link has expired"]);
  }
  assertEquals(await fixture.kinds(), ["hash_generated"]);
  fixture.clock.now = start + 7 * DAY_MS - 1;
  assertEquals(await statusOf(fixture.press()), 200);
});

Deno.test("an unknown or malformed token returns 404, and a missing one 400", async () => {
  await using fixture = await confirmFixture();
  for (const token of ["A".repeat(43), "", "x", "..%2F", "A".repeat(5000)]) {
    const pressed = fixture.press(decodeURIComponent(token));
    for (const response of [await fixture.open(token), await pressed]) {
      assertEquals(await pageOf(response), [404, "This link is not valid"]);
    }
  }
  const init = { method: "POST", body: new URLSearchParams({}) };
  for (const [path, options] of [["/confirm", {}], ["/confirm", init]] as const) {
    assertEquals(await statusOf(fixture.site.request("trust", path, options)), 400);
  }
  const inUrl = fixture.site.request("trust", `/confirm?token=${fixture.token}`, init);
  assertEquals(await statusOf(inUrl), 400, "a POST ignores a token in the URL");
  assertEquals(await fixture.kinds(), ["hash_generated"]);
});

Deno.test("a cross-site POST returns 403", async () => {
  await using fixture = await confirmFixture();
  const press = (origin: string, site: string) =>
    statusOf(fixture.press(fixture.token, { origin, "sec-fetch-site": site }));
  for (const origin of ["https://evil.example", "http://investor.localhost:8000"]) {
    assertEquals(await press(origin, "cross-site"), 403);
  }
  assertEquals(await fixture.kinds(), ["hash_generated"]);
  // A page with `no-referrer` sends the origin `null`.
  assertEquals(await press("null", "same-origin"), 200);
});

Deno.test("only the token's hash is stored", async () => {
  await using fixture = await confirmFixture();
  for (const { key, text } of await fixture.entries()) {
    assertFalse((key + text).includes(fixture.token));
  }
});

Deno.test("deleteContact() deletes the contact and the link, and the chain still verifies", async () => {
  await using fixture = await confirmFixture("gone@example.org");
  const { hash, site: { services: { kv, chains, contactIndex: index } } } = fixture;
  const other = await (await fixture.send({ ...PERSON, email: "stays@example.org" })).json();
  await fixture.mails(); // waits until they are sent
  const count = (await fixture.entries()).length;
  assertEquals(await recordsOf(kv, "gone@example.org"), [hash]);
  assert(await deleteContact({ kv, index }, hash));
  assertFalse(await deleteContact({ kv, index }, hash));
  assertEquals(await readContact(kv, hash), null);
  const entries = await fixture.entries();
  assertEquals(entries.length, count - 15);
  for (const { key, text } of entries) assertFalse((key + text).includes("gone@example.org"));
  const { events, head } = (await chains.page(hash))!;
  const { keys } = await chains.keys();
  const { publisher } = chains;
  assert((await verifyChain({ recordHash: hash, events, head, publisher, keys })).ok);
  assertEquals(await statusOf(fixture.open()), 404);
  assertEquals(await statusOf(fixture.press()), 404);
  assertEquals(await fixture.kinds(), ["hash_generated"]);
  assert(await readContact(kv, other.hash));
});

for (const [title, read] of [["before", 1], ["during", 2]] as const) {
  Deno.test(`a contact that is deleted ${title} the confirming commit gets no event and stays deleted`, async () => {
    await using fixture = await confirmFixture();
    const { hash, site: { services: { kv, contactIndex: index } } } = fixture;
    const get = kv.get.bind(kv);
    let reads = 0;
    kv.get = async (key, ...more) => {
      const entry = await get(key, ...more);
      if (key[0] === "contacts" && ++reads === read) {
        await apart("Somebody else", () => deleteContact({ kv, index }, hash));
      }
      // deno-lint-ignore no-explicit-any
      return entry as any;
    };
    assertEquals(await statusOf(fixture.press()), 404);
    kv.get = get;
    assertEquals(await fixture.kinds(), ["hash_generated"]);
    assertEquals(await readContact(kv, hash), null);
  });
}

Deno.test("contact:delete deletes by hash and by address, and exits with 1 if nothing was found", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/store.kv`;
  let printed = "";
  const run = async (...args: string[]) => {
    const { code, out } = await runMain(contactDelete, path, args);
    printed += out;
    return code;
  };
  const hashes: string[] = [];
  {
    await using fixture = await contactFixture({}, { kv: await openKv(path) });
    await fixture.site.services.store.claim();
    for (const email of ["a@example.org", "b@example.org", "B@Example.org"]) {
      hashes.push((await (await fixture.send({ ...PERSON, email })).json()).hash);
    }
  }
  assertEquals(await Promise.all([run(), run("nothing"), run(hashes[0], hashes[1])]), [2, 2, 2]);
  assertEquals(await run("f".repeat(64)), 1);
  assertEquals(await run(` ${hashes[0].toUpperCase()}`), 0);
  assertEquals(await run(hashes[0]), 1);
  assertEquals(await run(" B@example.org "), 0);
  assertEquals(await run("b@example.org"), 1);
  assertEquals(printed.trimEnd().split("\n"), [
    "Nothing is stored for it.",
    "Deleted: 1. The chains remain; they contain no personal data.",
    "Nothing is stored for it.",
    "Deleted: 2. The chains remain; they contain no personal data.",
    "Nothing is stored for it.",
  ]);
  for await (const { name } of Deno.readDir(folder)) {
    const bytes = new TextDecoder("latin1").decode(await Deno.readFile(`${folder}/${name}`));
    assertFalse(bytes.includes(PERSON.name), `${name} still contains it in free space`);
  }
  await Deno.remove(folder, { recursive: true });
});
