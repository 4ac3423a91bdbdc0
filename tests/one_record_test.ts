import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { mailboxOf } from "../lib/base/email.ts";
import { DAY_MS, MINUTE_MS } from "../lib/base/time.ts";
import { type DocumentRow, MAX_DOCUMENTS } from "../lib/features/documents/mod.ts";
import { MAX_ISSUED } from "../lib/features/issuing/issued_limit.ts";
import { readAccessLog, recordRows } from "../lib/features/records/mod.ts";
import { recipientData } from "../lib/features/issuing/recipient_data.ts";
import { PERSON, statusOf } from "./contact_site.ts";
import { type IssuingFixture, issuingFixture } from "./issuing_site.ts";
import type { TestHolder } from "./record_site.ts";

let fixture: IssuingFixture;
Deno.test.beforeAll(async () => {
  fixture = await issuingFixture({ CONTACT_CLIENT_LIMIT: "100" });
});
Deno.test.afterAll(async () => await fixture[Symbol.asyncDispose]());

const wordsOf = (html: string) =>
  html.replaceAll(/<script.*?<\/script>/gs, "").replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

let people = 0;
/** Returns an address that no other test uses. */
const newAddress = (name = "grace") => `${name}.${++people}@college.example.org`;

const holderAt = (email: string): Promise<TestHolder> =>
  fixture.holder({ ...PERSON, email, elapsed_ms: 5_000 });

/** Issues a document to an address, and returns it with the fields of the link that was mailed about it. */
async function offer(email: string, { issuer = fixture.issuer, title = "Diploma" } = {}) {
  const { secrets } = fixture.site.services;
  const recipient = { name: "Grace Student", email };
  const issued = await fixture.issue({ recipient, title }, { issuer });
  if (!issued.ok) throw new Error(issued.error);
  const of = issued.recipient.id;
  const fields = { of, token: await secrets.sign("acceptance", of) };
  return { ...issued, fields, path: `/accept?${new URLSearchParams(fields)}` };
}

const post = (fields: Record<string, string>, cookie?: string) =>
  fixture.fetch("/accept", { form: fields, cookie });

const pageOf = async (response: Response | Promise<Response>) =>
  wordsOf(await (await response).text());

const recordOf = async ({ id }: DocumentRow) =>
  (await fixture.site.services.documents.read(id))!.record;

/** Returns the cookies that a response sets, as a browser sends them. */
const cookiesOf = (response: Response): string =>
  response.headers.getSetCookie().map((each) => each.split(";")[0]).join("; ");

Deno.test("the accept page offers everybody the same two ways, whether or not the address has a record", async () => {
  const known = newAddress();
  await holderAt(known);
  const [a, b] = await Promise.all([known, newAddress()].map(async (email) => {
    const { path, fields, document } = await offer(email);
    const html = await (await fixture.fetch(path)).text();
    return [fields.of, fields.token, document.id].reduce(
      (text, each) => text.replaceAll(each, "…"),
      html,
    )
      .replaceAll(/[0-9A-Z]{4}(-[0-9A-Z]{4}){3}/g, "…").replaceAll(/nonce="[^"]*"/g, "");
  }));
  assertEquals(a, b);
  const words = wordsOf(a);
  assertStringIncludes(words, "Register a record with it");
  assertStringIncludes(words, "I have a record");
  assertFalse(words.includes("Add it to my record"));
});

