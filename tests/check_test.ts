import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { createHash } from "node:crypto";
import {
  ANSWER_MS,
  CHECKS_PER_MINUTE,
  createDocuments,
  documentPath,
  formatDocumentId,
  type NewDocument,
  PROOFS_PER_MINUTE,
  READINGS_PER_HOUR,
} from "../lib/features/documents/mod.ts";
import type { MatchReport } from "../lib/features/documents/checks/report.ts";
import {
  checkLog,
  createMemory,
  decodeBundle,
  documentEntry,
  documentInLog,
  entryBytes,
  logSentence,
  parsePolicy,
} from "../packages/proof/mod.ts";
import { logBundles, logIndex } from "../lib/features/log/store/tables.ts";
import { encodeHex } from "../lib/base/bytes.ts";
import { decodeBase64 } from "../lib/base/encoding.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import {
  NONCE_LIFETIME_MS,
  readAccessLog,
  readRecord,
  recordRows,
} from "../lib/features/records/mod.ts";
import { nextTask } from "../lib/platform/http/testing/streams.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/base/time.ts";
import { errorOf, PERSON, statusOf } from "./contact_site.ts";
import { BY, documentFixture } from "./document_site.ts";
import { issuingFixture } from "./issuing_site.ts";
import type { SiteOverrides } from "./site.ts";

const STRANGER = "198.51.100.9";

const sha256 = (...parts: (string | Uint8Array)[]): string => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
};

/** Bytes of a file that nobody could guess. */
function someFile(size = 5000): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  crypto.getRandomValues(bytes.subarray(0, 1000));
  return bytes;
}

/** A site with a record, and functions that check files as the page does. */
async function setUp(overrides: SiteOverrides = {}) {
  const fixture = await documentFixture({}, overrides);
  const { hash } = fixture;
  const { kv, documents, chains } = fixture.site.services;
  type Options = Parameters<typeof fixture.fetch>[1];
  const json = (path: string, options: Options = {}) =>
    fixture.fetch(path, { from: STRANGER, headers: { accept: "application/json" }, ...options });
  const post = (path: string, body: unknown, options: Options = {}) =>
    fixture.fetch(path, { json: body, from: STRANGER, ...options });
  return {
    ...fixture,
    json,
    post,
    add: (bytes: Uint8Array<ArrayBuffer>, details: Partial<NewDocument> = {}) =>
      fixture.add(bytes, { title: "Certificate of xylography", guessable: false, ...details }),
    async replace(id: string, bytes: Uint8Array<ArrayBuffer>) {
      await fixture.addVersion(id, bytes);
      unwrap(await documents.edit(id, { guessable: false }, BY));
    },
    /** The JSON for a program. */
    look: async (sha: string) => await (await json(`/check?sha256=${sha}`)).json(),
    /** The page for somebody who pasted a hash. */
    page: async (sha: string, options: Options = {}) =>
      (await (await fixture.fetch(`/check?sha256=${sha}`, { from: STRANGER, ...options })).text())
        .replace(/<script.*?<\/script>/gs, ""),
    /** The result that the page gets for a file. */
    ask: async (bytes: Uint8Array, options: Options = {}) =>
      await (await post("/check", { sha256: sha256(bytes) }, options)).json(),
    prove: (bytes: Uint8Array, nonce: string, options: Options = {}) =>
      post(
        "/check/verified",
        { nonce, sha256: sha256(bytes), proof: sha256(nonce, bytes) },
        options,
      ),
    /** The kinds of the events since the holder's address was confirmed. */
    kinds: async () => (await chains.page(hash))!.events.slice(2).map(({ kind }) => kind),
    log: async () => (await readAccessLog(kv, hash, fixture.clock.now)).entries,
  };
}

