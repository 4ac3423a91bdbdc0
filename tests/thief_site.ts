/** A site on which a thief has a holder's session, to test that the holder can undo everything. */
import { assert, assertEquals, assertFalse } from "@std/assert";
import type { DevOutboxMail } from "../lib/platform/mail/mod.ts";
import { Authenticator } from "../lib/features/passkeys/testing/authenticator.ts";
import { fakePush } from "../lib/features/push/testing/fake_provider.ts";
import { readCurrentRecord, readRecord, type RecordEntry } from "../lib/features/records/mod.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/base/time.ts";
import { accessFixture } from "./access_site.ts";
import { fakeProvider } from "./codes_site.ts";
import { PERSON } from "./contact_site.ts";
import {
  authorizePath,
  callTool,
  codeForm,
  postForm,
  registerClient,
  type TestTokens,
} from "./oauth_site.ts";
import { park, type ParkedRequest } from "./parked_request.ts";
import { BROWSER, REGISTER, VERIFY } from "./passkey_site.ts";

export const MAILBOX = PERSON.email.toLowerCase();
const ADMIN = "admin@example.org";
const READER = { network: "192.0.2.0/24", browser: "Firefox on Linux" };
/** The numbers of the holder, and those of the thief. */
const OWN_NUMBER = "0412 345 678";
const THIEF_NUMBERS = ["0491 570 006", "0491 570 156", "0491 570 157"];
const e164 = (digits: string) => `+61${digits.replaceAll(" ", "").slice(1)}`;
const mobileOf = (number: string | undefined) =>
  number === undefined ? undefined : { country: "AU", number: `0${number.slice(3)}` };

/** Everything that a thief has gained: each of it is tried again after the holder has undone it. */
interface Loot {
  cookies: string[];
  passkeys: Authenticator[];
  keys: string[];
  devices: string[];
  tokens: TestTokens[];
  /** The cookies of browsers that have opened a document with a grant or a shared link. */
  grants: string[];
  /** The codes of links that the thief has created. */
  shares: string[];
}

/** An action, which returns whether it succeeded. `n` chooses between several objects. */
export type Action = (n: number) => Promise<boolean>;

const isOk = async (response: Response): Promise<boolean> => {
  await response.body?.cancel();
  return response.status < 400;
};
const sessionIn = (response: Response): string | null =>
  response.headers.getSetCookie().map((cookie) => cookie.split(";")[0])
    .find((cookie) => /^record_session=./.test(cookie)) ?? null;
const tokenIn = ({ link }: DevOutboxMail): string =>
  new URL(link!).searchParams.get("token") ?? new URL(link!).hash.slice(1);

/**
 * Creates a site with a record at level 3, its holder, an administrator, and a thief who has stolen a
 * session. All of them use pages, endpoints and mailed links.
 */
