/** Requests of visitors and holders that change something, whose costs are counted. */
import { createHash } from "node:crypto";
import { bodyOf, newDocument } from "../../lib/features/documents/testing/fixture.ts";
import { revocationPath } from "../../lib/features/issuers/revocation_link.ts";
import { recordRows } from "../../lib/features/records/mod.ts";
import { unwrap } from "../../lib/platform/http/errors.ts";
import { STRANGER } from "../access_site.ts";
import { PERSON, statusOf } from "../contact_site.ts";
import { offerTo } from "../filled_site.ts";
import { keyForm, stopLinkOf } from "../key_site.ts";
import { beginRequest } from "../oauth_site.ts";
import { correctionForm } from "./holders.ts";
import type { CostRequest, CostRequests } from "./requests.ts";
import type { PeopleSite } from "./sites.ts";

export const READER = { network: "203.0.113.0/24", browser: "Firefox on Linux" };

let people = 0;
const newPerson = () => ({ ...PERSON, email: `actor${++people}@example.org` });

/** Returns how requests of the trust surface are made. */
const trust = (
  path: string,
  form: Record<string, string>,
  cookie?: string,
): CostRequest => ({ on: "trust", path, form, cookie });

const json = (path: string, json: unknown, cookie?: string): CostRequest => ({
  on: "trust",
  path,
  json,
  cookie,
});

/** Approves a request for access in a new session. Returns its id, and the token of the emailed link. */
async function approve(fixture: PeopleSite): Promise<{ id: string; token: string }> {
  const email = `asks${++people}@example.com`;
  const id = await fixture.open({ email });
  const cookie = await fixture.signIn([fixture.owner.hash]);
  await statusOf(fixture.decide({ act: "approve", id }, cookie));
  await fixture.sendHeld();
  const [token] = await fixture.tokens("/s", email);
  return { id, token };
}

/** Returns the token of the newest emailed link with a path. */
export async function mailedToken(fixture: PeopleSite, path: string): Promise<string> {
  const { link } = (await fixture.mails()).find(({ link }) => link?.includes(path))!;
  return new URL(link!).searchParams.get("token")!;
}

