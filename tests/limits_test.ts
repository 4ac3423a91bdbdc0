import { assert, assertEquals } from "@std/assert";
import { TABLES } from "../lib/app/features.ts";
import type { Failure } from "../lib/base/result.ts";
import { DAY_MS } from "../lib/base/time.ts";
import { codeLimits } from "../lib/features/codes/limits.ts";
import { LINKS_PER_MAILBOX } from "../lib/features/contact/limits.ts";
import type { DocumentRow } from "../lib/features/documents/mod.ts";
import type { IssuerRow } from "../lib/features/issuers/mod.ts";
import { fakePush } from "../lib/features/push/testing/fake_provider.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { type Limit, LIMITS, openKv, takeSlot } from "../lib/platform/kv/mod.ts";
import { conflictsKv } from "../lib/platform/kv/testing/conflicts_kv.ts";
import { countRoundTrips, describeTrip } from "../lib/platform/kv/testing/round_trips.ts";
import { delayBy, holdKv } from "../lib/platform/kv/testing/slow_kv.ts";
import { tempKv } from "../lib/platform/kv/testing/temp_kv.ts";
import { type AccessFixture, accessFixture, STRANGER } from "./access_site.ts";
import { fakeProvider } from "./codes_site.ts";
import { contactFixture, PERSON, statusOf } from "./contact_site.ts";
import { issuingFixture } from "./issuing_site.ts";
import { BROWSER, VERIFY } from "./passkey_site.ts";
import { RUSHES_OF_ONE } from "./rushes_of_one.ts";
import { createSite, type Site } from "./site.ts";

const PEOPLE = Array.from({ length: 60 }, (_, i) => i);

/** The longest time that somebody waits for a mailed link, in calls of a store that takes 50 ms for each. */
const MOST_TRIPS = 3_000 / 50;

Deno.test("60 people behind one network address all get a link with the default configuration, within 3 s at 50 ms a call, and with few conflicts", async () => {
  await using store = await tempKv();
  const { kv: counted, conflicts } = conflictsKv(await openKv(store.path));
  const { kv, measure } = countRoundTrips(counted);
  await using site = await createSite({}, { kv, log: () => {} });
  const { mailer, devOutbox } = site.services;
  const ask = async (i: number) => {
    const response = await site.request("site", "/api/auth/request", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: `pupil${i}@example.org` }),
    });
    await response.body?.cancel();
    return response.status;
  };
  const { result, trips } = await measure(async () => {
    const statuses = await Promise.all(PEOPLE.map(ask));
    await mailer.flush();
    return statuses;
  }, 40);
  assertEquals(result, PEOPLE.map(() => 200));
  assertEquals(new Set(devOutbox!.list().map(({ to }) => to)).size, 60);
  assert(conflicts() <= 10, `${conflicts()} conflicts`);
  assert(trips.length <= MOST_TRIPS, trips.map(describeTrip).join("\n"));
});

const DECLARED = TABLES.filter((table): table is Limit => table.prefix === LIMITS);

/** The table of the limits of codes, which have several windows each. */
const CODES = codeLimits.prefix;

/** Actions of 60 people at the same time, and the limits that count them. Each person has an address and a mailbox. */
const RUSHES: { what: string; limits: string[]; all?: true; act: Act }[] = [
  {
    what: "ask for a sign-in link, all for one mailbox",
    limits: ["sign_in_client", "sign_in_mailbox"],
    all: true,
    act: ({ site }, i) => requestLink(site, "ada@example.org", from(i)),
  },
  {
    what: "ask for a sign-in link behind one address",
    limits: ["sign_in_client", "sign_in_mailbox"],
    all: true,
    act: ({ site }, i) => requestLink(site, mailbox(i), SCHOOL),
  },
  {
    what: "ask for a link to one record",
    limits: ["sign_in_client", "record_link_mailbox"],
    all: true,
    act: ({ fetch }, i) => fetch("/my-record/sign-in", { json: { email: OWNER }, from: from(i) }),
  },
  {
    what: "send an enquiry behind one address",
    limits: ["contact_client"],
    act: ({ send }, i) => send({ ...PERSON, email: mailbox(i) }, { from: SCHOOL }),
  },
  {
    what: "send an enquiry with one mailbox",
    limits: ["contact_client", "contact_mailbox"],
    all: true,
    act: ({ send }, i) => send({ ...PERSON, email: `eve+${i}@example.org` }, { from: from(i) }),
  },
  {
    what: "ask for a code to one number",
    limits: [CODES],
    act: ({ fetch }, i) => fetch("/api/auth/otp/send", { json: code(1), from: from(i) }),
  },
  {
    what: "ask for a code behind one address",
    limits: [CODES],
    act: ({ fetch }, i) => fetch("/api/auth/otp/send", { json: code(i), from: SCHOOL }),
  },
  {
    what: "ask for access to one document",
    limits: ["access_client", "access_client_document", "access_document", "access_mailbox"],
    all: true,
    act: ({ document, fetch }, i) =>
      fetch(`/d/${document}/request`, {
        form: { ...STRANGER, email: mailbox(i) },
        from: `203.0.${i}.1`,
      }),
  },
  {
    what: "open the sign-in page of records behind one address",
    limits: ["passkey_client"],
    all: true,
    act: ({ fetch }) => fetch(VERIFY, { json: {}, cookie: BROWSER, from: SCHOOL }),
  },
  {
    what: "open the sign-in page of a console behind one address",
    limits: ["operator_passkey_client"],
    all: true,
    act: ({ site }) =>
      site.request("commercial-console", "/api/auth/passkey/sign-in", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
      }),
  },
  {
    what: "connect an app behind one address",
    limits: ["oauth_registrations"],
    all: true,
    act: ({ site }) =>
      site.request("foundation-mcp", "/register", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ client_name: "App", redirect_uris: ["https://app.example/cb"] }),
      }),
  },
  {
    what: "are invited by one administrator",
    limits: ["operator_invitations"],
    act: ({ site }, i) =>
      respond(
        site.services.team.invite({ organisation: "commercial", by: "admin@example.org" }, {
          email: mailbox(i),
          layer: "L2",
        }),
      ),
  },
];

