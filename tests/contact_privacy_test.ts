import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { LINKS_PER_HOUR, SESSION_LIFETIME_MS, TOKEN_LIFETIME } from "../lib/features/auth/mod.ts";
import { CONTACT_FIELDS, privacyLabelOf } from "../lib/features/contact/fields.ts";
import {
  CONFIRMATION_LIFETIME_MS,
  CONFIRMATION_REMEMBERED_MS,
} from "../lib/features/contact/confirmations.ts";
import { IDEMPOTENCY_LIFETIME_MS } from "../lib/features/contact/limits.ts";
import { deleteContact } from "../lib/features/contact/mod.ts";
import { OUTCOME_LIFETIME_MS } from "../lib/platform/jobs/mod.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/base/time.ts";
import {
  CHALLENGE_ENV,
  type ContactFixture,
  contactFixture,
  PERSON,
  statusOf,
} from "./contact_site.ts";

const privacyPage = (fixture: ContactFixture) => articleOf(fixture, "/privacy");
const storedPage = (fixture: ContactFixture) => articleOf(fixture, "/privacy/stored");

async function articleOf(fixture: ContactFixture, path: string): Promise<string> {
  const html = await (await fixture.site.request("trust", path)).text();
  return html.slice(html.indexOf("<article")).replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
}

Deno.test("the privacy page lists every field of an enquiry and how long each part is stored", async () => {
  await using fixture = await contactFixture();
  const page = await storedPage(fixture);
  assertStringIncludes(page, `(${CONTACT_FIELDS.map(privacyLabelOf).join(", ")})`);
  assertStringIncludes(page, "email address, mobile number");
  const days = (ms: number) => ms / DAY_MS;
  assertStringIncludes(page, "random value");
  assertStringIncludes(
    page,
    `${days(CONFIRMATION_LIFETIME_MS + CONFIRMATION_REMEMBERED_MS)} days`,
  );
  assertStringIncludes(page, `works for ${days(CONFIRMATION_LIFETIME_MS)} days`);
  assertStringIncludes(
    page,
    `encrypted, until they are sent, for at most ${days(CONFIRMATION_LIFETIME_MS)} days`,
  );
  assertStringIncludes(page, `${IDEMPOTENCY_LIFETIME_MS / HOUR_MS} hours`);
  assertStringIncludes(page, "your browser stores its receipt until you close the tab");
  assertStringIncludes(page, "confirmation links sent to an email address, with a keyed");
  assertStringIncludes(
    await privacyPage(fixture),
    "no tracking, advertising or third-party scripts",
  );
  assertFalse(page.includes("Bot check"));
});

Deno.test("with a bot challenge, the privacy page names its host and describes what is stored", async () => {
  await using fixture = await contactFixture(CHALLENGE_ENV);
  const page = await privacyPage(fixture);
  for (
    const part of ["challenge.example", "no tracking, advertising or other third-party scripts"]
  ) {
    assertStringIncludes(page, part);
  }
  assertStringIncludes(await storedPage(fixture), "Bot check");
});

Deno.test("only with STORE_REGION, the privacy page says where the database is", async () => {
  {
    await using fixture = await contactFixture();
    assertFalse((await privacyPage(fixture)).includes("Our database"));
  }
  await using fixture = await contactFixture({ STORE_REGION: "Virginia [us-east4]" });
  assertStringIncludes(
    await privacyPage(fixture),
    "Where it is stored Our database is in Virginia [us-east4]. All of this is stored there.",
  );
});

