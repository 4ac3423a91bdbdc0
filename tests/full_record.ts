/** Makes every feature store something about one holder, for the tests of deletion. */
import { passkeyOf, storePasskey } from "../lib/features/passkeys/testing/stored_passkey.ts";
import { aboutContact } from "../lib/features/contact/mod.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { bodyOf, newDocument } from "../lib/features/documents/testing/fixture.ts";
import { fakePush } from "../lib/features/push/testing/fake_provider.ts";
import { checkIdentity } from "../lib/features/records/mod.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { FakeProvider } from "./codes_site.ts";
import { PERSON, statusOf } from "./contact_site.ts";
import { beginRequest, connect, decide, registerClient } from "./oauth_site.ts";
import type { RecordFixture } from "./record_site.ts";

/** A push service that accepts nothing, so that messages wait in the store. */
export function busyPush() {
  const service = fakePush();
  service.answer = () => ({ ok: false, error: "unavailable", action: "retry" });
  return service;
}

/**
 * Lets every feature store something for a holder, and starts a correction of every kind.
 *
 * @param provider the fixture's provider of codes
 * @returns the hashes of the record in force, of the earlier one, and of the one that waits
 */
export async function fillRecord(
  fixture: RecordFixture,
  provider: FakeProvider,
  { name, email, digits }: { name: string; email: string; digits: string },
): Promise<[current: string, earlier: string, waiting: string]> {
  const { kv, records, documents, mailer, contactIndex } = fixture.site.services;
  const reader = { network: "198.51.100.0/24", browser: "Firefox on Windows" };
  const mobile = { country: "AU", number: digits };
  const first = await fixture.holder({ ...PERSON, name, email, mobile });
  let { hash } = first;
  const device = { platform: "android", token: `phone-of-${email}` };
  const registered = fixture.fetch("/api/push/register", { cookie: first.cookie, json: device });
  assertEquals(await statusOf(registered), 201);
  assertEquals(
    await statusOf(fixture.fetch("/my-record/notifications", {
      cookie: first.cookie,
      form: { act: "test" },
    })),
    200,
  );
  await records.declare(hash, `${name} intends this record for testing.`, reader);

  // The number is confirmed with a code.
  const session = await fixture.signIn([hash]);
  const post = (path: string, json: unknown, cookie: string) =>
    fixture.fetch(`/api/auth/otp/${path}`, { cookie, json });
  const sent = await post("send", { method: "sms", purpose: "confirm_number" }, session);
  assertEquals(sent.status, 200, await sent.clone().text());
  const browser = sent.headers.get("set-cookie")!.split(";")[0];
  const number = `+61${digits.replaceAll(" ", "").slice(1)}`;
  const cookie = `${session}; ${browser}`;
  const code = { code: provider.code(number), purpose: "confirm_number" };
  assertEquals(await statusOf(post("verify", code, cookie)), 200);

  unwrap(await records.keys.issue({ hash, reader }));
  unwrap(
    await checkIdentity(fixture.site.services, {
      hash,
      by: "admin@example.org",
      note: `${name}: passport`,
    }),
  );
  const document = { ...newDocument(hash), title: `Diploma of ${name}`, file_name: `${name}.txt` };
  unwrap(await documents.add(document, bodyOf(`${name} has passed.`))); // moves with the correction
  const form = { name, email, mobile_country: "AU", mobile_number: digits };
  const correct = (change: Record<string, string>) =>
    fixture.fetch("/my-record/correct", {
      cookie: session,
      form: { ...form, enquiry_type: "Other", ...change },
    });
  assertEquals(await statusOf(correct({ name: `${name} Corrected` })), 303); // in force
  const earlier = hash;
  hash = (await records.read(hash))!.row.replaced_by!;
  assertEquals(await statusOf(correct({ email: `new.${email}` })), 303); // waits
  const waiting = (await records.read(hash))!.row.correction!.to;

  const moved = (await documents.list(hash)).map(({ title }) => title);
  assertEquals(moved, [`Diploma of ${name}`]);

  await storePasskey(kv, passkeyOf(hash, { name: `${name}'s laptop` }));
  unwrap(
    await records.recoveries.start({
      hash,
      newEmail: `recovered.${email}`,
      by: "admin@example.org",
      note: `${name} lost everything`,
      reader,
    }),
  );
  const headers = { "user-agent": "Mozilla/5.0 Firefox/140.0" };
  await statusOf(fixture.fetch("/my-record/sign-in", { form: { email }, headers }));
  await fixture.fetch("/my-record/download.json", { cookie: await fixture.signIn([hash]) });
  const verified = { hash, kind: "record_verified", object: hash, reader } as const;
  for (let i = 0; i < 2; i++) unwrap(await records.readers.add({ ...verified, as: "anonymous" }));
  assertEquals(await contactIndex.find("email", email), [hash]);
  await fixture.site.services.push.flush();

  const client = await registerClient(fixture.site);
  await connect(fixture.site, client, { record: hash });
  const { request } = await beginRequest(fixture.site, client);
  await decide(fixture.site, request, { approved: true, record: hash }); // not returned to the app
  const waitsFor = await beginRequest(fixture.site, client);
  const asked = { email, request: waitsFor.request };
  await statusOf(fixture.fetch("/my-record/sign-in", { form: asked, headers }));

  const mails = await fixture.mails();
  const link = mails.find(({ to, subject }) => to === email && subject.startsWith("Sign in"))!;
  const token = new URL(link.link!).searchParams.get("token")!;
  const shown = await fixture.fetch("/my-record/link", { form: { token } });
  assertStringIncludes(await shown.text(), "Your code");
  const commit = kv.atomic();
  const mail = { sender: "commercial" as const, to: email, subject: name, text: name, html: "" };
  const expiresAt = fixture.clock.now + 1_000_000;
  await mailer.add(commit, mail, { expiresAt, about: aboutContact(hash), kind: "notice" });
  assert((await commit.commit()).ok);
  return [hash, earlier, waiting];
}