Deno.test("a holder adds a document to the record of the same confirmed mailbox, and later ones follow at once", async () => {
  const email = newAddress();
  const { hash, cookie } = await holderAt(email);
  const { services } = fixture.site;
  const before = await fixture.count("contacts");
  const quay = await fixture.addIssuer(`Quay ${people}`);
  const { document, path, fields } = await offer(email.replace("@", "+quay@"), { issuer: quay });
  const page = await pageOf(fixture.fetch(path, { cookie }));
  assertStringIncludes(page, "Your enquiry to Attest Systems");
  assert(page.indexOf("Add it to my record") < page.indexOf("Register another record"));

  const added = await post({ ...fields, act: "add", record: hash }, cookie);
  assertEquals([added.status, added.headers.get("set-cookie")], [200, null]);
  const words = await pageOf(added);
  for (const text of ["You have accepted", "Look at it", "Share it"]) {
    assertStringIncludes(words, text);
  }
  assertEquals([await recordOf(document), await fixture.count("contacts")], [hash, before]);
  const { entries } = await readAccessLog(services.kv, hash, fixture.clock.now);
  assert(
    entries.some(({ what, detail }) =>
      what === "documents_accepted" && detail === `from ${quay.name}`
    ),
  );
  // The link accepts nothing else, and later documents go to the same record, whichever tag the address has.
  await post({ ...fields, act: "accept" });
  const same = await offer(email.replace("@", "+quay@"), { issuer: quay });
  const other = await offer(email.replace("@", "+graduation@"), {
    issuer: quay,
    title: "Transcript",
  });
  assertEquals([await recordOf(same.document), await recordOf(other.document)], [hash, hash]);
  assertEquals(other.recipient.email, email.replace("@", "+graduation@"));
  // Another issuer's document is an offer, which says what the record has now.
  const harbour = await offer(email);
  assertEquals(await recordOf(harbour.document), null);
  const named = await pageOf(fixture.fetch(harbour.path, { cookie }));
  for (const text of [`Accept it ${quay.name} `, "Transcript"]) assertStringIncludes(named, text);
});

Deno.test("documents are added only to an open record in force with the same confirmed mailbox, which the session may open", async () => {
  const email = newAddress();
  const { kv } = fixture.site.services;
  const change = async ({ hash }: TestHolder, changes: object) => {
    const record = (await fixture.site.services.records.read(hash))!;
    await kv.set(recordRows.key(hash), { ...record.row, ...changes });
  };
  const holderWith = (tag: string) => {
    fixture.clock.now += 60 * MINUTE_MS; // because a mailbox gets only a few links in an hour
    return holderAt(email.replace("@", `+${tag}@`));
  };
  const own = await holderAt(email);
  const at = new Date(fixture.clock.now).toISOString();
  const others: Record<string, { hash: string; cookie?: string }> = {
    "another mailbox": await holderAt(newAddress("eve")),
    "a record of another session": {
      hash: own.hash,
      cookie: (await holderAt(newAddress())).cookie,
    },
    "nobody": { hash: own.hash },
  };
  const unconfirmed = await fixture.register({ ...PERSON, email, elapsed_ms: 5_000 });
  others.unconfirmed = { hash: unconfirmed, cookie: await fixture.signIn([unconfirmed]) };
  const closed = await holderWith("closed");
  await change(closed, { deletion_at: at });
  others.closed = closed;
  const correction = await holderWith("new");
  const corrected = await holderWith("old");
  await change(correction, { replaces: corrected.hash });
  await change(corrected, { correction: { to: correction.hash, at } });
  others["a correction that waits"] = correction;
  const replaced = await holderWith("replaced");
  await change(replaced, { replaced_by: own.hash });
  others.replaced = replaced;

  const { document, fields } = await offer(email);
  for (const [name, { hash, cookie }] of Object.entries(others)) {
    const page = await pageOf(fixture.fetch(`/accept?${new URLSearchParams(fields)}`, { cookie }));
    assertFalse(page.includes("Add it to my record"), name);
    const refused = await post({ ...fields, act: "add", record: hash }, cookie);
    assertEquals([name, refused.status, await recordOf(document)], [
      name,
      cookie === undefined ? 200 : 409,
      null,
    ]);
    await refused.body?.cancel();
  }
  await post({ ...fields, act: "add", record: own.hash }, own.cookie);
  assertEquals(await recordOf(document), own.hash);
});

Deno.test("a person who keeps a document apart stays at the open record and can switch, and a copied cookie gets nothing new", async () => {
  const email = newAddress();
  const { hash, cookie } = await holderAt(email);
  const { document, fields } = await offer(email);
  const kept = await post({ ...fields, act: "accept" }, cookie);
  const changed = cookiesOf(kept);
  assertStringIncludes(await pageOf(kept), "The one that was open in this browser still is");
  const apart = (await recordOf(document))!;
  assert(apart !== hash);
  const own = await (await fixture.fetch("/my-record", { cookie: changed })).text();
  assertStringIncludes(own, `My record ${hash.slice(0, 8)}`);
  assertStringIncludes(
    wordsOf(own),
    "Your other records Your sign-in opens these too. Only one is open at a time. Harbour College Diploma",
  );
  assertStringIncludes(own, `name="record" value="${apart}"`);
  // The earlier cookie has ended.
  assertStringIncludes(await pageOf(fixture.fetch("/my-record", { cookie })), "Open your record");
  const chosen = await fixture.fetch("/my-record/choose", {
    cookie: changed,
    form: { record: apart },
  });
  assertEquals(chosen.status, 303);
  assertStringIncludes(
    await (await fixture.fetch("/my-record", { cookie: changed })).text(),
    `My record ${apart.slice(0, 8)}`,
  );
});

