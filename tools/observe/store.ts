/** A site with sample data in every table, whose pages and texts are compared after a change. */
import { PDFDocument, rgb, StandardFonts } from "@cantoo/pdf-lib";
import { createECDH } from "node:crypto";
import { unwrap } from "../../lib/platform/http/errors.ts";
import { mailPath } from "../../lib/features/mail_reports/mail.ts";
import { HOLD_MS } from "../../lib/features/documents/mod.ts";
import { batchDefaults } from "../../lib/features/issuing/batches/mod.ts";
import { fakePush } from "../../lib/features/push/testing/fake_provider.ts";
import { Authenticator } from "../../lib/features/passkeys/testing/authenticator.ts";
import { HOUR_MS, MINUTE_MS } from "../../lib/base/time.ts";
import { openKv } from "../../lib/platform/kv/mod.ts";
import type { SurfaceName } from "../../lib/platform/surfaces/mod.ts";
import { fakeProvider } from "../../tests/codes_site.ts";
import { stopPath } from "../../lib/features/issuers/revocation_link.ts";
import { PERSON } from "../../tests/contact_site.ts";
import { busyPush, fillRecord } from "../../tests/full_record.ts";
import { documentBody } from "../../tests/issuer_api_site.ts";
import { lookAt } from "../../tests/filled_site.ts";
import { keyForm } from "../../tests/key_site.ts";
import { beginRequest, registerClient } from "../../tests/oauth_site.ts";
import { REGISTER as OPERATOR_PASSKEY } from "../../tests/operator_passkey_site.ts";
import { REGISTER as HOLDER_PASSKEY } from "../../tests/passkey_site.ts";
import { type Ids, PEOPLE, separationSite } from "../../tests/separation_site.ts";
import type { Site } from "../../tests/site.ts";
import { type Sandboxes, startSandboxes } from "../../sandbox/mod.ts";

/** Everything that the observations need of a filled store. */
export interface ObservedSite extends AsyncDisposable {
  site: Site;
  clock: { now: number };
  /** The store below the site's limits. */
  kv: Deno.Kv;
  ids: Ids;
  /** `Cookie` headers by who has them. */
  cookies: Record<Visitor, string>;
  /** Paths of mailed links that have not been used, by the link's path. */
  links: Record<string, string>;
  /** The path of the console's page about an address that mail came back from. */
  mailPath: string;
  /** The request of an app that waits for consent, and the id of a PDF that everybody may read. */
  request: string;
  pdf: string;
  mails: Awaited<ReturnType<typeof separationSite>>["mails"];
  /** The kinds of these mails. */
  mailKinds: ReadonlySet<string>;
  /** From now on, nothing is written and no time passes, so that pages do not depend on their order. */
  freeze(): void;
}

/** The people who open pages. */
export type Visitor =
  | "holder"
  | "administrator"
  | "foundation"
  | "guest"
  | "user"
  | "reader"
  | "recipient";

interface Sent {
  cookie?: string;
  json?: unknown;
  form?: Record<string, string>;
  headers?: Record<string, string>;
}

/** When the store is filled, on every run. */
const NOW = Date.parse("2026-11-18T10:30:00.000Z");
const FORM_KEY = "5b5c8a0e-3b0f-4d3f-8a55-6a6a3c1f9d1";
const ISSUER_CONTACT = "desk@meridian.example.com";

/**
 * Fills a new store with every feature's objects: those of both consoles, everything about one person, and
 * what is left of the other features. All of it happens at fixed times, one after another.
 *
 * @param env the environment of the site
 */
