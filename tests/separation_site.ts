/** A site on which two organisations have objects of every kind, and operators of both consoles. */
import { encodeHex, utf8 } from "../lib/base/encoding.ts";
import { createPng } from "../lib/features/issuers/testing/images.ts";
import { batchDefaults } from "../lib/features/issuing/batches/mod.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { invitations, operators } from "../lib/features/operators/mod.ts";
import { DAY_MS } from "../lib/base/time.ts";
import { MailError } from "../lib/platform/mail/mod.ts";
import { normaliseEmail } from "../lib/base/email.ts";
import { newEndpointSchema } from "../lib/features/webhooks/mod.ts";
import { NOWHERE } from "./webhook_scenarios.ts";
import { RETRY_MS } from "../lib/platform/jobs/outbox.ts";
import type { OrganisationKey, SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { fakePush } from "../lib/features/push/testing/fake_provider.ts";
import { startBankSandbox } from "../sandbox/bank.ts";
import { paymentEvent, signStripe } from "../sandbox/payment_events.ts";
import { confirmEmail, type RecordFixture, recordFixture } from "./record_site.ts";
import type { FixtureOverrides } from "./contact_site.ts";

export const CONSOLES = {
  foundation: "foundation-console",
  commercial: "commercial-console",
} as const satisfies Record<OrganisationKey, SurfaceName>;

/** The address of an administrator, of a board member and of a user without access to the consoles. */
export const PEOPLE = {
  L1: "admin@example.org",
  L2: "board@example.org",
  none: "nobody@example.org",
} as const;

/** The ids of an organisation's objects, or ids in the same form that nothing has. */
export interface Ids {
  /** Part of every text of the objects. */
  marker: string;
  record: string;
  /** A record with an open recovery. */
  recovery: string;
  document: string;
  /** The issuer of the document. */
  issuer: string;
  /** A webhook of the issuer. */
  webhook: string;
  /** A document that the issuer has issued, which waits for its recipient. */
  issued: string;
  /** A batch of the issuer. */
  batch: string;
  /** A checked file of the issuer, which is not issued yet. */
  checked: string;
  /** The id of an open access request. */
  request: string;
  payment: string;
  /** The id of the alert about the payment, with its time, as forms send it. */
  alert: string;
  /** The alert about a mail that could not be sent, and the mail. */
  mailAlert: string;
  mail: string;
  device: string;
  /** The id of a user of the qualification site, whom only the commercial console shows. */
  user: string;
  account: string;
  /** The id of a transaction of the account. */
  transaction: string;
  /** The key of an administrator, for the filter of the audit log. */
  person: string;
  /** The key of an operator who was added in the console, and of a person who is invited to it. */
  operator: string;
  guest: string;
}

/** Ids in the form of those of an organisation, but of nothing that exists. */
export const UNKNOWN: Ids = {
  marker: "nonesuch",
  record: "0123456789abcdef".repeat(4),
  recovery: "fedcba9876543210".repeat(4),
  document: "MK8TW8JV4SQQVM42",
  issuer: "b7c01e5c-7fd2-4c6e-8b52-3e1de3b6d0aa",
  webhook: "c7c01e5c-7fd2-4c6e-8b52-3e1de3b6d0aa",
  issued: "NK8TW8JV4SQQVM42",
  batch: "d7c01e5c-7fd2-4c6e-8b52-3e1de3b6d0aa",
  checked: "e7c01e5c-7fd2-4c6e-8b52-3e1de3b6d0aa",
  request: "196QBKBC3SHCGGTF",
  payment: "pi_nonesuch",
  alert: "2026-03-09T10:00:00.123Z~02e228da-f6f6-4c52-8c24-1c18d3a0b84f",
  mailAlert: "2026-03-09T10:00:00.124Z~02e228da-f6f6-4c52-8c24-1c18d3a0b850",
  mail: "baeb9dff-97f8-4eac-a627-c103a297408d",
  device: "69c9d043".repeat(8),
  user: "987654",
  account: "9eeac4e3-08ae-4cd8-a99e-3302103e9b5d".replace("9eea", "0000"),
  transaction: "0000c4e3-08ae-4cd8-a99e-3302103e9b5d",
  person: "AAAAAAAAAAAAAAAA",
  operator: "2pSwnQTBVv84hhx7",
  guest: "3pSwnQTBVv84hhx7",
};

interface SeparationSite extends RecordFixture {
  /**
   * Adds one object of each kind for an organisation.
   *
   * @param options `shared: false` does not add a user, because both consoles show how many there
   * are (spec 4.2.5). Its mail fails at once, for another reason than that of the other objects.
   */
  fill(organisation: OrganisationKey, marker: string, options?: { shared?: boolean }): Promise<Ids>;
  /** Returns the id of the newest transaction of an account. */
  latestTransaction(organisation: OrganisationKey, account: string): Promise<string>;
  /** Sends an event of a failed payment to a console's webhook, with its own secret by default. */
  pay(
    organisation: OrganisationKey,
    marker: string,
    record: string,
    secret?: string,
  ): Promise<{ status: number; payment: string }>;
  /** Returns the session cookie of an address, from its first sign-in on. */
  cookie(email: string, on: SurfaceName): Promise<string>;
}

export const SECRETS = {
  foundation: `whsec_${btoa("the secret of foundation payments")}`,
  commercial: `whsec_${btoa("the secret of commercial payments")}`,
};
const READER = { network: "203.0.113.0/24", browser: "Firefox on Linux" };

/**
 * Creates a site whose consoles can be filled with objects of each organisation.
 *
 * @param options.onRequest called before each request to the bank and each mail, which wait for it
 */
export async function separationSite(
  env: Record<string, string> = {},
  { onRequest = () => Promise.resolve(), ...overrides }: FixtureOverrides & {
    onRequest?: (to: "bank" | "mail", body: string) => Promise<void>;
  } = {},
): Promise<SeparationSite> {
  let now = () => Date.parse("2026-03-09T10:00:00.000Z");
  const bank = startBankSandbox({ clock: () => now() });
  const fixture = await recordFixture({
    BANK_API_BASE: bank.baseUrl,
    FOUNDATION_BANK_API_TOKEN: bank.tokens.foundation,
    COMMERCIAL_BANK_API_TOKEN: bank.tokens.commercial,
    FOUNDATION_PAYMENT_WEBHOOK_SECRET: SECRETS.foundation,
    COMMERCIAL_PAYMENT_WEBHOOK_SECRET: SECRETS.commercial,
    MAIL_WEBHOOK_SECRET: `whsec_${"m".repeat(32)}`,
    OPS_L1_EMAILS: PEOPLE.L1,
    OPS_L2_EMAILS: PEOPLE.L2,
    SIGN_IN_CLIENT_LIMIT: "0",
    API_KEY_RATE_LIMIT: "0",
    ...env,
  }, {
    pushProviders: { ios: fakePush(), android: fakePush(), web: fakePush() },
    network: NOWHERE,
    issuePdf: null,
    startsAt: now(),
    async fetch(input, init) {
      const url = String(input instanceof Request ? input.url : input);
      if (!url.startsWith(bank.baseUrl)) return new Response(null, { status: 404 });
      await onRequest("bank", "");
      return await fetch(input, init);
    },
    ...overrides,
  });
  const { site, clock } = fixture;
  const { services } = site;
  now = () => clock.now;
  const outbox = services.devOutbox!;
  const { send } = outbox;
  outbox.send = async (mail) => {
    await onRequest("mail", JSON.stringify(mail));
    if (mail.to.startsWith("lost")) throw new MailError("server_error");
    if (mail.to.startsWith("refused")) throw new MailError("message_refused");
    return await send(mail);
  };
  const cookies = new Map<string, string>();

  async function cookie(email: string, on: SurfaceName): Promise<string> {
    const key = `${email} ${on}`;
    if (!cookies.has(key)) {
      const { token } = await services.auth.issueLink({
        email: normaliseEmail(email)!,
        surface: on,
      });
      cookies.set(key, `app_session=${(await services.auth.verify(token, on))!.sessionId}`);
    }
    return cookies.get(key)!;
  }

  async function tokenTo(email: string): Promise<string> {
    const { link } = (await fixture.mails()).find(({ to }) => to === email)!;
    return new URL(link!).searchParams.get("token")!;
  }

  async function register(organisation: OrganisationKey, marker: string, email: string) {
    const person = {
      name: `${marker} Person`,
      organisation: `${marker} Holdings`,
      email,
      enquiry_type: "Investor",
      message: `A message about ${marker}.`,
      elapsed_ms: 8_000,
    };
    clock.now += 1; // so that lists have an order
    const response = await fixture.send(person, { query: `?organisation=${organisation}` });
    const { hash } = await response.json();
    if (response.status !== 201) throw new Error(`${response.status}`);
    return String(hash);
  }

  async function holder(organisation: OrganisationKey, marker: string, email: string) {
    const hash = await register(organisation, marker, email);
    await confirmEmail(services, await tokenTo(email));
    return { hash, cookie: await fixture.signIn([hash]) };
  }

  async function askForAccess(document: string, marker: string): Promise<void> {
    const email = `reader@${marker}.example.com`;
    const form = { name: `${marker} Reader`, email, reason: `Because of ${marker}.` };
    await (await fixture.fetch(`/d/${document}/request`, { form })).body?.cancel();
    const token = await tokenTo(email);
    await (await fixture.fetch("/d/request", { form: { token } })).body?.cancel();
  }

  async function pay(
    organisation: OrganisationKey,
    marker: string,
    record: string,
    secret = SECRETS[organisation],
  ): Promise<{ status: number; payment: string }> {
    const payment = `pi_${marker}`;
    const created = Math.floor(clock.now / 1000);
    const event = paymentEvent({
      id: `evt_${marker}`,
      created,
      payment,
      type: "payment_intent.payment_failed",
      status: "requires_payment_method",
      description: `Invoice of ${marker}`,
      record,
    });
    const { body, headers } = signStripe(JSON.stringify(event), secret, created);
    const response = await site.request(CONSOLES[organisation], "/api/payments/webhook", {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...headers },
    });
    await response.body?.cancel();
    return { status: response.status, payment };
  }

  async function latestTransaction(organisation: OrganisationKey, account: string) {
    const query = { account_id: account, limit: 1, offset: 0, order: "desc" } as const;
    const { page } = unwrap(await services.treasuries[organisation].transactions(query));
    return page.transactions[0].id;
  }

  async function loseMail(organisation: OrganisationKey, marker: string): Promise<void> {
    await register(organisation, marker, `lost@${marker}.example.com`);
    await services.mailer.flush();
    for (const ms of RETRY_MS) {
      clock.now += ms;
      await services.mailer.drain();
    }
  }

  /** Adds an operator to a console, and an invitation that has not expired when the tests run. */
  async function addTeam(organisation: OrganisationKey, marker: string) {
    const [operator, guest] = ["operator", "guest"].map((name) => `${name}@${marker}.example.com`);
    const [at, expires_at] = [0, 30 * DAY_MS].map((ms) => new Date(clock.now + ms).toISOString());
    const by = { layer: "L2", invited_by: PEOPLE.L1 } as const;
    const commit = services.kv.atomic();
    const added = { email: operator, sessions_from: at, added_at: at };
    operators.put(commit, [organisation, operator], { ...added, ...by });
    const invited = { email: guest, token: marker, sent_at: at, expires_at };
    invitations.put(commit, [organisation, guest], { ...invited, ...by }, clock.now);
    await commit.commit();
    const { personKey } = services.audit;
    return { operator: await personKey(operator), guest: await personKey(guest) };
  }

  /** Queues a mail that the mail server refuses. */
  async function refuseMail(organisation: OrganisationKey, marker: string): Promise<void> {
    await register(organisation, marker, `refused@${marker}.example.com`);
    await services.mailer.flush();
  }

  return {
    ...fixture,
    cookie,
    pay,
    latestTransaction,
    async fill(organisation, marker, { shared = true } = {}) {
      const { hash, cookie: session } = await holder(
        organisation,
        marker,
        `holder@${marker}.example.com`,
      );
      const recovery = (await holder(organisation, marker, `second@${marker}.example.com`)).hash;
      const by = `${marker}@ops.example.org`;
      unwrap(
        await services.records.recoveries.start({
          hash: recovery,
          newEmail: `new@${marker}.example.com`,
          by,
          note: `Met ${marker}.`,
          reader: READER,
        }),
      );
      const issuer = unwrap(
        await services.issuers.add({ organisation, name: `College of ${marker}`, by }),
      ).issuer.id;
      const change = { organisation, id: issuer, by };
      unwrap(await services.issuers.setLogo({ ...change, bytes: createPng(8, 8) }));
      unwrap(await services.issuerDomains.set({ ...change, domain: `${marker}.example` }));
      const url = `https://${marker}.example.com/`;
      const { endpoint: { id: webhook } } = unwrap(
        await services.webhooks.create(
          { issuer, mode: "live", key: "none" },
          newEndpointSchema.parse({ url }),
        ),
      );
      const owner = { issuer: (await services.issuers.read(organisation, issuer))!, test: false };
      const { batch: { id: batch } } = unwrap(
        await services.batches.add(owner, { name: `${marker}.csv`, by, rows: [] }),
      );
      const person = { name: `Student ${marker}`, email: `student@${marker}.example.com` };
      const certificate = { title: `Diploma of ${marker}`, type: "Diploma", date: "2026-03-01" };
      const csv = new TextEncoder().encode(`name,email\n${person.name},${person.email}\n`);
      const { rows } = unwrap(
        await services.batches.check(owner.issuer, [csv], batchDefaults.parse(certificate)),
      );
      const { batch: { id: checked } } = unwrap(
        await services.batches.checked.keep(owner, { name: `${marker}.csv`, by, rows }),
      );
      const { document: { id: issued } } = unwrap(
        await services.issuing.issue(
          { ...owner, by },
          { recipient: person, ...certificate, file_name: "diploma.txt" },
          new Blob([`The diploma of ${marker}.`]).stream(),
          { mail: "now" },
        ),
      );
      const added = await services.documents.add({
        record: hash,
        organisation,
        issuer,
        title: `Certificate of ${marker}`,
        kind: "Certificate",
        public: false,
        file_name: `${marker}.txt`,
        by,
      }, new Blob([`The certificate of ${marker}.`]).stream());
      const document = unwrap(added).document.id;
      await askForAccess(document, marker);
      const [{ id: request }] = await services.access.list(hash);
      const { payment } = await pay(organisation, marker, hash);
      await (shared ? loseMail : refuseMail)(organisation, marker);
      await services.audit.add({
        organisation,
        by,
        action: "document_edited",
        object: { record: hash, document },
      });
      const token = encodeHex(utf8(marker)).padStart(64, "0");
      const json = { platform: "ios", token, environment: "production" };
      const registered = await fixture.fetch("/api/push/register", { cookie: session, json });
      const { device } = await registered.json();
      let { user } = UNKNOWN;
      if (organisation === "commercial" && shared) {
        const email = normaliseEmail(`user@${marker}.example.com`)!;
        await cookie(email, "site");
        user = String((await services.auth.findUser(email))!.id);
      }
      const { alerts } = await services.alerts.list(organisation, { limit: 50 });
      const alertOf = (link: "payment" | "mail", id?: string) => {
        const alert = alerts.find(({ reports: [{ links }] }) =>
          id === undefined ? links[link] !== undefined : links[link] === id
        )!;
        return { at: `${alert.at}~${alert.id}`, links: alert.reports[0].links };
      };
      const lost = alertOf("mail");
      const treasury = services.treasuries[organisation];
      const { id: account } = (await treasury.accounts()).accounts
        .find(({ id }) => id !== bank.foundationAccountId)!; // which both tokens list
      return {
        marker,
        record: hash,
        recovery,
        document,
        issuer,
        webhook,
        issued,
        batch,
        checked,
        request,
        payment,
        alert: alertOf("payment", payment).at,
        mailAlert: lost.at,
        mail: lost.links.mail!,
        device: device.id,
        user,
        account,
        transaction: await latestTransaction(organisation, account),
        person: await services.audit.personKey(by),
        ...await addTeam(organisation, marker),
      };
    },
    async [Symbol.asyncDispose]() {
      await fixture[Symbol.asyncDispose]();
      await bank.stop();
    },
  };
}