Deno.test("a file that matches the current version is reported without the title, unless it is public", async () => {
  await using site = await setUp();
  const bytes = someFile();
  const document = await site.add(bytes);
  const at = document.created_at;
  const match = {
    state: "current",
    since: at,
    form: "original",
    issuer: "Attest Systems",
    registrar: "Attest Systems",
    version: 1,
    registered_at: at,
    first_registered_at: at,
    url: `http://trust.localhost:8000${documentPath(document.id)}`,
  };
  const report = await site.look(sha256(bytes));
  const { log } = report.matches[0];
  assertEquals(report, {
    state: "current",
    issuer: "Attest Systems",
    sha256: sha256(bytes),
    matches: [{ ...match, log }],
    more_issuers: 0,
  });
  const html = await site.page(sha256(bytes));
  assertStringIncludes(html, "This hash matches a current document");
  assertFalse(html.includes("xylography"));

  unwrap(await site.site.services.documents.edit(document.id, { public: true }, BY));
  const published = await site.look(sha256(bytes).toUpperCase());
  assertEquals(published.matches, [{ ...match, title: "Certificate of xylography", log }]);
  assertStringIncludes(await site.page(sha256(bytes)), "Certificate of xylography");
});

Deno.test("a file with one changed byte has no published match, without a claim of forgery", async () => {
  await using site = await setUp();
  const bytes = someFile();
  await site.add(bytes);
  bytes[4999] ^= 1;
  const changed = sha256(bytes);
  const none = { state: "not_registered", sha256: changed, matches: [], more_issuers: 0 };
  assertEquals(await site.look(changed), none);
  assertEquals(await site.ask(bytes), { report: none, nonce: null, unrecorded: null });
  const html = await site.page(changed);
  assertStringIncludes(html, ">No published match</h2>");
  assertFalse(/not registered/i.test(html));
  assertStringIncludes(html, "This says nothing about forgery.");
  assertStringIncludes(html, "Only the hash was compared.");
});

Deno.test("an older version is reported with its end and the newest version", async () => {
  await using site = await setUp();
  const [first, second, third] = [someFile(), someFile(), someFile()];
  const { id, created_at } = await site.add(first);
  const days = [created_at];
  for (const bytes of [second, third]) {
    site.clock.now += DAY_MS;
    days.push(new Date(site.clock.now).toISOString());
    await site.replace(id, bytes);
  }
  const { state, matches: [match] } = await site.look(sha256(first));
  assertEquals([state, match.version, match.since], ["replaced", 1, days[1]]);
  const newest = { version: 3, registered_at: days[2], state: "current" };
  assertEquals(match.newest, newest);
  const html = await site.page(sha256(first));
  assertStringIncludes(html, "This hash matches an older version");
  assertStringIncludes(html, "Do not rely on this file: ask for that version.");
  assertEquals((await site.look(sha256(third))).state, "current");

  site.clock.now += DAY_MS;
  const at = new Date(site.clock.now).toISOString();
  unwrap(await site.site.services.documents.withdraw(id, "Issued in error", BY));
  assertEquals((await site.look(sha256(first))).matches[0].newest.state, "withdrawn");
  const withdrawn = await site.look(sha256(third));
  assertEquals([withdrawn.state, withdrawn.matches[0].since], ["withdrawn", at]);
  const page = await site.page(sha256(third));
  assertStringIncludes(page, "This hash matches a withdrawn document");
  assertStringIncludes(page, "No version of the document is in force.");
  assertStringIncludes(page, `${withdrawn.matches[0].withdrawn_by} withdrew it on`);
  assertStringIncludes(page, "verdict check-withdrawn");
  // The reason may say something about the holder.
  assertEquals(withdrawn.matches[0].reason, undefined);
  assertFalse(page.includes("Issued in error"));
  assertStringIncludes(
    await site.page(sha256(third), { cookie: site.cookie }),
    "The reason: Issued in error",
  );
});

Deno.test("a document is reported as expired from its expiry date", async () => {
  await using site = await setUp();
  const bytes = someFile();
  const expires_at = new Date(site.clock.now + DAY_MS).toISOString();
  await site.add(bytes, { expires_at });
  assertEquals((await site.look(sha256(bytes))).state, "current");
  site.clock.now += DAY_MS;
  const { state, matches: [{ since }] } = await site.look(sha256(bytes));
  assertEquals([state, since], ["expired", expires_at]);
});

