import { assert } from "@std/assert";
import { recordRows } from "../lib/features/records/mod.ts";
import { sha256 } from "../lib/platform/kv/hash.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { type RaceKv, raceKv } from "../lib/platform/kv/testing/race_kv.ts";
import { issuePdf } from "../lib/features/documents/issue_pdf.ts";
import { accessFixture } from "./access_site.ts";
import { PERSON, statusOf } from "./contact_site.ts";
import { documentBody, documentIn, issuerApiFixture } from "./issuer_api_site.ts";
import { issuingFixture, RECIPIENT } from "./issuing_site.ts";
import { connect, postForm, refreshForm, registerClient } from "./oauth_site.ts";
import { passkeyFixture } from "./passkey_site.ts";

const READER = { network: "203.0.113.0/24", browser: "Firefox on Linux" };

/** Asserts that a commit of an action checks rows of exactly these tables. */
async function assertChecks(kv: RaceKv, tables: string, action: () => Promise<unknown>) {
  const found = await kv.checksOf(action);
  assert(found.includes(tables), `${tables} is not among: ${found.join(", ")}`);
}

Deno.test("an action of a holder fails if a row that it depends on changes before its commit", async () => {
  const kv = raceKv(await openKv(":memory:"));
  await using fixture = await passkeyFixture({}, { kv });
  const { records, codes } = fixture.site.services;
  const holder = await fixture.holder();
  const { hash, cookie } = holder;
  const authenticator = fixture.authenticator();
  const send = (form: Record<string, string>) =>
    statusOf(fixture.fetch("/my-record/passkeys", { cookie, form }));

  await assertChecks(
    kv,
    "contacts passkey_challenges passkey_credentials record_sessions records",
    () => fixture.add(holder, authenticator),
  );
  const [{ id }] = await fixture.passkeys(hash);
  await assertChecks(
    kv,
    "contacts passkey_challenges passkey_credentials records",
    () => fixture.enter(authenticator),
  );
  await assertChecks(
    kv,
    "passkey_credentials record_sessions",
    () => send({ act: "rename", id, name: "Phone" }),
  );
  await assertChecks(
    kv,
    "contacts passkey_credentials record_sessions records",
    () => send({ act: "remove", id }),
  );
  const { row } = (await records.read(hash))!;
  await fixture.site.services.kv.set(recordRows.key(hash), { ...row, level: 3 });
  let key = "";
  await assertChecks(
    kv,
    "chains contacts limits log_index push_settings records",
    async () => {
      const issued = await records.keys.issue({ hash, reader: READER });
      if (issued.ok) key = issued.key;
    },
  );
  await assertChecks(
    kv,
    "contacts record_keys",
    () => records.keys.revoke({ hash, reader: READER, id: sha256(key) }),
  );
  await assertChecks(kv, "contacts record_numbers records", () => codes.rejectNumber(hash, READER));
  const signOut = () => records.signOutEverywhere(hash, READER);
  await assertChecks(kv, "contacts", signOut);
  await assertChecks(kv, "record_sign_outs", signOut);
  await assertChecks(kv, "contacts records", () => records.deletion.request(hash, READER));
  await assertChecks(
    kv,
    "contacts record_deletions records",
    () => records.deletion.cancel(hash, READER),
  );
});

Deno.test("a change of documents fails if a row that it depends on changes before its commit", async () => {
  const kv = raceKv(await openKv(":memory:"));
  await using fixture = await accessFixture({}, { kv });
  const { documents } = fixture.site.services;
  const { owner: { hash, cookie }, document, fetch } = fixture;
  const by = "admin@example.org";
  const body = (text: string) => new Blob([text]).stream();

  const details = { organisation: "commercial", title: "A", kind: "B", public: false } as const;
  await assertChecks(
    kv,
    "contacts document_uploads log_index records",
    () => documents.add({ ...details, record: hash, file_name: "a.txt", by }, body("a")),
  );
  await assertChecks(
    kv,
    "contacts document_uploads documents log_index",
    () => documents.addVersion(document, { file_name: "b.txt", by }, body("b")),
  );
  await assertChecks(
    kv,
    "access_requests_by_document access_unconfirmed contacts limits records",
    () => fixture.ask(),
  );
  const email = "b@example.net";
  let id = "";
  await assertChecks(
    kv,
    "access_links access_requests alerts_open chains contacts documents limits log_index",
    async () => id = await fixture.open({ email }),
  );
  await assertChecks(
    kv,
    "access_requests alerts_open contacts documents record_sessions records",
    () => fixture.decide({ act: "approve", id }),
  );
  await assertChecks(
    kv,
    "access_requests alerts alerts_open contacts document_shares documents outbox outbox record_sessions",
    () => fixture.decide({ act: "undo", id }),
  );
  await statusOf(fixture.decide({ act: "approve", id }));
  await fixture.sendHeld();
  // Too late, which is true only if nobody else has undone it meanwhile.
  await assertChecks(
    kv,
    "access_requests record_sessions",
    () => fixture.decide({ act: "undo", id }),
  );
  const [token] = await fixture.tokens("/s", email);
  await assertChecks(kv, "contacts document_shares documents records", () => fixture.use(token));
  await assertChecks(
    kv,
    "access_requests alerts_open contacts document_shares documents record_sessions",
    () => fixture.decide({ act: "revoke", id }),
  );
  const { shares } = fixture.site.services;
  const shareable = { act: "create", days: "7", openings: "1", form: crypto.randomUUID() };
  const share = (json: Record<string, string>) =>
    fetch(`/my-record/share?document=${document}`, { cookie, json });
  let code = "";
  await assertChecks(
    kv,
    "contacts document_shares documents limits record_sessions records",
    async () => code = (await (await share(shareable)).json()).code,
  );
  await assertChecks(
    kv,
    "contacts document_shares documents records",
    () => statusOf(fetch("/s", { form: { act: "open", code } })),
  );
  const [{ hash: link }] = await shares.list(hash);
  await assertChecks(
    kv,
    "contacts document_shares record_sessions",
    () => statusOf(share({ act: "end", share: link })),
  );
  await fixture.open({ email: "c@example.net" });
  await assertChecks(
    kv,
    "access_requests alerts_open contacts document_withdrawals documents",
    () => documents.withdraw(document, "Wrong", by),
  );
  const again = await documents.addVersion(document, { file_name: "c.txt", by }, body("c"));
  assert(again.ok);
  await assertChecks(
    kv,
    "contacts documents log_index",
    () => documents.withdraw(document, "Wrong", by),
  );
});

