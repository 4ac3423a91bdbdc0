import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { decodeHex } from "../lib/encoding.ts";
import { recordHash, verifyChain } from "../lib/chain/mod.ts";
import { deleteContact, readContact, recordsOf } from "../lib/contact/store.ts";
import { contactFixture, PERSON } from "./contact_site.ts";

const DAY = 86_400_000;
const fixture = await contactFixture();
const { services } = fixture.site;

/** Registers, and returns the record's hash and the token of the mail's link. */
async function registered(email = "ada@example.org"): Promise<{ hash: string; token: string }> {
  const { hash } = await (await fixture.send({ ...PERSON, email })).json();
  const [{ link }] = await fixture.mails();
  return { hash, token: new URL(link!).searchParams.get("token")! };
}

const look = (token: string, method = "GET") =>
  fixture.site.request("trust", `/confirm?token=${token}`, { method });
const press = (token: string, headers: HeadersInit = {}) =>
  fixture.site.request("trust", "/confirm", {
    method: "POST",
    body: new URLSearchParams({ token }),
    headers,
  });
const kindsOf = async (hash: string) =>
  (await services.chains.page(hash))!.events.map(({ kind }) => kind);
const titleOf = (html: string) => /<h1>(.*?)<\/h1>/.exec(html)![1];