Deno.test("of several documents of one issuer with the same file, the newest that may be reported counts", async () => {
  await using site = await setUp();
  const bytes = someFile();
  const { documents, kv } = site.site.services;
  const add = async (details?: Partial<NewDocument>) => {
    site.clock.now += HOUR_MS;
    return await site.add(bytes, details);
  };
  const stateOf = async () => {
    const { state, matches } = await site.look(sha256(bytes));
    assertEquals(matches.length, state === "not_registered" ? 0 : 1);
    return state;
  };
  const first = await add();
  const second = await add();
  unwrap(await documents.withdraw(second.id, "Issued in error", BY));
  assertEquals(await stateOf(), "withdrawn");
  const hidden = await add({ guessable: true });
  assertEquals(await stateOf(), "withdrawn");
  unwrap(await documents.edit(hidden.id, { guessable: false }, BY));
  assertEquals(await stateOf(), "current");
  const { matches: [{ url, registered_at, first_registered_at }] } = await site.look(sha256(bytes));
  assert(url.endsWith(documentPath(hidden.id)));
  assertEquals([registered_at, first_registered_at], [hidden.created_at, first.created_at]);
  unwrap(await documents.edit(hidden.id, { guessable: true }, BY));
  assertEquals(await stateOf(), "withdrawn");
  unwrap(await documents.edit(second.id, { guessable: true }, BY));
  assertEquals(await stateOf(), "current");

  // The owner of the newest one has asked for its deletion.
  const other = await site.register({ ...PERSON, email: "grace@example.org" });
  const leaving = await add({ record: other });
  unwrap(await documents.withdraw(leaving.id, "Issued in error", BY));
  assertEquals(await stateOf(), "withdrawn");
  const { row } = (await readRecord(kv, other))!;
  const deletion_at = new Date(site.clock.now + DAY_MS).toISOString();
  await kv.set(recordRows.key(other), { ...row, deletion_at });
  assertEquals(await stateOf(), "current");
  await documents.recordData.deleteOf!(other);
  assertEquals(await stateOf(), "current");
  await documents.recordData.deleteOf!(site.hash);
  assertEquals(await stateOf(), "not_registered");
  assertEquals(await site.count("registrants"), 0);
});

Deno.test("the original and the issued copy of a PDF both match, and the report says which", async () => {
  await using site = await setUp();
  const { services } = site.site;
  const issued = someFile(6000);
  const documents = createDocuments({
    ...services,
    config: () => services.config.documents,
    fetch,
    organisations: services.config.organisations,
    trustUrl: (path) => path,
    issuePdf: () => Promise.resolve({ ok: true, bytes: issued, pages: 7 }),
  });
  const original = someFile();
  original.set(new TextEncoder().encode("%PDF-1.7"));
  const details = { record: site.hash, organisation: "commercial", by: BY } as const;
  const about = { title: "Letter", kind: "Letter", public: false, file_name: "letter.pdf" };
  unwrap(await documents.add({ ...details, ...about }, new Blob([original]).stream()));
  const reports = await Promise.all([original, issued].map((bytes) => site.look(sha256(bytes))));
  assertEquals(
    reports.map(({ matches: [{ form, pages }] }) => [form, pages]),
    [["original", 7], ["issued", 7]],
  );
  const { nonce } = await site.ask(issued);
  assertEquals(await statusOf(site.prove(issued, nonce)), 200);
});

Deno.test("a document that could be guessed is reported only to its holder", async () => {
  await using site = await setUp();
  const bytes = someFile();
  await site.add(bytes, { guessable: true });
  const guessed = sha256(bytes);
  const unknown = sha256("unknown");
  const other = await site.holder({ ...PERSON, email: "grace@example.org" });
  const text = async (sha: string, cookie?: string) => {
    const response = await site.json(`/check?sha256=${sha}`, { cookie });
    const headers = [...response.headers].filter(([name]) =>
      name !== "etag" && name !== "request-id"
    );
    return [response.status, headers, (await response.text()).replaceAll(sha, "<hash>")];
  };
  assertEquals(await text(guessed), await text(unknown));
  assertEquals(await text(guessed, other.cookie), await text(unknown));
  // JSON never depends on who asks.
  assertEquals(await text(guessed, site.cookie), await text(unknown));
  assertEquals(await site.ask(bytes), {
    report: { state: "not_registered", sha256: guessed, matches: [], more_issuers: 0 },
    nonce: null,
    unrecorded: null,
  });
  const plain = (html: string) => html.replace(/nonce="[^"]*"|[\da-f]{64}|>[\da-f]{4}</g, "");
  assertEquals(plain(await site.page(guessed)), plain(await site.page(unknown)));

  const { report, nonce } = await site.ask(bytes, { cookie: site.cookie });
  assertEquals([report.state, nonce], ["current", null]);
  const own = await site.page(guessed, { cookie: site.cookie });
  assertStringIncludes(own, "Certificate of xylography");
});