export async function observedSite(env: Record<string, string> = {}): Promise<ObservedSite> {
  const codeProvider = fakeProvider();
  let now = () => NOW;
  let sandboxes: Sandboxes | undefined;
  const { kv, freeze } = keepRows(await openKv(":memory:"));
  const fixture = await separationSite({
    CONTACT_CLIENT_LIMIT: "1000",
    SIGN_IN_CLIENT_LIMIT: "1000",
    ...env,
  }, {
    kv,
    codeProvider,
    pushProviders: { ios: fakePush(), android: busyPush(), web: fakePush() },
    elapsed: () => 0,
    fetch: localFetch(() => now()),
    configure: (config) => (sandboxes = startSandboxes(config)).configure(config),
  });
  const { site, clock, cookie } = fixture;
  const { services } = site;
  tick(clock, NOW);
  now = () => clock.now;
  const mailKinds = new Set<string>();
  const { add } = services.mailer;
  services.mailer.add = (commit, mail, options) => {
    mailKinds.add(options.kind);
    return add(commit, mail, options);
  };
  await services.store.claim(() => services.migrate());

  /** Waits for what follows a response, so that everything happens in one order. */
  const settle = async () => {
    const { mailer, codes, webhooks, push } = services;
    for (const each of [mailer, codes, webhooks, push]) await each.flush();
  };
  const runJob = async (name: string) => {
    await services.jobs.run(name);
    await settle();
  };
  /** Sends a request as a browser does, and returns the body of a response that is not an error. */
  async function send(on: SurfaceName, path: string, { cookie, json, form, headers }: Sent = {}) {
    clock.now += MINUTE_MS;
    const { origin, host } = new URL(services.surfaces.url(on, "/")!);
    const body = json === undefined ? form && new URLSearchParams(form) : JSON.stringify(json);
    const response = await site.request(on, path, {
      method: body === undefined ? "GET" : "POST",
      body,
      headers: {
        origin,
        host,
        ...cookie !== undefined && { cookie },
        ...json !== undefined && { "content-type": "application/json" },
        ...headers,
      },
    });
    const text = await response.text();
    if (response.status >= 400) throw new Error(`${on} ${path}: ${response.status} ${text}`);
    await settle();
    const set = response.headers.getSetCookie().map((each) => each.split(";")[0]).join("; ");
    return { text, set };
  }
  /** Returns the newest link that was mailed to a path. */
  async function linkTo(path: string): Promise<URL> {
    const mails = await fixture.mails();
    const found = mails.find(({ link }) => link !== undefined && new URL(link).pathname === path);
    if (found === undefined) throw new Error(`No mail has a link to ${path}.`);
    return new URL(found.link!);
  }
  const tokenOf = async (path: string) => (await linkTo(path)).searchParams.get("token")!;

  const foundation = await fixture.fill("foundation", "meridian");
  const ids = await fixture.fill("commercial", "harbour");
  const [record] = await fillRecord(fixture, codeProvider, {
    name: "Wilhelmina Sample",
    email: "mina@mail.example.org",
    digits: "0491 570 157",
  });
  const cookies: Record<Visitor, string> = {
    holder: "",
    administrator: await cookie(PEOPLE.L1, "commercial-console"),
    foundation: await cookie(PEOPLE.L1, "foundation-console"),
    guest: "",
    user: await cookie("user@harbour.example.com", "site"),
    reader: "",
    recipient: "",
  };
  const asAdministrator = (path: string, form: Record<string, string>) =>
    send("commercial-console", path, { cookie: cookies.administrator, form });

  // The qualification site.
  await send("site", "/api/auth/request", { json: { email: "user@harbour.example.com" } });
  const asUser = { cookie: cookies.user };
  await send("site", "/account/saved", { ...asUser, form: { save: "CHC50121" } });
  await send("site", "/account/saved", { ...asUser, form: { save_search: "?q=care&level=3" } });

  // The consoles.
  const enquiry = `/console/inbox/${ids.record}`;
  await asAdministrator(enquiry, { act: "note", text: "Called back.", key: `${FORM_KEY}1` });
  const reply = { text: "Thank you.", name: "Ada", revision: "1", key: `${FORM_KEY}2` };
  await asAdministrator(`${enquiry}/reply`, reply);
  await asAdministrator("/console/finance/limits", { account: ids.account, below: "100" });
  await asAdministrator("/console/team", { act: "mail", mail: "digest", wanted: "on" });
  const guest = "new-guest@harbour.example.com";
  await asAdministrator("/console/team", { act: "invite", email: guest, layer: "L1" });
  await asAdministrator(`/console/team/${ids.operator}`, { act: "change_layer", layer: "L1" });
  await send("commercial-console", "/console/finance/flow", { cookie: cookies.administrator });
  cookies.guest = await cookie(guest, "commercial-console");

  // An issuer's documents: one for a record, one that waits for its recipient, and one that is withdrawn.
  const issuer = `/console/issuers/${ids.issuer}`;
  await asAdministrator(`${issuer}/settings`, { act: "set_contact", contact: ISSUER_CONTACT });
  const { key } = unwrap(
    await services.issuerKeys.create({ issuer: ids.issuer, by: PEOPLE.L1, ...keyForm() }),
  );
  let number = 0;
  const issue = async (changes: Record<string, unknown> = {}): Promise<string> => {
    const headers = { authorization: `Bearer ${key}`, "idempotency-key": `document-${++number}` };
    const json = documentBody({ file: btoa(`Certificate ${number}`), ...changes });
    return JSON.parse((await send("api", "/api/documents", { json, headers })).text).id;
  };
  await issue();
  const withdrawn = await issue({ title: "A certificate with a mistake" });
  await send("api", `/api/documents/${withdrawn}/withdraw`, {
    json: { reason: "A mistake." },
    headers: { authorization: `Bearer ${key}`, "idempotency-key": "withdrawal" },
  });
  const accept = await linkTo("/accept");
  const offered = await lookAt(services, {
    of: accept.searchParams.get("of")!,
    token: accept.searchParams.get("token")!,
  });
  cookies.recipient = offered.cookie;
  await issue({ recipient: { name: "Otto Student", email: "otto@example.org" } });
  const owner = { issuer: (await services.issuers.read("commercial", ids.issuer))!, test: false };
  await runJob("batches"); // those without rows end first, whatever their ids
  const csv = new Blob(["name,email,external_id\nNora Student,nora@example.org,A-1\n"]);
  const defaults = batchDefaults.parse({ title: "Certificate IV", date: "2026-11-20" });
  const { rows } = unwrap(await services.batches.check(owner.issuer, csv.stream(), defaults));
  unwrap(await services.batches.add(owner, { name: "graduates.csv", by: PEOPLE.L1, rows }));

  // Readers of documents.
  const owned = { cookie: await fixture.signIn([ids.record]) };
  const requests = "/my-record/requests";
  await send("trust", requests, { ...owned, form: { act: "approve", id: ids.request } });
  await send("trust", requests, {
    cookie: await fixture.signIn([foundation.record]),
    form: { act: "refuse", id: foundation.request, reason: "Not known to me." },
  });
  clock.now += HOLD_MS;
  await services.mailer.drain();
  const { hash } = await linkTo("/s");
  const { set } = await send("trust", "/s", { form: { act: "open", code: hash.slice(1) } });
  cookies.reader = set;
  await send("trust", `/d/${ids.document}/file`, { cookie: cookies.reader });
  const share = { act: "create", days: "7", openings: "5", form: `${FORM_KEY}3` };
  await send("trust", `/my-record/share?document=${ids.document}`, { ...owned, json: share });
  const pdf = unwrap(
    await services.documents.add({
      record,
      organisation: "commercial",
      issuer: ids.issuer,
      title: "Certificate of completion",
      kind: "Certificate",
      public: true,
      guessable: false,
      file_name: "certificate.pdf",
      by: PEOPLE.L1,
    }, new Blob([await certificate()]).stream()),
  ).document.id;
  const ask = (name: string) =>
    send("trust", `/d/${ids.document}/request`, {
      form: { name, email: `${name.toLowerCase()}@mail.example.com`, reason: "To hire." },
    });
  await ask("Sibylla");
  await send("trust", "/d/request", { form: { token: await tokenOf("/d/request") } });
  await ask("Unconfirmed");

  // Holders: passkeys, codes, browsers, a key that is looked up, and a deletion.
  const holder = { cookie: await fixture.signIn([record]) };
  cookies.holder = holder.cookie;
  await send("trust", HOLDER_PASSKEY, { ...owned, json: {} });
  await send("trust", "/api/push/subscribe", { ...holder, json: subscription() });
  await send("trust", "/api/auth/otp/send", {
    json: { method: "voice", purpose: "sign_in", mobile: "+61491570157" },
  });
  const gone = await fixture.holder({ ...PERSON, email: "gone@mail.example.org" });
  await send("trust", "/my-record/delete", {
    cookie: gone.cookie,
    form: { digits: gone.hash.slice(-4) },
  });
  await send("api", "/api/ir/register", {
    json: { ...PERSON, email: "twice@mail.example.org" },
    headers: { "idempotency-key": FORM_KEY },
  });

  // A board member's passkey.
  const board = { cookie: await cookie(PEOPLE.L2, "foundation-console") };
  const options = await send("foundation-console", OPERATOR_PASSKEY, { ...board, json: {} });
  const { baseUrl } = services.surfaces.get("foundation-console")!;
  const response = await new Authenticator(baseUrl).register(JSON.parse(options.text));
  await send("foundation-console", OPERATOR_PASSKEY, { ...board, json: { response } });

  // A mail to the user comes back.
  const address = { to: "user@harbour.example.com" };
  await services.mailer.report({ mail: address, what: "hard", reply: "5.1.1" });

  // An urgent alert, which is mailed at once.
  const found = { name: "Disk of the store", found: "1.0 GiB free of 20.0 GiB (5%)" };
  await services.alerts.report({
    ...{ organisation: "commercial", kind: "disk_low", problem: "disk_low", details: found },
  });
  await services.alertWatch.tick();

  // The jobs publish the log, count the days and send what waits.
  for (const { name } of await services.jobs.states()) await runJob(name);
  // They also removed the checked file, which was kept for a day.
  const file = { name: "graduates.csv", by: PEOPLE.L1, rows };
  ids.checked = unwrap(await services.batches.checked.keep(owner, file)).batch.id;
  clock.now += HOUR_MS;
  await services.mailer.drain();

  const pathOf = async (path: string) => {
    const { pathname, search } = await linkTo(path);
    return pathname + search;
  };
  const paths = [
    "/confirm",
    "/keys/revoke",
    "/d/request",
    "/my-record/undo",
    "/my-record/link",
  ];
  const links = Object.fromEntries(
    await Promise.all(
      [...paths, "/console/team/join"].map(async (path) => [path, await pathOf(path)] as const),
    ),
  );
  const client = await registerClient(site);
  const { request } = await beginRequest(site, client, { scope: "mcp record offline_access" });
  return {
    site,
    clock,
    kv,
    ids,
    cookies,
    links: {
      ...links,
      "/accept": accept.pathname + accept.search,
      "/accept/:document": offered.path,
      "/keys/stop": await stopPath(services.secrets, {
        id: ids.issuer,
        contact: ISSUER_CONTACT,
      }),
    },
    mailPath: await mailPath(services.secrets, address.to),
    request,
    pdf,
    mails: fixture.mails,
    mailKinds,
    freeze() {
      freeze();
      Object.defineProperty(clock, "now", { value: clock.now });
    },
    async [Symbol.asyncDispose]() {
      await fixture[Symbol.asyncDispose]();
      await sandboxes?.stop();
    },
  };
}