for (const older of ["sign-in", "mail"]) {
  Deno.test(`a person who keeps a document apart has to sign in again for sensitive actions if the ${older} is old`, async () => {
    const email = newAddress();
    const { hash } = await holderAt(email);
    const wait = () => void (fixture.clock.now += 20 * MINUTE_MS);
    let cookie = await fixture.signIn([hash]);
    if (older === "sign-in") wait();
    const { document, fields } = await offer(email);
    if (older === "mail") {
      wait();
      cookie = await fixture.signIn([hash]);
    }
    const changed = cookiesOf(await post({ ...fields, act: "accept" }, cookie));
    const form = { record: (await recordOf(document))! };
    await statusOf(fixture.fetch("/my-record/choose", { cookie: changed, form }));
    const share = `/my-record/share?document=${document.id}`;
    assertStringIncludes(await pageOf(fixture.fetch(share, { cookie: changed })), "Sign in again");
  });
}

/** Adds keys to an index of documents, as if there were as many more of them. */
async function addKeys(index: string, of: string, count: number): Promise<AsyncDisposable> {
  const { kv } = fixture.site.services;
  const keys = Array.from({ length: count }, (_, i) => [index, of, "2026", `${i}`]);
  await Promise.all(keys.map((key) => kv.set(key, null)));
  return {
    [Symbol.asyncDispose]: async () => void await Promise.all(keys.map((key) => kv.delete(key))),
  };
}

Deno.test("a holder cannot add to a record with 1,000 documents, and the documents stay where they wait", async () => {
  const email = newAddress();
  const { hash, cookie } = await holderAt(email);
  const { document, fields } = await offer(email);
  await using _ = await addKeys("documents_by_contact", hash, MAX_DOCUMENTS);
  const full = await post({ ...fields, act: "add", record: hash }, cookie);
  assertEquals([full.status, await recordOf(document)], [409, null]);
  assertStringIncludes(await pageOf(full), "A record has at most 1,000 documents");
});

Deno.test("an issuer with 100 documents in a record can add no more, and others can add theirs", async () => {
  const email = newAddress();
  const { hash, cookie } = await holderAt(email);
  const quay = await fixture.addIssuer(`Quay ${++people}`);
  const [first, others] = [await offer(email, { issuer: quay }), await offer(email)];
  for (const { fields } of [first, others]) {
    await statusOf(post({ ...fields, act: "add", record: hash }, cookie));
  }
  const alias = email.replace("@", "+quay@");
  const { recipient } = await offer(alias, { issuer: quay });
  await using _ = await addKeys("documents_by_recipient", recipient.id, MAX_ISSUED - 2);
  await using _record = await addKeys("documents_by_contact", hash, MAX_ISSUED - 2);
  for (const address of [email, alias, email.replace("@", "+new@")]) {
    const refused = await fixture.issue({ recipient: { name: "Grace", email: address } }, {
      issuer: quay,
    });
    assertEquals([refused.ok || refused.error, !refused.ok && refused.message], [
      "too_many_documents",
      "The recipient has 100 documents of yours, which is the limit.",
    ]);
  }
  assertEquals(await recordOf((await offer(email)).document), hash);
  // The holder cannot add more of them either, after an end.
  const form = { act: "end", issuer: quay.id };
  await statusOf(fixture.fetch("/my-record/issuers", { cookie, form }));
  const { document, fields } = await offer(email, { issuer: quay });
  const full = await post({ ...fields, act: "add", record: hash }, cookie);
  assertEquals([full.status, await recordOf(document)], [409, null]);
  assertStringIncludes(await pageOf(full), "at most 100 documents of one issuer");
});