Deno.test("the link's page shows what it is and a button; looking at it changes nothing", async () => {
  const { hash, token } = await registered();
  const before = await fixture.entries();
  for (const method of ["GET", "HEAD", "GET"]) {
    const response = await look(token, method);
    assertEquals(response.status, 200);
    assertEquals(response.headers.get("referrer-policy"), "no-referrer");
    assertEquals(response.headers.get("cache-control"), "no-store");
    const html = await response.text();
    if (method === "HEAD") continue;
    assertEquals(titleOf(html), "Confirm your email address");
    assertStringIncludes(html, "a•••@e•••.org");
    assertStringIncludes(html, hash);
    assertStringIncludes(html, `<form class="confirm" method="post" action="/confirm">`);
    assertStringIncludes(html, `<input type="hidden" name="token" value="${token}"`);
    assertFalse(/<script|Example|ada@example/.test(html));
    for (const [, address] of html.matchAll(/(?:src|href|action)="(.*?)"/g)) {
      assertFalse(address.includes(token), "nothing on the page hands the token on");
      assertMatch(address, /^(\/|#|mailto:|http:\/\/trust\.localhost:8000\/)/);
    }
  }
  assertEquals(await fixture.entries(), before);
  assertEquals(await kindsOf(hash), ["hash_generated"]);
});

Deno.test("the button adds the event once, marks the contact, and leads to the chain", async () => {
  const { hash, token } = await registered();
  fixture.clock.now += 60_000;
  const response = await press(token);
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("referrer-policy"), "no-referrer");
  assertEquals(response.headers.get("cache-control"), "no-store");
  const html = await response.text();
  assertEquals(titleOf(html), "Your email address is confirmed");
  assertStringIncludes(html, `href="http://trust.localhost:8000/verify?hash=${hash}"`);
  assertEquals(await kindsOf(hash), ["hash_generated", "email_confirmed"]);
  const at = new Date(fixture.clock.now).toISOString();
  assertEquals((await readContact(services.kv, hash))!.confirmed_at, at);

  const again = await press(token);
  assertEquals([again.status, titleOf(await again.text())], [
    200,
    "Your email address is already confirmed",
  ]);
  const looked = await (await look(token)).text();
  assertEquals(titleOf(looked), "Your email address is already confirmed");
  assertFalse(looked.includes("Example"));
  assertEquals(await kindsOf(hash), ["hash_generated", "email_confirmed"]);
});

Deno.test("who confirms gets the record and its salt, which open the commitment", async () => {
  const { hash, token } = await registered();
  const html = await (await press(token)).text();
  const json = /<pre tabindex="0">(.*?)<\/pre>/s.exec(html)![1].replaceAll("&quot;", '"');
  const { record, salt } = JSON.parse(json);
  assertEquals(record.name, PERSON.name);
  assertEquals(await recordHash(decodeHex(salt), record), hash);
});

Deno.test("of many presses at once one adds the event", async () => {
  const { hash, token } = await registered();
  const pages = await Promise.all(
    Array.from({ length: 20 }, async () => titleOf(await (await press(token)).text())),
  );
  assertEquals(await kindsOf(hash), ["hash_generated", "email_confirmed"]);
  const first = pages.filter((title) => title === "Your email address is confirmed");
  const others = pages.filter((title) => title === "Your email address is already confirmed");
  assertEquals([first.length, others.length], [1, 19]);
});

Deno.test("a link is good for seven days, and afterwards told from an unknown one", async () => {
  const { hash, token } = await registered();
  const start = fixture.clock.now;
  fixture.clock.now = start + 7 * DAY - 1;
  assertEquals((await look(token)).status, 200);
  fixture.clock.now = start + 7 * DAY;
  for (const answer of [await look(token), await press(token)]) {
    assertEquals([answer.status, titleOf(await answer.text())], [410, "This link has expired"]);
  }
  assertEquals(await kindsOf(hash), ["hash_generated"]);
  fixture.clock.now = start + 7 * DAY - 1;
  assertEquals((await press(token)).status, 200);
  fixture.clock.now = start;
});

Deno.test("an unknown or malformed link is 404, and one without a token 400", async () => {
  for (const token of ["A".repeat(43), "", "x", "..%2F", "A".repeat(5000)]) {
    for (const answer of [await look(token), await press(decodeURIComponent(token))]) {
      assertEquals([answer.status, titleOf(await answer.text())], [404, "This link is not valid"]);
    }
  }
  const bare = await fixture.site.request("trust", "/confirm");
  assertEquals(bare.status, 400);
  await bare.body?.cancel();
  const empty = await fixture.site.request("trust", "/confirm", {
    method: "POST",
    body: new URLSearchParams({}),
  });
  assertEquals(empty.status, 400);
  await empty.body?.cancel();
});

Deno.test("a token in the POST's address counts for nothing", async () => {
  const { hash, token } = await registered();
  const response = await fixture.site.request("trust", `/confirm?token=${token}`, {
    method: "POST",
    body: new URLSearchParams({}),
  });
  assertEquals(response.status, 400);
  await response.body?.cancel();
  assertEquals(await kindsOf(hash), ["hash_generated"]);
});

Deno.test("another site cannot press the button", async () => {
  const { hash, token } = await registered();
  for (const origin of ["https://evil.example", "http://investor.localhost:8000"]) {
    const response = await press(token, { origin, "sec-fetch-site": "cross-site" });
    await response.body?.cancel();
    assertEquals(response.status, 403);
  }
  assertEquals(await kindsOf(hash), ["hash_generated"]);
  // What a browser sends from a page without a referrer.
  const own = await press(token, { origin: "null", "sec-fetch-site": "same-origin" });
  assertEquals(own.status, 200);
  await own.body?.cancel();
});

Deno.test("the token is stored hashed alone", async () => {
  const { token } = await registered();
  for (const { key, text } of await fixture.entries()) assertFalse((key + text).includes(token));
});

Deno.test("deleting takes away the person and the link, and leaves the chain, which still verifies", async () => {
  const { hash, token } = await registered("gone@example.org");
  const other = await registered("stays@example.org");
  const count = (await fixture.entries()).length;
  assertEquals(await recordsOf(services.kv, "gone@example.org"), [hash]);
  assert(await deleteContact(services.kv, hash));
  assertFalse(await deleteContact(services.kv, hash));
  assertEquals(await readContact(services.kv, hash), null);
  assertEquals((await fixture.entries()).length, count - 2);
  for (const { key, text } of await fixture.entries()) {
    assertFalse((key + text).includes("gone@example.org"));
  }
  const { events, head } = (await services.chains.page(hash))!;
  const { keys } = await services.chains.keys();
  const { publisher } = services.chains;
  assert((await verifyChain({ recordHash: hash, events, head, publisher, keys })).ok);
  assertEquals((await look(token)).status, 404);
  assertEquals((await press(token)).status, 404);
  assertEquals(await kindsOf(hash), ["hash_generated"]);
  assert(await readContact(services.kv, other.hash));
});

for (const [title, read] of [["before", 1], ["inside", 2]] as const) {
  Deno.test(`who is deleted ${title} the commit that confirms gets no event, and stays deleted`, async () => {
    const { hash, token } = await registered();
    const { get } = services.kv;
    let reads = 0;
    services.kv.get = async (key, ...more) => {
      const entry = await get.call(services.kv, key, ...more);
      if (key[0] === "contacts" && ++reads === read) await deleteContact(services.kv, hash);
      // deno-lint-ignore no-explicit-any
      return entry as any;
    };
    try {
      const response = await press(token);
      assertEquals(response.status, 404);
      await response.body?.cancel();
    } finally {
      services.kv.get = get;
    }
    assertEquals(await kindsOf(hash), ["hash_generated"]);
    assertEquals(await readContact(services.kv, hash), null);
  });
}

Deno.test("the command deletes by hash and by address, and says when there is nothing", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/store.kv`;
  const run = async (...args: string[]) => {
    const { code } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "lib/contact/delete_contact_main.ts", ...args],
      env: { KV_PATH: path },
      stdout: "null",
      stderr: "null",
    }).output();
    return code;
  };
  const { openKv } = await import("../lib/kv/mod.ts");
  const hashes: string[] = [];
  {
    await using filed = await contactFixture({}, { kv: await openKv(path) });
    for (const email of ["a@example.org", "b@example.org", "B@Example.org"]) {
      hashes.push((await (await filed.send({ ...PERSON, email })).json()).hash);
    }
  }
  assertEquals(await run(), 2);
  assertEquals(await run("nothing"), 2);
  assertEquals(await run("f".repeat(64)), 1);
  assertEquals(await run(` ${hashes[0].toUpperCase()}`), 0);
  assertEquals(await run(hashes[0]), 1);
  assertEquals(await run(" B@example.org "), 0);
  assertEquals(await run("b@example.org"), 1);
  for await (const { name } of Deno.readDir(folder)) {
    const bytes = new TextDecoder("latin1").decode(await Deno.readFile(`${folder}/${name}`));
    assertFalse(bytes.includes(PERSON.name), `${name} still has it, in a place that is free`);
  }
  await Deno.remove(folder, { recursive: true });
});