Deno.test("an action of an app fails if a row that it depends on changes before its commit", async () => {
  const kv = raceKv(await openKv(":memory:"));
  await using fixture = await passkeyFixture({}, { kv });
  const { site } = fixture;
  const { hash } = await fixture.holder();
  const client = await registerClient(site);
  let tokens = await connect(site, client, { record: hash });
  const again = async () => tokens = await connect(site, client, { record: hash });
  await assertChecks(kv, "oauth_requests", again);
  await assertChecks(kv, "contacts oauth_handoffs records", again);
  await assertChecks(kv, "oauth_codes oauth_grants", again);
  const token = tokens.refresh_token;
  await assertChecks(
    kv,
    "oauth_grants oauth_tokens",
    () => statusOf(postForm(site, "/token", refreshForm(client, token))),
  );
  await assertChecks(
    kv,
    "contacts oauth_grants",
    () => statusOf(postForm(site, "/revoke", { token })),
  );
});

Deno.test("a document that is issued by API fails if a row that it depends on changes before its commit", async () => {
  const kv = raceKv(await openKv(":memory:"));
  await using fixture = await issuerApiFixture({}, { kv, issuePdf: issuePdf });
  const { live } = fixture;
  const json = documentBody({
    file: undefined,
    file_name: undefined,
    date: "2026-11-20",
    template: { name: "certificate" },
  });
  const send = (once: string) => documentIn(live("/api/documents", { json, once }));
  await assertChecks(
    kv,
    "api_keys idempotency_keys issuers log_index recipients_by_address",
    () => send("1"),
  );
  const { link } = (await fixture.mails()).find(({ link }) => link?.includes("/accept?"))!;
  const { searchParams } = new URL(link!);
  const fields = { of: searchParams.get("of")!, token: searchParams.get("token")!, act: "accept" };
  await statusOf(fixture.fetch("/accept", { form: fields }));
  let id = "";
  await assertChecks(
    kv,
    "api_keys contacts idempotency_keys issuers log_index recipients records",
    async () => ({ id } = await send("2")),
  );
  await assertChecks(
    kv,
    "documents_by_hash registrant_counts registrant_counts registrants",
    () => send("4"),
  );
  await assertChecks(
    kv,
    "api_keys contacts documents idempotency_keys issuers log_index recipients",
    () => live(`/api/documents/${id}/withdraw`, { json: { reason: "Wrong" }, once: "3" }),
  );
});

Deno.test("an acceptance fails if a row that it depends on changes before its commit", async () => {
  const kv = raceKv(await openKv(":memory:"));
  await using fixture = await issuingFixture({}, { kv });
  const { secrets } = fixture.site.services;
  const { hash, cookie } = await fixture.holder({ ...PERSON, ...RECIPIENT });
  const other = { recipient: { ...RECIPIENT, email: "grace+diploma@example.org" } };
  const offered = async (changes = {}) => {
    const issued = await fixture.issue(changes);
    if (!issued.ok) throw new Error(issued.error);
    const of = issued.recipient.id;
    return { of, token: await secrets.sign("acceptance", of) };
  };
  const send = (path: string, form: Record<string, string>, cookies?: string) =>
    statusOf(fixture.fetch(path, { cookie: cookies, form }));
  const offer = await offered();
  await assertChecks(
    kv,
    "contacts recipients record_sessions records",
    () => send("/accept", { ...offer, act: "add", record: hash }, cookie),
  );
  // At another address of the mailbox, it depends on the recipient who has accepted.
  await assertChecks(
    kv,
    "contacts document_uploads issuers log_index recipients recipients_by_address records",
    () => offered(other),
  );
  await assertChecks(
    kv,
    "recipients record_sessions",
    () => send("/my-record/issuers", { act: "end", issuer: fixture.issuer.id }, cookie),
  );
  // The new session depends on the record that stays open.
  const apart = await offered();
  await assertChecks(
    kv,
    "chains contact_confirmations contacts log_index push_settings record_sessions records records",
    () => send("/accept", { ...apart, act: "accept" }, cookie),
  );
});
