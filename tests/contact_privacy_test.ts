import { assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import {
  CONFIRMATION_LIFETIME_MS,
  CONFIRMATION_REMEMBERED_MS,
  IDEMPOTENCY_LIFETIME_MS,
} from "../lib/contact/store.ts";
import { type ContactFixture, contactFixture, PERSON } from "./contact_site.ts";

const DAY = 86_400_000;
const CHALLENGE = {
  CHALLENGE_SITE_KEY: "k",
  CHALLENGE_SECRET: "s",
  CHALLENGE_VERIFY_URL: "https://verify.example/siteverify",
  CHALLENGE_SCRIPT_URL: "https://challenge.example/api.js",
};

async function privacyOf(fixture: ContactFixture): Promise<string> {
  const html = await (await fixture.site.request("trust", "/privacy")).text();
  return html.slice(html.indexOf("<article")).replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
}

Deno.test("the privacy page names every field of an enquiry and how long what is kept", async () => {
  await using fixture = await contactFixture();
  const page = await privacyOf(fixture);
  for (
    const part of ["name", "organisation", "email address", "mobile number", "message", "salt"]
  ) assertStringIncludes(page, part);
  assertStringIncludes(
    page,
    `${(CONFIRMATION_LIFETIME_MS + CONFIRMATION_REMEMBERED_MS) / DAY} days`,
  );
  assertStringIncludes(page, `the link works ${CONFIRMATION_LIFETIME_MS / DAY}`);
  assertEquals(IDEMPOTENCY_LIFETIME_MS, DAY);
  assertStringIncludes(page, "24 hours");
  assertStringIncludes(page, "confirmation links went to an email address: in memory alone");
  assertStringIncludes(page, "no script of another party");
  assertFalse(page.includes("Bot check"));
});

Deno.test("with a bot challenge it says whose script is loaded, and what is kept of the answer", async () => {
  await using fixture = await contactFixture(CHALLENGE);
  const page = await privacyOf(fixture);
  for (const part of ["challenge.example", "Bot check", "no further script of another party"]) {
    assertStringIncludes(page, part);
  }
});

/** A site to which one person has sent an enquiry that leaves all traces that there can be. */
async function stageWithEnquiry(
  prepare: (kv: Deno.Kv) => void = () => {},
): Promise<ContactFixture> {
  const fixture = await contactFixture({ CONTACT_CLIENT_LIMIT: "5", ...CHALLENGE }, {
    fetch: () =>
      Promise.resolve(Response.json({
        success: true,
        challenge_ts: new Date().toISOString(),
        hostname: "investor.localhost",
      })),
  });
  prepare(fixture.site.services.kv);
  const headers = { "idempotency-key": "k" };
  const response = await fixture.send({ ...PERSON, challenge: "c" }, { headers });
  assertEquals(response.status, 201);
  await response.body?.cancel();
  return fixture;
}

Deno.test("all that a registration and its confirmation keep is told there", async () => {
  await using fixture = await stageWithEnquiry();
  // A new noun in the store is a new paragraph on the page.
  const nouns = new Set((await fixture.entries()).map(({ key }) => JSON.parse(key)[0]));
  assertEquals([...nouns].sort(), [
    "chain_events",
    "chain_keys",
    "chain_signing_key",
    "chains",
    "contact_challenges",
    "contact_confirmations",
    "contact_limits",
    "contact_requests",
    "contacts",
  ]);
});

Deno.test("what is kept for a time only, the store is told to remove after it", async () => {
  const kept = new Map<Deno.KvKeyPart, number | undefined>();
  await using _ = await stageWithEnquiry((kv) => {
    const atomic = kv.atomic.bind(kv);
    kv.atomic = () => {
      const commit = atomic();
      const set = commit.set.bind(commit);
      commit.set = (key, value, options) => {
        kept.set(key[0], options?.expireIn);
        return set(key, value, options);
      };
      return commit;
    };
  });
  kept.delete("chain_signing_key");
  assertEquals(Object.fromEntries(kept), {
    chains: undefined,
    chain_events: undefined,
    contact_requests: IDEMPOTENCY_LIFETIME_MS,
    contact_challenges: 10 * 60_000,
    contact_limits: 60 * 60_000,
    contacts: undefined,
    contact_confirmations: CONFIRMATION_LIFETIME_MS + CONFIRMATION_REMEMBERED_MS,
  });
});