Deno.test("a match includes what the public log says about the version, with proofs, unless the document may not be confirmed", async () => {
  await using site = await setUp();
  const { kv, jobs, logFiles, clock } = site.site.services;
  const [bytes, hidden] = [someFile(), someFile()];
  const { id } = await site.add(bytes);
  await site.add(hidden, { guessable: true });
  const sha = sha256(bytes);
  const policy = parsePolicy(await logFiles.policy());
  const check = (match: MatchReport, file = sha) =>
    checkLog({
      ...documentInLog(match, file),
      origin: "trust.localhost:8000/log",
      trust: { policy, memory: createMemory() },
      asOf: clock(),
      now: clock(),
    }).then((finding) => logSentence(finding, "document"));
  const { matches: [unlogged] } = await site.look(sha);
  assertStringIncludes((await check(unlogged)).text, "only for a document that was registered");
  await jobs.run("log");

  const { matches: [match] } = await site.look(sha);
  assertStringIncludes((await check(match)).text, "Logged by ");
  assertEquals((await check(match, "0".repeat(64))).tone, "fair"); // another file is not in the log yet
  const { log_salt, statements: [{ index, at, log_proof: _, ...statement }] } = match.log!;
  assertEquals([match.log!.id, at], [id, match.registered_at]);
  const salt = decodeBase64(log_salt)!;
  const entry = documentEntry({ ...statement, id, version: 1, salt });
  assertEquals(index, (await logIndex.get(kv, encodeHex(entry.slot))).value);
  const { value } = (await logBundles.get(kv, 0))!;
  assertEquals(encodeHex(decodeBundle(value!)[index!]), encodeHex(entryBytes(entry)));
  assertStringIncludes(
    (await site.page(sha)).replace(/<[^>]+>/g, " "),
    `registered: entry ${index}`,
  );

  assertEquals((await site.look(sha256(hidden))).matches, []);
  assertFalse((await site.page(sha256(hidden))).includes("log_salt"));
});

Deno.test("a file that prints a number differs from the document only for those to whom its hash may be confirmed", async () => {
  await using site = await setUp();
  const [open, hidden] = [someFile(), someFile()];
  const published = await site.add(open);
  const secret = await site.add(hidden, { guessable: true });
  const differs = async (
    bytes: Uint8Array,
    document: string,
    options: { cookie?: string } = {},
  ) => {
    const response = await site.post("/check", { sha256: sha256(bytes), document }, options);
    assertEquals(response.status, 200);
    return (await response.json()).differs;
  };
  assertEquals(await differs(someFile(), formatDocumentId(published.id).toLowerCase()), true);
  assertEquals(await differs(open, published.id), false);
  assertEquals(await differs(someFile(), "0".repeat(16)), false);
  for (const bytes of [someFile(), hidden]) assertEquals(await differs(bytes, secret.id), false);
  assertEquals(await differs(someFile(), secret.id, { cookie: site.cookie }), true);

  // A grant opens only the version in force, so earlier files are like any other.
  await site.addVersion(secret.id, someFile());
  const cookie = await site.grant(secret.id);
  for (const bytes of [someFile(), hidden]) {
    assertEquals(await differs(bytes, secret.id, { cookie }), true);
  }

  const { kv } = site.site.services;
  const { row } = (await readRecord(kv, site.hash))!;
  const deletion_at = new Date(site.clock.now + DAY_MS).toISOString();
  await kv.set(recordRows.key(site.hash), { ...row, deletion_at });
  assertEquals(await differs(someFile(), published.id), false);

  assertEquals("differs" in await site.ask(open), false);
  for (const document of ["short", "x".repeat(100), 7]) {
    assertEquals(await statusOf(site.post("/check", { sha256: sha256("x"), document })), 400);
  }
});