/** Actions of people who are not signed in. */
export function publicActions(fixture: PeopleSite): CostRequests {
  const { site: { services }, owner: { hash }, document, clock, filled } = fixture;
  const confirmation = async () => {
    await fixture.register(newPerson());
    return { token: await mailedToken(fixture, "/confirm?") };
  };
  const openShare = async () => {
    const wanted = { act: "create", days: "7", openings: "5", form: crypto.randomUUID() };
    clock.now += 3_600_000; // so that the next link is not refused
    const response = await fixture.fetch(`/my-record/share?document=${document}`, {
      cookie: await fixture.signIn([hash]),
      json: wanted,
      headers: { accept: "application/json" },
    });
    return String((await response.json()).code);
  };
  const bytes = (text: string) => new TextEncoder().encode(text);
  const sha256 = (...parts: (string | Uint8Array)[]) =>
    parts.reduce((all, part) => all.update(part), createHash("sha256")).digest("hex");
  const checked = async () => {
    const body = `A file to check, ${++people}.`;
    unwrap(
      await services.documents.add({ ...newDocument(hash), guessable: false }, bodyOf(body)),
    );
    return body;
  };
  const key = async () => {
    const { hash } = await fixture.holder(newPerson());
    const { row } = (await services.records.read(hash))!;
    await services.kv.set(recordRows.key(hash), { ...row, level: 3 });
    return unwrap(await services.records.keys.issue({ hash, reader: READER })).key;
  };
  const answer = async (path: string, sent: unknown) =>
    await (await fixture.fetch(path, { json: sent })).json();
  return {
    "api POST /api/ir/register": () => ({
      on: "api",
      path: "/api/ir/register",
      json: newPerson(),
    }),
    "trust POST /confirm": async () => trust("/confirm", await confirmation()),
    "trust POST /confirm, a holder who is signed in": async () =>
      trust("/confirm", await confirmation(), await fixture.signIn([hash])),
    "trust POST /my-record/sign-in": () => trust("/my-record/sign-in", { email: PERSON.email }),
    "trust POST /my-record/link": async () => {
      await statusOf(fixture.fetch("/my-record/sign-in", { form: { email: PERSON.email } }));
      clock.now += 3_600_000;
      return trust("/my-record/link", { token: await mailedToken(fixture, "/my-record/link?") });
    },
    "trust POST /d/…/request": () =>
      trust(`/d/${document}/request`, { ...STRANGER, email: `asks${++people}@example.com` }),
    "trust POST /d/request": async () => {
      await statusOf(fixture.ask({ email: `asks${++people}@example.com` }));
      return trust("/d/request", { token: await mailedToken(fixture, "/d/request?") });
    },
    "trust POST /s, open with a request": async () => {
      const { token } = await approve(fixture);
      return trust("/s", { act: "open", code: token, page: `page-${++people}` });
    },
    "trust POST /s, new link": async () => {
      const { token } = await approve(fixture);
      await fixture.use(token);
      return trust("/s", { act: "new_link", code: token });
    },
    "trust POST /s, look": async () => json("/s", { code: await openShare() }),
    "trust POST /s, open": async () =>
      trust("/s", { act: "open", code: await openShare(), page: `page-${++people}` }),
    "trust POST /check": async () => json("/check", { sha256: sha256(await checked()) }),
    "trust POST /check/verified": async () => {
      const body = await checked();
      const { nonce } = await answer("/check", { sha256: sha256(body) });
      return json("/check/verified", {
        nonce,
        sha256: sha256(body),
        proof: sha256(nonce, bytes(body)),
      });
    },
    "trust POST /find, a hash": () => trust("/find", { text: hash }),
    "trust POST /find, a key": async () => trust("/find", { text: await key() }),
    "trust POST /k": async () => json("/k", { key: await key() }),
    "trust POST /k/verified": async () => {
      const { nonce } = await answer("/k", { key: await key() });
      return json("/k/verified", { nonce });
    },
    "trust POST /keys/revoke": async () => {
      const create = { issuer: filled.issuer, by: "admin@example.org", ...keyForm() };
      const { row } = unwrap(await services.issuerKeys.create(create));
      const path = await revocationPath(services.secrets, row);
      const { searchParams } = new URL(path, "http://trust.localhost");
      return trust("/keys/revoke", Object.fromEntries(searchParams));
    },
    "trust POST /keys/stop": async () => {
      const path = await stopLinkOf(services, `Stopped ${++people}`);
      const { searchParams } = new URL(path, "http://trust.localhost");
      return trust("/keys/stop", Object.fromEntries(searchParams));
    },
    "trust POST /accept, refuse": async () => {
      const offer = await offerTo(services, `person${++people}`);
      return trust("/accept", { ...offer, act: "refuse" });
    },
    "trust POST /accept, accept": async () => {
      const offer = await offerTo(services, `person${++people}`);
      return trust("/accept", { ...offer, act: "accept" });
    },
    "trust POST /accept, look": async () => {
      const offer = await offerTo(services, `person${++people}`);
      return trust("/accept", { ...offer, act: "look", document: "7K3M9Q2XB4TW0ZRA" });
    },
    "trust POST /accept, sign in": async () => {
      const offer = await offerTo(services, `person${++people}`);
      return trust("/accept", { ...offer, act: "sign_in" });
    },
    "site POST /api/auth/request": () => ({
      on: "site",
      path: "/api/auth/request",
      json: { email: `user${++people}@example.org` },
    }),
    ...Object.fromEntries(
      ["/auth/verify", "/api/auth/verify"].map((path) => [`site ${path}?token=…`, async () => {
        const link = { email: `user${++people}@example.org`, surface: "site" } as const;
        const { token } = await services.auth.issueLink(link);
        return { on: "site", path: `${path}?token=${token}` } as const;
      }]),
    ),
    "site POST /theme": () => ({ on: "site", path: "/theme", form: { theme: "dark" } }),
  };
}