export async function thiefSite(env: Record<string, string> = {}) {
  const provider = fakeProvider();
  const service = fakePush();
  const fixture = await accessFixture(env, {
    codeProvider: provider,
    pushProviders: { android: service },
  });
  const { site, clock, owner, document, fetch } = fixture;
  const { services } = site;
  const { records, kv, push } = services;
  const { hash } = owner;
  const loot: Loot = {
    cookies: [],
    passkeys: [],
    keys: [],
    devices: [],
    tokens: [],
    grants: [],
    shares: [],
  };
  /** The thief's requests whose bodies have not arrived yet. */
  const parked: ParkedRequest[] = [];
  let count = 0;

  const current = async (): Promise<RecordEntry> => (await readCurrentRecord(kv, hash))!;
  const origin = services.surfaces.get("trust")!.baseUrl;
  const json = async (path: string, cookie: string, body: unknown) => {
    const response = await fetch(path, { cookie, json: body });
    return { response, body: response.ok ? await response.clone().json() : null };
  };

  /** Returns the response that refuses to add a passkey; null if it was added. */
  async function refusalOfPasskey(
    cookie: string,
    authenticator: Authenticator,
  ): Promise<string | null> {
    const begun = await fetch(REGISTER, { cookie, json: {} });
    if (!begun.ok) return await begun.text();
    const response = await authenticator.register(await begun.json());
    const added = await fetch(REGISTER, { cookie, json: { response } });
    const text = await added.text();
    return added.ok ? null : text;
  }
  const addPasskey = async (cookie: string, authenticator: Authenticator) =>
    await refusalOfPasskey(cookie, authenticator) === null;
  /** Returns the path and body of something that gives the thief access, to be sent in two parts. */
  async function tempting(cookie: string, n: number): Promise<[string, object] | null> {
    const { hash, contact } = await current();
    if (n % 4 === 0) {
      const { body } = await json(REGISTER, cookie, {});
      if (body === null) return null;
      const authenticator = new Authenticator(origin);
      loot.passkeys.push(authenticator);
      return [REGISTER, { response: await authenticator.register(body) }];
    }
    if (n % 4 === 1) {
      const [request] = await services.access.list(hash);
      return request ? ["/my-record/requests", { act: "approve", id: request.id }] : null;
    }
    if (n % 4 === 2 && n >= 8) {
      const form = { days: "90", openings: "1000", form: crypto.randomUUID() };
      return [`/my-record/share?document=${document}`, { act: "create", ...form }];
    }
    if (n % 4 === 2) {
      return ["/my-record/key", { act: "replace", id: await currentKey() ?? "0".repeat(64) }];
    }
    const { mobile, ...enquiry } = contact.value.record;
    const email = `thief${++count}@mail.example.org`;
    return ["/my-record/correct", { ...enquiry, email, mobile: mobileOf(mobile) }];
  }
  async function finishParked(): Promise<void> {
    for (const request of parked.splice(0)) {
      const response = await request.finish();
      const body = response.ok ? await response.json() : await response.body?.cancel();
      if (body?.key !== undefined) loot.keys.push(body.key);
      if (body?.code !== undefined) loot.shares.push(body.code);
    }
  }
  async function enter(authenticator: Authenticator): Promise<string | null> {
    const { body } = await json(VERIFY, BROWSER, {});
    const response = await authenticator.signIn(body);
    const entered = await fetch(VERIFY, { cookie: BROWSER, json: { response } });
    await entered.body?.cancel();
    return sessionIn(entered);
  }

  // The holder reaches level 3, with a key and a confirmed number.
  const own = new Authenticator(origin);
  assertEquals(await refusalOfPasskey(owner.cookie, own), null);
  const text = "I intend this record for a grant application.";
  assert(
    await isOk(
      await fetch("/my-record/declaration", {
        cookie: owner.cookie,
        form: { text, deliberate: "1" },
      }),
    ),
  );
  const { body: { key: ownKey } } = await json("/my-record/key", owner.cookie, { act: "show" });
  await fixture.mails(); // those from before the theft are sent before it
  clock.now += MINUTE_MS;

  // A session is stolen while it is recent, and an accomplice has asked for access.
  await fixture.open();
  loot.cookies.push(await fixture.signIn([hash]));
  const start = clock.now;

  /** The mails since the theft to an address, newest first. */
  const mailsTo = async (isTheirs: (address: string) => boolean) =>
    (await fixture.mails()).filter(({ to, at }) => isTheirs(to) && Date.parse(at) >= start);
  const isThief = (address: string) => /^thief\d+@/.test(address);
  const isHolder = (address: string) => address === MAILBOX;
  const linksTo = async (isTheirs: (address: string) => boolean, path: string) =>
    (await mailsTo(isTheirs)).filter(({ link }) => link && new URL(link).pathname === path);

  const cookie = (n: number): string =>
    loot.cookies.at(-1 - (n % Math.min(3, loot.cookies.length)))!;
  const keep = (found: string | null): boolean => {
    if (found !== null && !loot.cookies.includes(found)) loot.cookies.push(found);
    return found !== null;
  };
  const correct = async (as: string, change: Record<string, unknown>) => {
    const { contact } = await current();
    const enquiry = { ...contact.value.record, ...change };
    const json = { ...enquiry, mobile: mobileOf(enquiry.mobile) };
    return await isOk(await fetch("/my-record/correct", { cookie: as, json }));
  };
  // Errors as JSON, because a browser without a recent session is redirected to the sign-in page.
  const headers = { accept: "application/json" };
  const post = (path: string, as: string, fields: Record<string, string>) =>
    fetch(path, { cookie: as, form: fields, headers });
  const codes = async (as: string, send: Record<string, unknown>, number: string) => {
    clock.now += MINUTE_MS + 1; // one code per minute and number
    const sent = await fetch("/api/auth/otp/send", { cookie: as, json: send });
    await sent.body?.cancel();
    await services.codes.flush();
    const browser = sent.headers.get("set-cookie")?.split(";")[0];
    if (!sent.ok || !provider.messages.some(({ to }) => to === number)) return null;
    const verify = { code: provider.code(number), purpose: send.purpose };
    const cookies = [as, browser].filter((each) => each).join("; ");
    const verified = await fetch("/api/auth/otp/verify", { cookie: cookies, json: verify });
    await verified.body?.cancel();
    provider.messages.length = 0;
    return verified;
  };
  async function connectApp(as: string): Promise<boolean> {
    const client = await registerClient(site);
    const path = authorizePath(client, { scope: "mcp record offline_access" });
    const begun = await site.request("foundation-mcp", path);
    const app = begun.headers.get("set-cookie")!.split(";")[0];
    const consent = new URL(begun.headers.get("location")!);
    const html = await (await fetch(consent.pathname + consent.search, { cookie: as })).text();
    const shown = /name="shown" value="([^"]*)"/.exec(html)?.[1];
    if (shown === undefined) return false;
    const request = consent.searchParams.get("request")!;
    const fields = { request, shown, decision: "approve" };
    const decided = await post("/my-record/authorize", as, fields);
    await decided.body?.cancel();
    const location = decided.headers.get("location");
    if (location === null || !location.includes("handoff=")) return false;
    const { pathname, search } = new URL(location);
    const headers = { cookie: app };
    const returned = await site.request("foundation-mcp", pathname + search, { headers });
    const code = new URL(returned.headers.get("location")!).searchParams.get("code");
    if (code === null) return false;
    const tokens = await (await postForm(site, "/token", codeForm(client, code))).json();
    if (tokens.access_token === undefined) return false;
    loot.tokens.push(tokens);
    return true;
  }
  const keyAction = async (as: string, act: Record<string, string>): Promise<boolean> => {
    const { response, body } = await json("/my-record/key", as, act);
    await response.body?.cancel();
    if (body?.key !== undefined) loot.keys.push(body.key);
    return body !== null;
  };
  const currentKey = async () => (await records.keys.read((await current()).hash)).current?.id;

  const thief = {
    /** Steals another session, of a holder who has just signed in with a link. */
    async steal() {
      const { hash, contact } = await current();
      return isHolder(contact.value.record.email) && keep(await fixture.signIn([hash]));
    },
    async addPasskey(n) {
      const authenticator = new Authenticator(origin);
      loot.passkeys.push(authenticator);
      return await addPasskey(cookie(n), authenticator);
    },
    async signInByPasskey(n) {
      const authenticator = loot.passkeys.at(n % Math.max(1, loot.passkeys.length));
      return authenticator !== undefined && keep(await enter(authenticator));
    },
    async removePasskey(n) {
      const { passkeys } = await services.records.passkeys.list(
        await current(),
        services.surfaces.get("trust")!,
      );
      const id = passkeys.at(n % Math.max(1, passkeys.length))?.id ?? "0".repeat(64);
      return await isOk(await post("/my-record/passkeys", cookie(n), { act: "remove", id }));
    },
    correctName: (n) => correct(cookie(n), { name: `Ada Number ${++count}` }),
    correctEmail: (n) => correct(cookie(n), { email: `thief${++count}@mail.example.org` }),
    correctNumber: (n) => correct(cookie(n), { mobile: e164(THIEF_NUMBERS[n % 3]) }),
    withdraw: async (n) =>
      await isOk(await post("/my-record/correct", cookie(n), { act: "withdraw" })),
    openCorrection: async (n) =>
      await isOk(await post("/my-record/correct", cookie(n), { act: "open" })),
    async confirmEmail() {
      const [mail] = await linksTo(isThief, "/confirm");
      if (mail === undefined) return false;
      const confirmed = await fetch("/confirm", { form: { token: tokenIn(mail) } });
      await confirmed.body?.cancel();
      return keep(sessionIn(confirmed));
    },
    async confirmNumber(n) {
      const number = e164([...THIEF_NUMBERS, OWN_NUMBER][n % 4]);
      const send = { method: "sms", purpose: "confirm_number" };
      return (await codes(cookie(n), send, number))?.ok ?? false;
    },
    async signInByCode(n) {
      const number = e164(THIEF_NUMBERS[n % 3]);
      const send = { method: "sms", purpose: "sign_in", mobile: number };
      const verified = await codes("", send, number);
      return verified !== null && keep(sessionIn(verified));
    },
    async signInByLink() {
      const { contact } = await current();
      const { email } = contact.value.record;
      if (!isThief(email)) return false;
      await (await fetch("/my-record/sign-in", { form: { email } })).body?.cancel();
      const [mail] = await linksTo(isThief, "/my-record/link");
      if (mail === undefined) return false;
      const signedIn = await fetch("/my-record/link", { form: { token: tokenIn(mail) } });
      await signedIn.body?.cancel();
      return keep(sessionIn(signedIn));
    },
    createKey: (n) => keyAction(cookie(n), { act: "show" }),
    replaceKey: async (n) =>
      keyAction(cookie(n), { act: "replace", id: await currentKey() ?? "0".repeat(64) }),
    revokeKey: async (n) =>
      keyAction(cookie(n), { act: "revoke", id: await currentKey() ?? "0".repeat(64) }),
    declare: async (n) =>
      await isOk(
        await post("/my-record/declaration", cookie(n), {
          text: `The thief intends this record for purpose ${++count}.`,
          deliberate: "1",
        }),
      ),
    download: async (n) =>
      await isOk(await fetch("/my-record/download.json", { cookie: cookie(n), headers })),
    async approve(n) {
      const [request] = await services.access.list((await current()).hash);
      if (request === undefined) return false;
      const decided = await post("/my-record/requests", cookie(n), {
        act: "approve",
        id: request.id,
      });
      await fixture.sendHeld();
      return await isOk(decided);
    },
    async openDocument() {
      const [token] = await fixture.tokens("/s");
      if (token === undefined) return false;
      const opened = await fetch("/s", { form: { act: "open", code: token } });
      await opened.body?.cancel();
      if (opened.status !== 303) return false;
      loot.grants.push(opened.headers.get("set-cookie")!.split(";")[0]);
      return true;
    },
    async share(n) {
      const form = { act: "create", days: "90", openings: "1000", form: crypto.randomUUID() };
      const path = `/my-record/share?document=${document}`;
      const { response, body } = await json(path, cookie(n), form);
      await response.body?.cancel();
      if (body === null) return false;
      loot.shares.push(body.code);
      return true;
    },
    async openShare(n) {
      const code = loot.shares.at(n % Math.max(1, loot.shares.length));
      if (code === undefined) return false;
      const opened = await fetch("/s", { form: { act: "open", code } });
      await opened.body?.cancel();
      const given = opened.headers.get("set-cookie")?.split(";")[0];
      if (given === undefined) return false;
      loot.grants.push(given);
      return true;
    },
    connectApp: (n) => connectApp(cookie(n)),
    async addDevice(n) {
      const token = `thief-phone-${++count}`;
      const added = await fetch("/api/push/register", {
        cookie: cookie(n),
        json: { platform: "android", token },
      });
      loot.devices.push(token);
      return await isOk(added);
    },
    rejectNumber: async (n) =>
      await isOk(await post("/my-record/number", cookie(n), { act: "reject" })),
    async delete(n) {
      // The digits of the record in force, and of the correction that waits for it.
      const { hash, row } = await current();
      const digits = (n % 2 ? row.correction?.to ?? hash : hash).slice(-4);
      const asked = await post("/my-record/delete", cookie(n), { digits });
      return await isOk(asked);
    },
    async keepRecord(n) {
      const { row } = await current();
      await isOk(await post("/my-record/delete", cookie(n), { act: "cancel" }));
      return Boolean(row.deletion_at) && !(await current()).row.deletion_at;
    },
    /** Uses a link of a notice that the thief received, to undo the event or to complete a deletion. */
    async useNotice(n) {
      const mails = await linksTo(isThief, "/my-record/undo");
      const mail = mails.at(n % Math.max(1, mails.length));
      if (mail === undefined) return false;
      const { hash } = await current();
      const fields = { token: tokenIn(mail), digits: hash.slice(-4) };
      const act = n % 2 ? "delete" : "undo";
      return await isOk(await fetch("/my-record/undo", { form: { ...fields, act } }));
    },
    async useRecovery() {
      const [mail] = (await fixture.mails()).filter(({ to, link }) =>
        to.startsWith("recovered") && link?.includes("/my-record/link")
      );
      if (mail === undefined) return false;
      const signedIn = await fetch("/my-record/link", { form: { token: tokenIn(mail) } });
      await signedIn.body?.cancel();
      return keep(sessionIn(signedIn));
    },
    /** Sends half of a request, and the rest after the holder has used the links of all notices. */
    async park(n) {
      const found = await tempting(cookie(n), n);
      if (found === null) return false;
      const [path, body] = found;
      parked.push(await park(fixture, path, { cookie: cookie(n), body }));
      return true;
    },
    choose: async (n) => {
      const { hash, row } = await current();
      const record = n % 2 ? row.correction?.to ?? hash : row.replaces ?? hash;
      return await isOk(await post("/my-record/choose", cookie(n), { record }));
    },
  } satisfies Record<string, Action>;

  /** An administrator, who believes what the thief says. */
  const administrator = {
    async startRecovery(n) {
      const { hash: inForce, row } = await current();
      const hashes = [inForce, row.replaces, row.correction?.to].filter((each) => !!each);
      const started = await records.recoveries.start({
        hash: hashes[n % hashes.length]!,
        newEmail: "recovered@mail.example.org",
        by: ADMIN,
        note: "passport, by video",
        reader: READER,
      });
      return started.ok;
    },
    /** Deletes the record whose address asks for it by mail. */
    async deleteOnRequest() {
      const record = await current();
      const { correction } = record.row;
      const waiting = correction ? await readRecord(kv, correction.to) : null;
      for (const each of [record, waiting]) {
        if (each === null || !isThief(each.contact.value.record.email)) continue;
        if ((await records.deletion.deleteRecord(each.hash)).ok) return true;
      }
      return false;
    },
  } satisfies Record<string, Action>;

  /** The holder, who does not know of the thief yet and signs in with a link. */
  const holder = {
    async correctName() {
      const cookie = await fixture.signIn([(await current()).hash]);
      return await correct(cookie, { name: `Ada Holder ${++count}` });
    },
    async correctNumber() {
      const cookie = await fixture.signIn([(await current()).hash]);
      return await correct(cookie, { mobile: e164("0412 000 111") });
    },
    async replaceKey() {
      const record = await current();
      const id = await currentKey();
      if (id === undefined) return false;
      return (await records.keys.replace({ hash: record.hash, reader: READER, id })).ok;
    },
  } satisfies Record<string, Action>;

  async function runJobs() {
    for (const job of ["corrections", "recoveries", "due"]) await services.jobs.run(job);
  }
  async function wait(ms: number) {
    clock.now += ms;
    await runJobs();
    return true;
  }
  /** Time passes, but less than seven days in all, because the holder reads the mail by then. */
  const time = {
    minute: () => wait(MINUTE_MS),
    hour: () => later(HOUR_MS),
    day: () => later(DAY_MS),
    days: () => later(3 * DAY_MS + 2 * HOUR_MS),
  } satisfies Record<string, Action>;
  async function later(ms: number) {
    return clock.now + ms - start < 7 * DAY_MS - HOUR_MS && await wait(ms);
  }

  /**
   * Uses the link of every notice that the holder's mailbox has got, in an order. Returns how many there
   * were.
   */
  async function undoEverything(order: (mails: DevOutboxMail[]) => DevOutboxMail[]) {
    clock.now += 1;
    const mails = await linksTo(isHolder, "/my-record/undo");
    for (const mail of order(mails)) {
      const response = await fetch("/my-record/undo", { form: { token: tokenIn(mail) } });
      await response.body?.cancel();
    }
    if (mails.length > 0) await finishParked();
    await runJobs();
    return mails.length;
  }

  /** Tries everything that the thief has, and fails if any of it still works. */
  async function assertNothingOfTheThiefWorks() {
    const before = await readRecord(kv, hash);
    for (const each of loot.cookies) {
      const request = new Request(origin, { headers: { cookie: each } });
      assertEquals(await records.session(request, "trust"), null, "a session");
    }
    for (const authenticator of loot.passkeys) {
      assertEquals(await enter(authenticator), null, "a passkey");
    }
    for (const key of loot.keys) {
      assertFalse((await records.keys.state(key)).state === "current", "a key");
    }
    for (const grant of loot.grants) {
      const file = await fetch(`/d/${document}/file`, { cookie: grant });
      await file.body?.cancel();
      assertEquals([file.status, file.headers.get("location") !== null], [303, true], "a grant");
    }
    assertFalse(await thief.openDocument(), "a link to a document");
    for (let i = 0; i < loot.shares.length; i++) {
      assertFalse(await thief.openShare(i), "a shared link");
    }
    assertEquals((await push.overview(hash)).devices, [], "a device");
    for (const { access_token, refresh_token } of loot.tokens) {
      const called = await callTool(site, { token: access_token });
      await called.body?.cancel();
      assertEquals(called.status, 401, "an app");
      const refreshed = await postForm(site, "/token", {
        grant_type: "refresh_token",
        refresh_token,
      });
      await refreshed.body?.cancel();
      assertFalse(refreshed.ok, "a refresh token");
    }
    for (const mail of await mailsTo((to) => isThief(to) || to.startsWith("recovered"))) {
      if (mail.link === undefined) continue;
      const { pathname } = new URL(mail.link);
      const token = tokenIn(mail);
      const digits = hash.slice(-4);
      for (const act of ["undo", "delete"]) {
        const used = await fetch(pathname, { form: { token, act, digits } });
        await used.body?.cancel();
        assertEquals(sessionIn(used), null, `the link ${pathname}`);
      }
    }
    for (let i = 0; i < THIEF_NUMBERS.length; i++) {
      assertFalse(await thief.signInByCode(i), "a code");
    }
    assertEquals(await records.recoveries.read(hash), null, "a recovery");
    const after = await readRecord(kv, hash);
    assertEquals(after?.row, before?.row, "something of the thief's changed the record");
  }

  /** Fails unless the record is as it was: in force, open, and the holder's. */
  async function assertRecordIsSafe() {
    const record = await readRecord(kv, hash);
    if (record === null) throw new Error("The record was erased.");
    const { replaced_by, deletion_at, correction } = record.row;
    assertEquals([replaced_by, deletion_at ?? null, correction ?? null], [null, null, null]);
    assertEquals(await services.contactIndex.find("email", MAILBOX), [hash]);
    assertEquals((await services.documents.list(hash)).map(({ id }) => id), [document]);
    const { declarations = [] } = record.contact.value;
    assertEquals(declarations.map((each) => each.text), [text]);
  }

  return {
    ...fixture,
    start,
    loot,
    own,
    ownKey: ownKey as string,
    codeProvider: provider,
    thief,
    administrator,
    holder,
    time,
    wait,
    current,
    enter,
    linksTo,
    noticesToHolder: () => linksTo(isHolder, "/my-record/undo"),
    undoEverything,
    assertNothingOfTheThiefWorks,
    assertRecordIsSafe,
    async [Symbol.asyncDispose]() {
      await finishParked();
      await fixture[Symbol.asyncDispose]();
    },
  };
}