Deno.test("looking up a hash that may not be confirmed reads as much as looking up an unknown one", async () => {
  await using site = await setUp();
  const [bytes, leaving] = [someFile(), someFile()];
  await site.add(bytes, { guessable: true });
  const other = await site.register({ ...PERSON, email: "grace@example.org" });
  await site.add(leaving, { record: other });
  const { kv } = site.site.services;
  const { row } = (await readRecord(kv, other))!;
  const deletion_at = new Date(site.clock.now + DAY_MS).toISOString();
  await kv.set(recordRows.key(other), { ...row, deletion_at });
  const reads = { count: 0 };
  for (const name of ["get", "getMany", "list"] as const) {
    const read = kv[name].bind(kv) as (...args: unknown[]) => unknown;
    Object.assign(kv, { [name]: (...args: unknown[]) => (reads.count++, read(...args)) });
  }
  const countOf = async (sha: string, cookie?: string) => {
    reads.count = 0;
    await site.page(sha, { cookie });
    return reads.count;
  };
  await countOf(sha256("first")); // opens the log's key
  for (const cookie of [undefined, `document_share=${"x".repeat(43)}`]) {
    const unknown = await countOf(sha256("unknown"), cookie);
    assertEquals(await countOf(sha256(bytes), cookie), unknown);
    assertEquals(await countOf(sha256(leaving), cookie), unknown);
  }
});

Deno.test("an answer about a hidden file and one about an unknown file wait for the same timer", async () => {
  const pauses: { ms: number; end: () => void }[] = [];
  await using site = await setUp({
    pause: (ms) => new Promise((end) => pauses.push({ ms, end })),
  });
  const hidden = someFile();
  await site.add(hidden, { guessable: true });
  for (const bytes of [hidden, someFile()]) {
    let answered = false;
    const answer = site.ask(bytes).finally(() => answered = true);
    while (pauses.length === 0 && !answered) await nextTask();
    for (let turn = 0; turn < 100; turn++) await nextTask();
    assertFalse(answered);
    const [{ ms, end }] = pauses.splice(0);
    assertEquals(ms, ANSWER_MS);
    end();
    assertEquals((await answer).report.state, "not_registered");
  }
});

Deno.test("documents of a record that is being deleted are not registered", async () => {
  await using site = await setUp();
  const bytes = someFile();
  await site.add(bytes);
  const { kv } = site.site.services;
  const { row } = (await readRecord(kv, site.hash))!;
  const deletion_at = new Date(site.clock.now + DAY_MS).toISOString();
  await kv.set(recordRows.key(site.hash), { ...row, deletion_at });
  assertEquals((await site.look(sha256(bytes))).state, "not_registered");
});

Deno.test("a page proves once that its browser has the file, and the reader is in the access log", async () => {
  await using site = await setUp();
  const bytes = someFile(3_000_000);
  const { id } = await site.add(bytes);
  site.clock.now += MINUTE_MS; // later entries of the access log come first
  const { nonce } = await site.ask(bytes);
  const agent = "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0";
  const response = await site.prove(bytes, nonce, { headers: { "user-agent": agent } });
  assertEquals(response.status, 200);
  const { event } = await response.json();
  assertEquals(event.kind, "document_verified");
  const [entry] = await site.log();
  assertEquals(
    [entry.what, entry.seq, entry.network, entry.browser],
    ["document_verified", event.seq, "198.51.100.0/24", "Firefox on Windows"],
  );
  assertEquals(entry.detail, `${formatDocumentId(id)} version 1, the original`);
  assertEquals((await errorOf(await site.prove(bytes, nonce))).error, "invalid_nonce");
  const again = await site.ask(bytes);
  assertEquals(await (await site.prove(bytes, again.nonce)).json(), {
    event: null,
    suppressed: "recent",
  });
  assertEquals(await site.kinds(), ["document_verified"]);
});