Deno.test("a person who is signed in with another address stays signed in, and a copied cookie does not go on under another", async () => {
  const { hash, cookie } = await holderAt(newAddress("eve"));
  const { document, fields } = await offer(newAddress());
  const accepted = await post({ ...fields, act: "accept" }, cookie);
  assertEquals(accepted.headers.get("set-cookie"), null);
  assertStringIncludes(
    await pageOf(accepted),
    "The record that is open in this browser stays open",
  );
  const apart = (await recordOf(document))!;
  assert(apart !== hash);
  const own = await (await fixture.fetch("/my-record", { cookie })).text();
  assertStringIncludes(own, `My record ${hash.slice(0, 8)}`);
  assertFalse(own.includes(apart));
  const form = { record: apart };
  assertEquals(await statusOf(fixture.fetch("/my-record/choose", { cookie, form })), 404);
  // Nor does a session for a record whose address is not confirmed, which anybody may have entered.
  const email = newAddress();
  const unconfirmed = await fixture.register({ ...PERSON, email, elapsed_ms: 5_000 });
  const stranger = await fixture.signIn([unconfirmed]);
  const { fields: others } = await offer(email);
  const apartToo = await post({ ...others, act: "accept" }, stranger);
  assertEquals(apartToo.headers.get("set-cookie"), null);
  await apartToo.body?.cancel();
});

Deno.test("confirming another enquiry leaves the open record open", async () => {
  const email = newAddress();
  const { hash, cookie } = await holderAt(email);
  const other = await fixture.register({ ...PERSON, email, elapsed_ms: 5_000 });
  const [{ link }] = await fixture.mails();
  const token = new URL(link!).searchParams.get("token")!;
  const confirmed = await fixture.fetch("/confirm", { cookie, form: { token } });
  const page = await confirmed.clone().text();
  assertStringIncludes(page, `name="record" value="${other}"`);
  const own = await (await fixture.fetch("/my-record", { cookie: cookiesOf(confirmed) })).text();
  assertStringIncludes(own, `My record ${hash.slice(0, 8)}`);
});

Deno.test("a person who signs in from the accept page returns to it, and the address names no link", async () => {
  const email = newAddress();
  const { hash, cookie } = await holderAt(email);
  const { fields } = await offer(email);
  const asked = await post({ ...fields, act: "sign_in" });
  assertEquals([asked.status, asked.headers.get("location")], [303, "/my-record?sign-in=1"]);
  const remembered = cookiesOf(asked);
  const [link, page] = asked.headers.getSetCookie();
  assertMatch(link, /; HttpOnly; Secure; SameSite=Lax; Max-Age=3600; Path=\/accept$/);
  assertMatch(page, /; HttpOnly; Secure; SameSite=Lax; Max-Age=1800; Path=\/my-record$/);
  const signIn = await fixture.fetch("/my-record?sign-in=1", {
    cookie: `${cookie}; ${remembered}`,
  });
  assertStringIncludes(await pageOf(signIn), "Open your record");
  // As after the sign-in, whichever way it was.
  const back = await fixture.fetch("/my-record", { cookie: `${cookie}; ${remembered}` });
  assertEquals([back.status, back.headers.get("location")], [303, "/accept"]);
  assertStringIncludes(back.headers.get("set-cookie")!, "record_return=; ");
  const returned = await fixture.fetch("/accept", { cookie: `${cookie}; ${remembered}` });
  assertStringIncludes(await returned.text(), `name="record" value="${hash}"`);
  assertEquals(await statusOf(fixture.fetch("/accept", { cookie })), 400);
  const forged = `${cookie}; record_return=toString`;
  assertEquals(await statusOf(fixture.fetch("/my-record", { cookie: forged })), 200);
});

Deno.test("a recipient looks at a document while it waits, and the link shows it to nobody afterwards", async () => {
  const email = newAddress();
  const { document, fields } = await offer(email);
  const other = await offer(newAddress());
  const look = (document: string) => post({ ...fields, act: "look", document });
  const seen = await look(document.id);
  const cookie = cookiesOf(seen);
  const path = `/accept/${document.id}`;
  assertEquals([seen.status, seen.headers.get("location")], [303, path]);
  const show = (path: string, sent = cookie) => fixture.fetch(path, { cookie: sent });
  const page = await show(path);
  assertEquals([page.headers.get("cache-control"), page.headers.get("referrer-policy")], [
    "no-store",
    "no-referrer",
  ]);
  const html = await pageOf(page);
  assertStringIncludes(html, "Nobody else can read it here");
  assertStringIncludes(html, "If something in it is wrong");
  const file = await show(`${path}/file`);
  assertStringIncludes(await file.text(), "Document ");
  assertEquals((await fixture.fetch(path)).status, 404);
  const forged = cookie.slice(0, -2) + (cookie.at(-2) === "A" ? "B" : "A") + cookie.at(-1);
  for (const [at, sent] of [[path, forged], [`/accept/${other.document.id}`, cookie]]) {
    for (const each of [at, `${at}/file`]) {
      const refused = await show(each, sent);
      assertEquals([each, refused.status, refused.headers.get("location")], [each, 303, "/accept"]);
    }
  }
  await post({ ...fields, act: "accept" });
  for (const each of [path, `${path}/file`]) assertEquals((await show(each)).status, 303, each);
});