/** Returns the subscription of a browser. */
function subscription() {
  const point = createECDH("prime256v1").generateKeys().toString("base64url");
  const keys = { p256dh: point, auth: "A".repeat(22) };
  return { endpoint: "https://fcm.googleapis.com/fcm/send/observed", keys, vapid: point };
}

/** Returns a `fetch` that reaches only this machine's stand-ins, as if they had the site's clock. */
const localFetch = (clock: () => number): typeof fetch => async (input, init) => {
  const { url } = new Request(input);
  if (!/^http:\/\/(127\.0\.0\.1|localhost):/.test(url)) return new Response(null, { status: 404 });
  const { status, headers: received, body } = await fetch(input, init);
  const headers = new Headers(received);
  headers.set("date", new Date(clock()).toUTCString());
  return new Response(body, { status, headers });
};

/** Lets a clock advance by a millisecond whenever it is read, so that no order depends on random ids. */
function tick(clock: { now: number }, start: number): void {
  let now = start;
  const get = () => now++;
  Object.defineProperty(clock, "now", { get, set: (value) => now = value, configurable: true });
}

/**
 * Keeps rows that expire, because a run may take longer than their lifetimes. A store that is frozen says
 * that it has written, and does nothing.
 */
function keepRows(kv: Deno.Kv): { kv: Deno.Kv; freeze: () => void } {
  let frozen = false;
  const { set, delete: remove, atomic } = kv;
  const done = { ok: true, versionstamp: "00000000000000000000" } as const;
  kv.set = async (key, value) => frozen ? done : await set.call(kv, key, value);
  kv.delete = async (key) => frozen ? undefined : await remove.call(kv, key);
  kv.atomic = () => {
    const operation = atomic.call(kv);
    const { set, commit } = operation;
    operation.set = (key, value) => set.call(operation, key, value);
    operation.commit = async () => frozen ? done : await commit.call(operation);
    return operation;
  };
  return { kv, freeze: () => frozen = true };
}

/** Draws a certificate of one page that is wider than high. */
async function certificate(): Promise<Uint8Array<ArrayBuffer>> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const [text, title] = [
    await pdf.embedFont(StandardFonts.Helvetica),
    await pdf.embedFont(StandardFonts.TimesRoman),
  ];
  const [width, height] = [841.89, 595.28];
  const page = pdf.addPage([width, height]);
  const centred = (line: string, y: number, size: number, font = text) =>
    page.drawText(line, { x: (width - font.widthOfTextAtSize(line, size)) / 2, y, size, font });
  page.drawRectangle({
    x: 40,
    y: 110,
    width: width - 80,
    height: height - 160,
    borderWidth: 1.5,
    borderColor: rgb(0.1, 0.14, 0.2),
  });
  centred("SAMPLE", height - 85, 11);
  centred("Certificate of completion", height - 145, 34, title);
  centred("This certifies that", height - 200, 13);
  centred("Ada Example", height - 245, 28, title);
  centred("has completed the requirements of", height - 285, 13);
  centred("CHC50125", height - 325, 18);
  centred("Diploma of Early Childhood Education and Care", height - 351, 15);
  centred("Example College, 15 November 2026", height - 425, 12);
  return new Uint8Array(await pdf.save());
}