Deno.test("20 concurrent proofs with one nonce append one event", async () => {
  await using site = await setUp();
  const bytes = someFile();
  await site.add(bytes);
  const { nonce } = await site.ask(bytes);
  const statuses = await Promise.all(
    Array.from(
      { length: 20 },
      (_, i) => statusOf(site.prove(bytes, nonce, { from: `192.0.${i}.1` })),
    ),
  );
  assertEquals(statuses.filter((status) => status === 200).length, 1);
  assertEquals(statuses.filter((status) => status === 500), []);
  assertEquals(await site.kinds(), ["document_verified"]);
});

Deno.test("a wrong proof, a foreign nonce, an old nonce and a foreign page add nothing", async () => {
  await using site = await setUp();
  const [bytes, other] = [someFile(), someFile()];
  await site.add(bytes);
  await site.add(other);
  const { nonce } = await site.ask(bytes);
  const { records } = site.site.services;
  const scope = { hash: site.hash, kind: "record_verified", object: site.hash } as const;
  const foreign = await records.readers.createNonce(scope);
  const send = async (body: Record<string, unknown>, options?: Parameters<typeof site.post>[2]) => {
    const { status, error } = await errorOf(await site.post("/check/verified", body, options));
    return `${status} ${error}`;
  };
  const good = { nonce, sha256: sha256(bytes), proof: sha256(nonce, bytes) };
  assertEquals(await send({ ...good, proof: sha256(bytes) }), "400 wrong_proof");
  assertEquals(await send({ ...good, proof: sha256(bytes, nonce) }), "400 wrong_proof");
  assertEquals(
    await send({ ...good, sha256: sha256(other), proof: sha256(nonce, other) }),
    "400 wrong_proof",
  );
  assertEquals(
    await send({ ...good, nonce: foreign, proof: sha256(foreign!, bytes) }),
    "400 invalid_nonce",
  );
  assertEquals(await send({ ...good, nonce: "x".repeat(43) }), "400 invalid_nonce");
  for (const wrong of [{ nonce: 1 }, { nonce: "x".repeat(101) }, { proof: "x" }, { sha256: "" }]) {
    assertEquals(await send({ ...good, ...wrong }), "400 invalid_request");
  }
  const { origin } = new URL(site.site.services.surfaces.url("trust")!);
  const others: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { origin: "http://api.localhost:8000" },
    { origin, "sec-fetch-site": "same-site" },
  ];
  for (const headers of others) {
    assertEquals(await send(good, { headers }), "403 forbidden");
    const asked = site.post("/check", { sha256: sha256(bytes) }, { headers });
    assertEquals(await statusOf(asked), 403);
  }
  const { host } = new URL(origin);
  const bare = new Request(`${origin}/check/verified`, {
    method: "POST",
    body: JSON.stringify(good),
    headers: { host, "content-type": "application/json" },
  });
  assertEquals(await statusOf(site.site.handler(bare)), 403);
  site.clock.now += NONCE_LIFETIME_MS;
  assertEquals(await send(good), "400 invalid_nonce");
  assertEquals(await site.kinds(), []);
});

Deno.test("a nonce from before a document's hashes were hidden confirms no guess of its files", async () => {
  await using site = await setUp();
  const [bytes, guessed] = [someFile(), new TextEncoder().encode("passed")];
  const { id } = await site.add(bytes);
  const { nonce } = await site.ask(bytes);
  await site.addVersion(id, guessed);
  for (const guess of [guessed, bytes, new TextEncoder().encode("failed")]) {
    const { status, error } = await errorOf(await site.prove(guess, nonce));
    assertEquals([status, error], [400, "wrong_proof"]);
  }
  assertEquals(await site.kinds(), []);
});

Deno.test("the holder's own check, pasted hashes and JSON add nothing", async () => {
  await using site = await setUp();
  const bytes = someFile();
  await site.add(bytes);
  const before = await site.log();
  await site.page(sha256(bytes));
  await site.look(sha256(bytes));
  const asked = await site.ask(bytes, { cookie: site.cookie });
  assertEquals([asked.nonce, asked.unrecorded], [null, "own"]);
  assertEquals(await site.count("reader_nonces"), 0);
  // The holder signs in between the two requests.
  const { nonce } = await site.ask(bytes);
  const own = await (await site.prove(bytes, nonce, { cookie: site.cookie })).json();
  assertEquals(own, { event: null, suppressed: "own" });
  assertEquals(await site.log(), before);
  assertEquals(await site.kinds(), []);
});