type Act = (fixture: AccessFixture, i: number) => Promise<Response>;

const OWNER = "ada.q@mail.example.org";
const SCHOOL = "192.0.2.1";
const from = (i: number) => `198.51.100.${i}`;
const mailbox = (i: number) => `pupil${i}@example.org`;
const code = (i: number) => ({
  purpose: "sign_in",
  method: "sms",
  mobile: `+614915701${String(i).padStart(2, "0")}`,
});

const respond = async (result: Promise<{ ok: true } | Failure>): Promise<Response> =>
  Response.json(await result, { status: (await result).ok ? 200 : 429 });

const requestLink = (site: Site, email: string, clientAddress: string) =>
  respond(site.services.auth.requestLink({
    email,
    clientAddress,
    surface: site.services.surfaces.get("site")!,
    responded: Promise.resolve(),
  }));

/** How long each call of the store takes while the requests run. */
const DELAY_MS = 1;

/** Returns the versions of the rows of each limit, or table of limits. */
const versionsOf = ({ site }: AccessFixture, limits: readonly string[]): Promise<string[]> =>
  Promise.all(limits.map(async (name) => {
    const prefix = DECLARED.some(({ part }) => part === name) ? [LIMITS, name] : [name];
    const rows = await Array.fromAsync(site.services.kv.list({ prefix }));
    return rows.map(({ versionstamp }) => versionstamp).join(" ");
  }));

/** Runs 60 requests at the same time, and returns their statuses. There are few conflicts. */
async function rush(
  prepare: (fixture: AccessFixture) => Promise<(i: number) => Promise<Response>>,
  limits: readonly string[],
): Promise<number[]> {
  const { kv: watched, conflicts } = conflictsKv(await openKv(":memory:"));
  let delay = 0;
  const push = fakePush();
  await using fixture = await accessFixture(
    { SIGN_IN_CLIENT_LIMIT: "300", CONTACT_CLIENT_LIMIT: "20" },
    {
      kv: holdKv(watched, () => delayBy(delay)),
      codeProvider: fakeProvider(),
      pushProviders: { android: push, ios: push, web: push },
    },
  );
  const act = await prepare(fixture);
  const { mailer, codes } = fixture.site.services;
  const before = conflicts();
  const rows = await versionsOf(fixture, limits);
  delay = DELAY_MS;
  const statuses = await Promise.all(PEOPLE.map((i) => statusOf(act(i))));
  delay = 0;
  await mailer.flush();
  await codes.flush();
  const counted = await versionsOf(fixture, limits);
  assertEquals(limits.filter((_, i) => counted[i] === rows[i]), [], "nothing was counted");
  assert(conflicts() - before <= 10, `${conflicts() - before} conflicts`);
  return statuses;
}

for (const { what, limits, all, act } of RUSHES) {
  Deno.test(`60 people at once ${what}: ${all ? "all are accepted" : "some are refused"}, with few conflicts`, async () => {
    const statuses = await rush(
      (fixture) => Promise.resolve((i) => act(fixture, i)),
      limits,
    );
    const refused = statuses.filter((status) => status === 429).length;
    assertEquals(statuses.filter((status) => status >= 400 && status !== 429), []);
    assertEquals(refused > 0, !all, `${refused} were refused`);
  });
}

for (const { what, limits, prepare } of RUSHES_OF_ONE) {
  Deno.test(`60 ${what} at once: each is accepted or refused, with few conflicts`, async () => {
    const statuses = await rush(prepare, limits);
    const unexpected = statuses.filter((status) => status >= 400 && ![409, 429].includes(status));
    assertEquals(unexpected, []);
    assert(statuses.some((status) => status < 400), "none was accepted");
  });
}

/** Limits of single people, who send one request after another, and those that have a test of their own below. */
const OTHERS = [
  "access_confirmed",
  "access_new_links",
  "api_key_withdrawals",
  "code_attempts",
  "mail_returned",
  "operator_passkey_changes",
  "operator_passkey_confirmations",
  "operator_passkey_resets",
  "passkey_record",
  "recipient_mails",
  "recipient_mails_of_issuer",
  "shares",
];