Deno.test("a holder ends an issuer's later documents, which then wait again, and those of others do not", async () => {
  const email = newAddress();
  const { hash, cookie } = await holderAt(email);
  const quay = await fixture.addIssuer(`Quay ${++people}`);
  for (const issuer of [fixture.issuer, quay]) {
    const { fields } = await offer(email, { issuer });
    await post({ ...fields, act: "add", record: hash }, cookie);
    fixture.clock.now += 1_000;
  }
  await offer(email.replace("@", "+quay@"), { issuer: quay });
  const page = await pageOf(fixture.fetch("/my-record", { cookie }));
  assertStringIncludes(page, `Issuers that add documents Harbour College, ${quay.name}`);
  const form = { act: "end", issuer: quay.id };
  assertEquals(await statusOf(fixture.fetch("/my-record/issuers", { json: form })), 401);
  const done = await fixture.fetch("/my-record/issuers", { cookie, form });
  assertEquals(done.status, 303);
  assertStringIncludes(
    await pageOf(fixture.fetch(done.headers.get("location")!, { cookie })),
    `${quay.name} no longer adds documents.`,
  );
  const [ended, followed] = [await offer(email, { issuer: quay }), await offer(email)];
  const tagged = await offer(email.replace("@", "+quay@"), { issuer: quay });
  assertEquals(
    await Promise.all([ended, tagged, followed].map(({ document }) => recordOf(document))),
    [null, null, hash],
  );
  const download = JSON.parse((await fixture.site.services.records.download(hash, READER))!);
  assertEquals(
    download.named_by_issuers.filter((each: { adds_later_documents: boolean }) =>
      each.adds_later_documents
    )
      .map(({ issuer }: { issuer: string }) => issuer),
    [fixture.issuer.id],
  );
  // The holder can accept the issuer's documents again.
  await post({ ...ended.fields, act: "add", record: hash }, cookie);
  assertEquals(await recordOf((await offer(email, { issuer: quay })).document), hash);
});

const READER = { network: "203.0.113.0/24", browser: "Firefox on Linux" };

Deno.test("undoing a correction ends what was accepted since then, because it may be somebody else's", async () => {
  const { kv, secrets, idempotency } = fixture.site.services;
  const email = newAddress();
  const { hash, cookie } = await holderAt(email);
  const quay = await fixture.addIssuer(`Quay ${++people}`);
  const accept = async (issuer: typeof quay) => {
    const { fields } = await offer(email, { issuer });
    await statusOf(post({ ...fields, act: "add", record: hash }, cookie));
  };
  await accept(fixture.issuer);
  fixture.clock.now += 1_000;
  const since = new Date(fixture.clock.now).toISOString();
  await accept(quay);
  await recipientData({ kv, secrets, idempotency }).move!(hash, "an earlier record", since);
  const { issuersOf } = fixture.site.services.issuing.laterDocuments;
  assertEquals((await issuersOf(hash)).map(({ name }) => name), ["Harbour College"]);
});