Deno.test("a page learns why the check of a document without a holder is not recorded", async () => {
  await using site = await issuingFixture();
  const { issue, clock } = site;
  const ask = async (text: string) => {
    const response = await site.fetch("/check", { json: { sha256: sha256(text) }, from: STRANGER });
    const { report, nonce, unrecorded } = await response.json();
    return [report.state, nonce, unrecorded];
  };
  unwrap(await issue({ text: "waits", guessable: false }));
  unwrap(await issue({ text: "test", guessable: false }, { test: true }));
  assertEquals(await ask("waits"), ["current", null, "waiting"]);
  assertEquals(await ask("test"), ["test", null, "test"]);
  clock.now += 90 * DAY_MS;
  await site.site.services.jobs.run("recipients");
  assertEquals(await ask("waits"), ["current", null, "unaccepted"]);
});

Deno.test("JSON is revalidated, and an invalid hash gets 400", async () => {
  await using site = await setUp();
  const response = await site.json(`/check?sha256=${sha256("x")}`);
  assertEquals(response.headers.get("cache-control"), "public, no-cache");
  assertStringIncludes(response.headers.get("vary")!, "Accept");
  const etag = response.headers.get("etag")!;
  await response.body?.cancel();
  const headers = { "accept": "application/json", "if-none-match": etag };
  assertEquals(await statusOf(site.json(`/check?sha256=${sha256("x")}`, { headers })), 304);
  for (const query of ["", "?sha256=", "?sha256=abc", `?sha256=${"g".repeat(64)}`]) {
    const { status, error, issues } = await errorOf(await site.json(`/check${query}`));
    assertEquals([status, error], [400, "invalid_request"], query);
    assert(issues?.sha256 !== undefined);
  }
});

Deno.test("a pasted hash is found in the output of common commands, and other types of hash are named", async () => {
  await using site = await setUp();
  const sha = sha256("x");
  const upper = sha.toUpperCase();
  for (
    const text of [`${sha}  file.pdf`, ` ${upper} `, `SHA256: ${sha}`, sha.replace(/.{4}/g, "$& ")]
  ) {
    const response = await site.fetch(`/check?sha256=${encodeURIComponent(text)}`);
    assertEquals([response.status, response.headers.get("location")], [
      302,
      `/check?sha256=${sha}`,
    ]);
  }
  const problems: [string, string][] = [
    [sha.slice(0, 16), "has 64 hexadecimal digits. This has 16."],
    [sha.slice(0, 40), "hash of type SHA-1"],
    [sha + sha, "hash of type SHA-512"],
    ["report.pdf", "has 64 hexadecimal digits."],
  ];
  for (const [text, problem] of problems) {
    const response = await site.fetch(`/check?sha256=${encodeURIComponent(text)}`);
    assertEquals(response.status, 400, text);
    assertStringIncludes(await response.text(), problem);
  }
});

Deno.test("the look-ups and proofs of a client are limited, also on the page", async () => {
  await using site = await setUp();
  const bytes = someFile();
  await site.add(bytes);
  const { nonce } = await site.ask(bytes);
  for (let i = 1; i < CHECKS_PER_MINUTE; i++) await site.look(sha256(`${i}`));
  const limited = await site.json(`/check?sha256=${sha256(bytes)}`);
  assertEquals(limited.headers.get("retry-after"), "60");
  assertEquals((await errorOf(limited)).error, "rate_limited");
  const page = await site.fetch(`/check?sha256=${sha256(bytes)}`, { from: STRANGER });
  assertEquals(page.status, 429);
  assertStringIncludes(await page.text(), "This hash could not be checked");
  assertEquals(
    await statusOf(site.json(`/check?sha256=${sha256(bytes)}`, { from: "192.0.2.1" })),
    200,
  );

  const wrong = { nonce, sha256: sha256(bytes), proof: sha256("x") };
  for (let i = 0; i < PROOFS_PER_MINUTE; i++) {
    assertEquals(await statusOf(site.post("/check/verified", wrong)), 400);
  }
  assertEquals(await statusOf(site.prove(bytes, nonce)), 429);
  site.clock.now += MINUTE_MS;
  assertEquals(await statusOf(site.prove(bytes, nonce)), 200);
});