Deno.test("the stored limits are all among those that 60 people, one person or one issuer reach at once", () => {
  const row = { times: [1], expires_at: new Date().toISOString() };
  const tables = TABLES.filter(({ prefix, value }) =>
    prefix !== LIMITS && value?.safeParse(row).success
  ).map(({ prefix }) => prefix);
  const names = [...tables, ...DECLARED.map(({ part }) => part!)];
  const tried = new Set([...RUSHES, ...RUSHES_OF_ONE].flatMap(({ limits }) => limits));
  assertEquals(names.filter((name) => !tried.has(name)).sort(), OTHERS);
});

const isOwn = (limit: (typeof DECLARED)[number]) => limit.of(["x"]).limit !== undefined;

for (const limit of DECLARED.filter((limit) => OTHERS.includes(limit.part!) && isOwn(limit))) {
  Deno.test(`60 calls at once of the limit ${limit.part} are as many as it declares, with few conflicts`, async () => {
    const { kv, conflicts } = conflictsKv(await openKv(":memory:"));
    using _ = kv;
    const window = limit.of(["x"]);
    const taken = await Promise.all(PEOPLE.map(() => takeSlot(kv, window, Date.now)));
    assertEquals(taken.filter(({ ok }) => ok).length, Math.min(60, window.limit));
    assert(conflicts() <= 10, `${conflicts()} conflicts`);
  });
}

Deno.test("60 documents to 60 addresses of one mailbox are 10 mails in a day, of three issuers 30", async () => {
  const { kv, conflicts } = conflictsKv(await openKv(":memory:"));
  await using fixture = await issuingFixture({}, { kv });
  const issuers = await Promise.all(["A", "B", "C"].map((name) => fixture.addIssuer(name)));
  const issueFor = async (issuer: IssuerRow, count: number) => {
    const before = (await fixture.mails()).length;
    for (let i = 0; i < count; i += 20) {
      await Promise.all(
        PEOPLE.slice(0, Math.min(20, count - i)).map(async (j) => {
          const recipient = { name: "Grace", email: `grace+${i + j}@example.org` };
          unwrap(await fixture.issue({ recipient }, { issuer }));
        }),
      );
    }
    return (await fixture.mails()).length - before;
  };
  const before = conflicts();
  assertEquals(await issueFor(fixture.issuer, 60), 10);
  const own = conflicts() - before;
  assertEquals(await Promise.all(issuers.slice(0, 2).map((issuer) => issueFor(issuer, 15))), [
    20,
    20,
  ]);
  assertEquals(await issueFor(issuers[2], 1), 0);
  fixture.clock.now += DAY_MS;
  assertEquals(await issueFor(issuers[2], 1), 1);
  assert(own <= 10, `${own} conflicts`);
});

Deno.test("after 'this is not me', the issuer cannot mail any address of the mailbox, and others can", async () => {
  await using fixture = await issuingFixture();
  const other = await fixture.addIssuer("Other College");
  const issue = async (email: string, issuer = fixture.issuer) => {
    const issued = await fixture.issue({ recipient: { name: "Grace", email } }, { issuer });
    return issued.ok ? issued.document : issued.error;
  };
  const earlier = await issue("grace+a@example.org");
  await issue("grace@example.org");
  const { fields: { of: id, token } } = await fixture.acceptLink();
  const { issuing } = fixture.site.services;
  const refused = await issuing.acceptance.refuse({ id, token });
  assertEquals(refused.ok && refused.recipient.state, "refused");
  const mails = (await fixture.mails()).length;
  for (const email of ["grace@example.org", "grace+x@example.org", "Grace+Y@example.org"]) {
    assertEquals(await issue(email), "recipient_refused");
  }
  const resent = await issuing.resend(earlier as DocumentRow);
  assertEquals(resent.ok || resent.error, "recipient_refused");
  assertEquals((await fixture.mails()).length, mails);
  assert(typeof await issue("hopper@example.org") === "object");
  assert(typeof await issue("grace+x@example.org", other) === "object");
  fixture.clock.now += 90 * DAY_MS;
  assert(typeof await issue("grace+x@example.org") === "object");
});

Deno.test("CONTACT_CLIENT_LIMIT=0 switches off the limit per client, and keeps that of each mailbox", async () => {
  await using fixture = await contactFixture({ CONTACT_CLIENT_LIMIT: "0" });
  for (const i of PEOPLE.slice(0, 30)) {
    const email = i < 10 ? `eve+${i}@example.org` : mailbox(i);
    assertEquals(await statusOf(fixture.send({ ...PERSON, email })), 201);
  }
  const confirmations = (await fixture.mails()).filter(({ link }) => link?.includes("/confirm?"));
  assertEquals(confirmations.filter(({ to }) => to.startsWith("eve")).length, LINKS_PER_MAILBOX);
  assertEquals(confirmations.filter(({ to }) => to.startsWith("pupil")).length, 20);
});