for (const path of ["/privacy", "/terms"]) {
  const env = {
    FOUNDATION_NAME: "Foundation One",
    FOUNDATION_CONTACT_EMAIL: "one@foundation.test",
    COMMERCIAL_NAME: "Company Two",
    COMMERCIAL_CONTACT_EMAIL: "two@company.test",
  };
  const contactsOn = async (hosts: Record<string, string[]> | undefined) => {
    await using fixture = await contactFixture({
      ...env,
      ...(hosts && { SURFACE_HOSTS: JSON.stringify(hosts) }),
    });
    const html = await (await fixture.site.request("trust", path)).text();
    return [...html.matchAll(/<strong>([^<]+)<\/strong><\/p>\s*<p><a href="mailto:([^"]+)">/g)]
      .map(([, name, email]) => `${name}: ${email}`);
  };

  Deno.test(`${path} names the contact of each organisation`, async () => {
    assertEquals(await contactsOn(undefined), [
      "Foundation One: one@foundation.test",
      "Company Two: two@company.test",
    ]);
  });

  Deno.test(`${path} names no contact of an organisation without a surface`, async () => {
    const hosts = { trust: ["trust.test"], api: ["api.test"], investor: ["investor.test"] };
    assertEquals(await contactsOn(hosts), ["Company Two: two@company.test"]);
  });

  Deno.test(`${path} says whose an enquiry and an account are`, async () => {
    await using fixture = await contactFixture(env);
    const page = await articleOf(fixture, path);
    assertStringIncludes(page, "enquiry belongs to the organisation on whose site it was made");
    assertStringIncludes(
      page,
      `account on ${fixture.site.services.config.productName} ${
        path === "/terms" ? "belongs to" : "to"
      } Company Two`,
    );
  });
}

Deno.test("the privacy page and the terms name the durations and limits of sign-in", async () => {
  await using fixture = await contactFixture();
  const privacy = await storedPage(fixture);
  assertStringIncludes(privacy, `the page it leads to, for ${TOKEN_LIFETIME}`);
  assertStringIncludes(privacy, `for ${SESSION_LIFETIME_MS / DAY_MS} days or until you sign out`);
  const terms = await articleOf(fixture, "/terms");
  assertStringIncludes(terms, `once, within ${TOKEN_LIFETIME}`);
  assertStringIncludes(terms, `at most ${LINKS_PER_HOUR} per hour to one mailbox for each kind`);
});