/** The ways in which later documents stop going into a record. */
const ENDS: Record<string, (holder: TestHolder, since: string) => Promise<unknown>> = {
  "its holder has ended that": ({ cookie }) =>
    statusOf(
      fixture.fetch("/my-record/issuers", {
        cookie,
        form: { act: "end", issuer: fixture.issuer.id },
      }),
    ),
  "it was erased": ({ hash }) => fixture.site.services.records.deletion.deleteRecord(hash),
  "its correction was undone": ({ hash }, since) =>
    recipientData(fixture.site.services).move!(hash, "an earlier record", since),
};
for (const [what, end] of Object.entries(ENDS)) {
  Deno.test(`a document does not follow into another record of the mailbox after ${what}, until somebody accepts again`, async () => {
    const email = newAddress();
    const alias = email.replace("@", "+course@");
    const holder = await holderAt(email);
    const since = new Date(fixture.clock.now).toISOString();
    const [own, forwarded] = [await offer(email), await offer(alias)];
    await statusOf(post({ ...own.fields, act: "add", record: holder.hash }, holder.cookie));
    fixture.clock.now += 1_000;
    await statusOf(post({ ...forwarded.fields, act: "accept" }));
    const other = await recordOf(forwarded.document);
    assert(other !== null && other !== holder.hash);
    await end(holder, since);

    fixture.clock.now += 1_000;
    const again = await offer(email);
    const others = [again, await offer(alias), await offer(email.replace("@", "+new@"))];
    for (const { document, recipient } of others) {
      assertEquals([await recordOf(document), recipient.state], [null, "waiting"]);
    }
    await statusOf(post({ ...again.fields, act: "accept" }));
    const accepted = await recordOf(again.document);
    assert(accepted !== null && accepted !== other);
    assertEquals(await recordOf((await offer(email.replace("@", "+later@"))).document), accepted);
  });
}

/** A step of somebody with any of the links, and a session for any of the records. */
const step = fc.record({
  act: fc.constantFrom("issue", "accept", "add", "add", "refuse", "look"),
  address: fc.nat(2),
  link: fc.nat(5),
  record: fc.nat(5),
  session: fc.array(fc.nat(5), { maxLength: 3 }),
});

Deno.test("no link reaches a record that exists without a session for it at the same confirmed mailbox", async () => {
  const { documents, records } = fixture.site.services;
  const emails = ["grace@p.example.org", "grace+tag@p.example.org", "eve@p.example.org"];
  const existing: string[] = [];
  for (const email of emails) existing.push((await holderAt(email)).hash);
  for (const email of emails) {
    existing.push(await fixture.register({ ...PERSON, email, elapsed_ms: 5_000 }));
  }
  const fits = async (hash: string, email: string) => {
    const { value } = (await records.read(hash))!.contact;
    return value.confirmed_at !== null && mailboxOf(value.record.email) === mailboxOf(email);
  };
  let issuers = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      fixture.clock.now += DAY_MS; // so that no limit of mails is reached
      const issuer = await fixture.addIssuer(`College ${++issuers}`);
      const offers: (Awaited<ReturnType<typeof offer>> & { email: string })[] = [];
      /** The records into which the mailbox has accepted documents of the issuer. */
      const accepted = new Map<string, Set<string>>();
      for (const { act, address, link, record, session } of steps) {
        const email = emails[address];
        const found = offers[link % (offers.length || 1)];
        const choices = [...new Set(session.map((i) => existing[i]))];
        if (act === "issue" || found === undefined) {
          const made = await offer(email, { issuer }).catch(() => null); // refused before
          if (made === null) continue;
          const into = await recordOf(made.document);
          const earlier = accepted.get(mailboxOf(email)) ?? new Set();
          assert(into === null || earlier.has(into), "issued into a record that has not accepted");
          offers.push({ ...made, email });
          continue;
        }
        const before = await Promise.all(offers.map(({ document }) => recordOf(document)));
        const cookie = choices.length === 0 ? undefined : await fixture.signIn(choices);
        const target = existing[record];
        const fields: Record<string, string> = act === "look"
          ? { act, document: found.document.id }
          : act === "add"
          ? { act, record: target }
          : { act };
        await statusOf(post({ ...found.fields, ...fields }, cookie));
        for (const [i, { document, email }] of offers.entries()) {
          const now = await recordOf(document);
          if (now === before[i]) continue;
          assertEquals(before[i], null, "a document has left its record");
          assert(act === "accept" || act === "add", `${act} has put a document into a record`);
          const mayAdd = act === "add" && now === target && choices.includes(target) &&
            await fits(target, email);
          const isNew = act === "accept" && !existing.includes(now!) && await fits(now!, email);
          assert(mayAdd || isNew, "a document has got into a record that it must not reach");
          const mailbox = mailboxOf(email);
          accepted.set(mailbox, (accepted.get(mailbox) ?? new Set()).add(now!));
        }
      }
      for (const hash of existing) {
        for (const { issuer: { id }, recipient } of await documents.list(hash)) {
          assert(id !== issuer.id || offers.some((each) => each.document.recipient === recipient));
        }
      }
    }),
    { numRuns: Number(Deno.env.get("ONE_RECORD_RUNS") ?? 25), seed: 54 },
  );
});