/** Actions of a holder. */
export function holderActions(fixture: PeopleSite): CostRequests {
  const { owner: { hash }, document, site: { services }, clock, filled, codes } = fixture;
  const signedIn = () => fixture.signIn([hash]);
  const another = () => fixture.holder(newPerson());
  /** Returns the form that adds a document to the record of a holder. */
  const offered = async () => {
    const person = newPerson();
    const { hash: record, cookie } = await fixture.holder(person);
    const offer = await offerTo(services, "grace", person.email);
    return { cookie, form: { ...offer, act: "add", record } };
  };
  const asked = async () => {
    const id = await fixture.open({ email: `asks${++people}@example.com` });
    return { id };
  };
  const approved = async () => ({ id: (await approve(fixture)).id });
  const withKey = async () => {
    const { hash, cookie } = await another();
    const { row } = (await services.records.read(hash))!;
    await services.kv.set(recordRows.key(hash), { ...row, level: 3 });
    return { hash, cookie };
  };
  const share = `/my-record/share?document=${document}`;
  return {
    "trust POST /my-record/declaration": async () =>
      trust("/my-record/declaration", {
        text: `This record shows who we are, as of version ${++people}.`,
        deliberate: "1",
      }, await signedIn()),
    "trust POST /my-record/correct, name": async () => {
      const person = newPerson();
      const { cookie } = await fixture.holder(person);
      return trust("/my-record/correct", correctionForm(person, { name: "Ada Corrected" }), cookie);
    },
    "trust POST /my-record/correct, address": async () => {
      const person = newPerson();
      const { cookie } = await fixture.holder(person);
      const { email } = newPerson();
      return trust("/my-record/correct", correctionForm(person, { email }), cookie);
    },
    "trust POST /my-record/delete": async () => {
      const { hash, cookie } = await another();
      return trust("/my-record/delete", { digits: hash.slice(-4) }, cookie);
    },
    "trust POST /my-record/delete, cancel": async () => {
      const { hash } = await another();
      unwrap(await services.records.deletion.request(hash, READER));
      return trust("/my-record/delete", { act: "cancel" }, await fixture.signIn([hash]));
    },
    "trust POST /my-record/requests, approve": async () =>
      trust("/my-record/requests", { act: "approve", ...await asked() }, await signedIn()),
    "trust POST /my-record/requests, refuse": async () =>
      trust(
        "/my-record/requests",
        { act: "refuse", reason: "No.", ...await asked() },
        await signedIn(),
      ),
    "trust POST /my-record/requests, revoke": async () =>
      trust("/my-record/requests", { act: "revoke", ...await approved() }, await signedIn()),
    "trust POST /my-record/share": async () => {
      clock.now += 3_600_000;
      const form = { act: "create", days: "7", openings: "1", form: crypto.randomUUID() };
      return trust(share, form, await signedIn());
    },
    "trust POST /my-record/key, show": async () =>
      trust("/my-record/key", { act: "show" }, (await withKey()).cookie),
    "trust POST /my-record/key, revoke": async () => {
      const { hash, cookie } = await withKey();
      unwrap(await services.records.keys.issue({ hash, reader: READER }));
      const { current } = await services.records.keys.read(hash);
      return trust("/my-record/key", { act: "revoke", id: current!.id }, cookie);
    },
    "trust POST /my-record/number": async () =>
      trust("/my-record/number", { act: "reject" }, (await another()).cookie),
    "trust POST /my-record/choose": async () => {
      const other = await another();
      return trust(
        "/my-record/choose",
        { record: other.hash },
        await fixture.signIn([
          hash,
          other.hash,
        ]),
      );
    },
    "trust POST /accept, add": async () => {
      const { cookie, form } = await offered();
      return trust("/accept", form, cookie);
    },
    "trust POST /my-record/issuers, end": async () => {
      const { cookie, form } = await offered();
      await statusOf(fixture.fetch("/accept", { cookie, form }));
      return trust("/my-record/issuers", { act: "end", issuer: "commercial" }, cookie);
    },
    "trust POST /my-record/agents, disconnect all": async () => {
      const { cookie } = await another();
      return trust("/my-record/agents", { act: "disconnect_all" }, cookie);
    },
    "trust POST /my-record/sign-out": async () =>
      trust("/my-record/sign-out", {}, await fixture.signIn([hash])),
    "trust POST /my-record/sign-out, everywhere": async () =>
      trust("/my-record/sign-out", { everywhere: "1" }, (await another()).cookie),
    "trust POST /api/push/register": async () =>
      json(
        "/api/push/register",
        { platform: "android", token: `token-${++people}` },
        (await another()).cookie,
      ),
    "trust DELETE /api/push/register": async () => ({
      ...json("/api/push/register", { platform: "android", token: "unknown" }, await signedIn()),
      method: "DELETE",
    }),
    "trust POST /my-record/notifications": async () =>
      trust("/my-record/notifications", { act: "choose" }, await signedIn()),
    "trust POST /my-record/authorize": async () => {
      const { request } = await beginRequest(fixture.site, filled.client, { scope: "record" });
      const { cookie } = await another();
      const page = await fixture.fetch(`/my-record/authorize?request=${request}`, { cookie });
      const shown = /name="shown" value="([^"]*)"/.exec(await page.text())?.[1] ?? "";
      return trust("/my-record/authorize", { request, decision: "approve", shown }, cookie);
    },
    "trust POST /api/auth/otp/send": async () => {
      clock.now += 3_600_000;
      return json(
        "/api/auth/otp/send",
        { method: "sms", purpose: "confirm_number" },
        (await another()).cookie,
      );
    },
    "trust POST /api/auth/otp/verify": async () => {
      clock.now += 3_600_000;
      const { cookie } = await another();
      const wanted = { method: "sms", purpose: "confirm_number" };
      const asked = await fixture.fetch("/api/auth/otp/send", { json: wanted, cookie });
      await statusOf(asked);
      await services.codes.flush();
      const browser = asked.headers.get("set-cookie")!.split(";")[0];
      const code = codes.code(codes.messages.at(-1)!.to);
      return json(
        "/api/auth/otp/verify",
        { code, purpose: "confirm_number" },
        `${cookie}; ${browser}`,
      );
    },
    "trust POST /d/…/printed, a reader with access": async () => {
      const { token } = await approve(fixture);
      return trust(`/d/${document}/printed`, {}, await fixture.use(token));
    },
    "site POST /account/saved": async () => ({
      on: "site",
      path: "/account/saved",
      form: { save: "CHC50121" },
      cookie: await userCookie(fixture),
    }),
    "site POST /api/auth/logout": async () => ({
      on: "site",
      path: "/api/auth/logout",
      form: {},
      cookie: await userCookie(fixture),
    }),
  };
}

async function userCookie({ site: { services } }: PeopleSite): Promise<string> {
  const link = { email: `user${++people}@example.org`, surface: "site" } as const;
  const { token } = await services.auth.issueLink(link);
  return `app_session=${(await services.auth.verify(token, "site"))!.sessionId}`;
}