Deno.test("the privacy page names every part of the page behind it, and has at most 900 words", async () => {
  await using fixture = await contactFixture({ STORE_REGION: "Virginia" });
  const { site } = fixture;
  const [short, stored] = await Promise.all(["/privacy", "/privacy/stored"].map(async (path) => {
    const html = await (await site.request("trust", path)).text();
    return /<main[\s\S]*<\/main>/.exec(html)![0];
  }));
  const ids = [...stored.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
  const named = new Set(
    [...short.matchAll(/href="\/privacy\/stored#([^"]+)"/g)].map(([, id]) => id),
  );
  assertEquals(ids.filter((id) => !named.has(id)), ["what-a-deletion-removes"]);
  // Screens show one of the two lists of contents, and not the part for paper.
  const [shown] = short.replace(/<details[\s\S]*?<\/details>/, "").split('class="print-only');
  const words = shown.replace(/<[^>]+>/g, " ").split(/\s+/).filter((word) => /\w/.test(word));
  assert(words.length <= 900, `${words.length} words`);
});

/** Sends an enquiry that causes every kind of entry to be stored. */
async function sendEnquiry(prepare: (kv: Deno.Kv) => void = () => {}): Promise<ContactFixture> {
  const fixture = await contactFixture({ CONTACT_CLIENT_LIMIT: "5", ...CHALLENGE_ENV }, {
    fetch: () =>
      Promise.resolve(Response.json({
        success: true,
        challenge_ts: new Date().toISOString(),
        hostname: "investor.localhost",
      })),
  });
  prepare(fixture.site.services.kv);
  const headers = { "idempotency-key": "k" };
  assertEquals(await statusOf(fixture.send({ ...PERSON, challenge: "c" }, { headers })), 201);
  return fixture;
}

Deno.test("an enquiry stores only what the privacy page describes", async () => {
  await using fixture = await sendEnquiry();
  await fixture.mails(); // waits until they are sent, so that the outbox is empty
  // For each new prefix, describe the data on the privacy page.
  const prefixes = new Set((await fixture.entries()).map(({ key }) => JSON.parse(key)[0]));
  assertEquals([...prefixes].sort(), [
    "chain_events",
    "chain_keys",
    "chain_signing_key",
    "chains",
    "changes",
    "contact_challenges",
    "contact_confirmations",
    "contact_requests",
    "contacts",
    "contacts_by_filter",
    "contacts_by_time",
    "contacts_by_unconfirmed_email",
    "contacts_by_word",
    "inbox",
    "inbox_by_state",
    "inbox_digests",
    "limits",
    "log_chains",
    "log_key_sets",
    "log_pending",
    "outbox_outcomes",
    "outbox_outcomes_by_id",
    "outbox_outcomes_by_recipient",
    "record_counts",
    "stats",
    "versions",
  ]);
});

Deno.test("entries with a limited lifetime are stored with expireIn", async () => {
  const stored = new Map<Deno.KvKeyPart, number | undefined>();
  await using _ = await sendEnquiry((kv) => {
    const atomic = kv.atomic.bind(kv);
    kv.atomic = () => {
      const commit = atomic();
      const set = commit.set.bind(commit);
      commit.set = (key, value, options) => {
        stored.set(key[0], options?.expireIn);
        return set(key, value, options);
      };
      return commit;
    };
  });
  stored.delete("chain_signing_key");
  stored.delete("stats"); // when the key was first used
  stored.delete("chain_keys");
  stored.delete("log_key_sets");
  assertEquals(Object.fromEntries(stored), {
    chains: undefined,
    changes: undefined,
    chain_events: undefined,
    contact_requests: IDEMPOTENCY_LIFETIME_MS,
    contact_challenges: 10 * MINUTE_MS,
    limits: HOUR_MS,
    contacts: undefined,
    contacts_by_filter: undefined,
    contacts_by_time: undefined,
    contacts_by_unconfirmed_email: undefined,
    contacts_by_word: undefined,
    log_chains: undefined,
    log_pending: undefined,
    inbox: undefined,
    inbox_by_state: undefined,
    inbox_digests: undefined,
    contact_confirmations: CONFIRMATION_LIFETIME_MS + CONFIRMATION_REMEMBERED_MS,
    // A day longer than it may be sent, so that the sender notes that it was not.
    outbox: CONFIRMATION_LIFETIME_MS + DAY_MS,
    outbox_by_owner: CONFIRMATION_LIFETIME_MS + DAY_MS,
    outbox_outcomes: OUTCOME_LIFETIME_MS,
    outbox_outcomes_by_id: OUTCOME_LIFETIME_MS,
    outbox_outcomes_by_recipient: OUTCOME_LIFETIME_MS,
  });
});

Deno.test("deleting a contact deletes its queued mails and the dead letters of failed ones", async () => {
  const temporary = 401;
  const permanent = 400;
  let status = temporary;
  await using fixture = await contactFixture({
    MAIL_TRANSPORT: "http",
    MAIL_API_URL: "https://mail.example/send",
    MAIL_API_KEY: "k",
  }, { fetch: () => Promise.resolve(new Response(null, { status })) });
  const { services } = fixture.site;
  const registerAndReply = async (email: string): Promise<string> => {
    status = temporary;
    const { hash } = await (await fixture.send({ ...PERSON, email })).json();
    await services.mailer.flush();
    status = permanent;
    const actor = { organisation: "commercial", hash, by: "admin@example.org" } as const;
    const key = crypto.randomUUID();
    await services.inbox.reply(actor, { text: "Hello", name: "Ada", revision: 0, key });
    await services.mailer.flush();
    fixture.clock.now += 10_000; // until then, the reply can be taken back
    await services.mailer.drain();
    return hash;
  };
  const hash = await registerAndReply(PERSON.email);
  await registerAndReply("other@example.org");
  const counts = () => Promise.all(["outbox", "outbox_dead", "outbox_outcomes"].map(fixture.count));
  assertEquals(await counts(), [2, 2, 4]);
  await deleteContact({ kv: services.kv, index: services.contactIndex }, hash);
  assertEquals(await counts(), [1, 1, 2]);
});