Deno.test("at most four files are read for proofs at the same time", async () => {
  await using site = await setUp();
  const bytes = someFile();
  await site.add(bytes);
  const { documents } = site.site.services;
  const open = documents.open.bind(documents);
  const { promise: opened, resolve: go } = Promise.withResolvers<void>();
  documents.open = (file) =>
    open(file).pipeThrough(
      new TransformStream({
        async transform(chunk, controller) {
          await opened;
          controller.enqueue(chunk);
        },
      }),
    );
  const nonces: string[] = [];
  for (let i = 0; i < 6; i++) nonces.push((await site.ask(bytes)).nonce);
  const proofs = nonces.map((nonce, i) => site.prove(bytes, nonce, { from: `192.0.${i}.1` }));
  let refused = 0;
  const statuses = await Promise.all(proofs.map(async (proof) => {
    const { status, headers } = await proof;
    if (status === 503) {
      assertEquals(headers.get("retry-after"), "5");
      if (++refused === 2) go();
    }
    return await statusOf(proof);
  }));
  assertEquals(statuses.toSorted(), [200, 200, 200, 200, 503, 503]);
  assertEquals(await statusOf(site.prove(bytes, (await site.ask(bytes)).nonce)), 200);
});

Deno.test("a proof for a file whose bytes cannot be read returns 503, and works once they can be", async () => {
  await using site = await setUp();
  const bytes = someFile();
  const { versions: [{ original: { blob } }] } = await site.add(bytes);
  const { kv } = site.site.services;
  const { key, value } = await kv.get(["document_bytes", blob, 0]);
  await kv.delete(key);
  const { nonce } = await site.ask(bytes);
  const refused = await site.prove(bytes, nonce);
  assertEquals([refused.status, refused.headers.get("retry-after")], [503, "60"]);
  await refused.body?.cancel();
  assertEquals(await site.events(), []);
  await kv.set(key, value);
  assertEquals(await statusOf(site.prove(bytes, nonce)), 200);
  assertEquals(await site.events(), ["document_verified"]);
});

Deno.test("no page of the check calls a document or a person verified", async () => {
  await using site = await setUp();
  const bytes = someFile();
  await site.add(bytes);
  for (const sha of [sha256(bytes), sha256("x")]) {
    assertFalse(/\bverified\b(?! domain)/i.test((await site.page(sha)).replace(/<[^>]*>/g, " ")));
  }
});

Deno.test("a browser with a grant sees the title and a guessable document, and its proofs are never suppressed", async () => {
  await using site = await setUp();
  const bytes = someFile();
  const { id } = await site.add(bytes, { guessable: true });
  const cookie = await site.grant(id);
  for (let i = 0; i < 2; i++) {
    const { report, nonce } = await site.ask(bytes, { cookie });
    assertEquals(report.matches[0].title, "Certificate of xylography");
    const { event } = await (await site.prove(bytes, nonce, { cookie })).json();
    assertEquals(event.kind, "document_verified");
  }
  const log = (await site.log()).filter(({ what }) => what === "document_verified");
  assertEquals(log.length, 2);
  for (const { detail } of log) assertStringIncludes(detail!, "with the grant ");
  assertEquals((await site.ask(bytes)).report.state, "not_registered");
});

Deno.test("proofs with one grant are limited, so that a chain cannot grow without bound", async () => {
  await using site = await setUp();
  const bytes = someFile();
  const { id } = await site.add(bytes);
  const cookie = await site.grant(id);
  const prove = async (i: number) => {
    const options = { cookie, from: `198.51.100.${i % 200}` };
    const { nonce } = await site.ask(bytes, options);
    return await statusOf(site.prove(bytes, nonce, options));
  };
  for (let i = 0; i < READINGS_PER_HOUR; i++) assertEquals(await prove(i), 200);
  assertEquals(await prove(READINGS_PER_HOUR), 429);
  site.clock.now += HOUR_MS;
  assertEquals(await prove(0), 200);
});
