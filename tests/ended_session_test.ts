import { assertEquals } from "@std/assert";
import { Authenticator } from "../lib/features/passkeys/testing/authenticator.ts";
import { park } from "./parked_request.ts";
import { REGISTER } from "./passkey_site.ts";
import { thiefSite } from "./thief_site.ts";

type World = Awaited<ReturnType<typeof thiefSite>>;

/** A request to send in two parts. */
interface Sent {
  path: string;
  body: URLSearchParams | object;
  /** A session other than the stolen one. */
  cookie?: string;
}

const form = (fields: Record<string, string>) => new URLSearchParams(fields);
const currentKey = async ({ site, owner }: World): Promise<string> =>
  (await site.services.records.keys.read(owner.hash)).current!.id;
const entered = async (site: World, change: object) => {
  const { contact: { value: { record } } } = await site.current();
  return { ...record, mobile: { country: "AU", number: "0412 345 678" }, ...change };
};

/** The actions of a holder with a session, besides connecting apps, which the consent page checks. */
const ACTIONS: Record<string, (site: World, cookie: string) => Sent | Promise<Sent>> = {
  async "adding a passkey"(site, cookie) {
    const authenticator = new Authenticator(site.site.services.surfaces.get("trust")!.baseUrl);
    const options = await (await site.fetch(REGISTER, { cookie, json: {} })).json();
    return { path: REGISTER, body: { response: await authenticator.register(options) } };
  },
  async "renaming a passkey"(site) {
    const id = await passkeyOf(site);
    return { path: "/my-record/passkeys", body: form({ act: "rename", id, name: "Mine" }) };
  },
  async "removing a passkey"(site) {
    const id = await passkeyOf(site);
    return { path: "/my-record/passkeys", body: form({ act: "remove", id }) };
  },
  "replacing the key": async (site) => ({
    path: "/my-record/key",
    body: { act: "replace", id: await currentKey(site) },
  }),
  "revoking the key": async (site) => ({
    path: "/my-record/key",
    body: { act: "revoke", id: await currentKey(site) },
  }),
  async "approving a request for access"({ site, owner }) {
    const [{ id }] = await site.services.access.list(owner.hash);
    return { path: "/my-record/requests", body: { act: "approve", id } };
  },
  async "approving a request for access with a form"({ site, owner }) {
    const [{ id }] = await site.services.access.list(owner.hash);
    return { path: "/my-record/requests", body: form({ act: "approve", id }) };
  },
  "sharing a document": ({ document }) => ({
    path: `/my-record/share?document=${document}`,
    body: { act: "create", days: "7", openings: "1", form: crypto.randomUUID() },
  }),
  async "ending a shared link"(site, cookie) {
    const path = `/my-record/share?document=${site.document}`;
    const fields = { days: "7", openings: "1", form: crypto.randomUUID() };
    const json = { act: "create", ...fields };
    await (await site.fetch(path, { cookie, json })).body?.cancel();
    const [{ hash }] = await site.site.services.shares.list(site.owner.hash);
    return { path, body: { act: "end", share: hash } };
  },
  "correcting the name": async (site) => ({
    path: "/my-record/correct",
    body: await entered(site, { name: "Thea Thief" }),
  }),
  "correcting the address": async (site) => ({
    path: "/my-record/correct",
    body: await entered(site, { email: "thief@mail.example.org" }),
  }),
  async "withdrawing a correction"(site, cookie) {
    await change(site, cookie);
    return { path: "/my-record/correct", body: { act: "withdraw" } };
  },
  async "replacing a correction"(site, cookie) {
    await change(site, cookie);
    return { path: "/my-record/correct", body: await entered(site, { name: "Thea Thief" }) };
  },
  "declaring an intent": () => ({
    path: "/my-record/declaration",
    body: form({ text: "I intend this record for something else.", deliberate: "1" }),
  }),
  "rejecting the number": () => ({ path: "/my-record/number", body: form({ act: "reject" }) }),
  "requesting the deletion": ({ owner }) => ({
    path: "/my-record/delete",
    body: form({ digits: owner.hash.slice(-4) }),
  }),
  "registering a device": () => ({
    path: "/api/push/register",
    body: { platform: "android", token: "thief-phone" },
  }),
  async "keeping a record that will be deleted"(site, cookie) {
    const digits = site.owner.hash.slice(-4);
    const asked = await site.fetch("/my-record/delete", { cookie, form: { digits } });
    assertEquals(asked.status, 200, await asked.text());
    const again = await site.signIn([site.owner.hash]);
    return { path: "/my-record/delete", body: form({ act: "cancel" }), cookie: again };
  },
  async "creating a key after one was revoked"(site, cookie) {
    const json = { act: "revoke", id: await currentKey(site) };
    const revoked = await site.fetch("/my-record/key", { cookie, json });
    assertEquals(revoked.status, 200, await revoked.text());
    return { path: "/my-record/key", body: { act: "show" } };
  },
  "choosing notifications": () => ({
    path: "/my-record/notifications",
    body: { act: "choose", from: "22:00", to: "07:00", zone: "Europe/Paris" },
  }),
};

async function passkeyOf({ site, current }: World): Promise<string> {
  const trust = site.services.surfaces.get("trust")!;
  return (await site.services.records.passkeys.list(await current(), trust)).passkeys[0].id;
}

/** Enters a correction that waits for its address. */
async function change(site: World, cookie: string): Promise<void> {
  const json = await entered(site, { email: "ada@mail.example.org" });
  const response = await site.fetch("/my-record/correct", { cookie, json });
  assertEquals(response.status, 200, await response.text());
}

/** Returns everything that is stored, as keys with their versions. */
const stored = async ({ site }: World) =>
  (await Array.fromAsync(site.services.kv.list({ prefix: [] })))
    .map(({ key, versionstamp }) => [key.map(String).join("/"), versionstamp]);

for (const [name, prepare] of Object.entries(ACTIONS)) {
  Deno.test(`${name} is refused and changes nothing if its session ended before the body arrived`, async () => {
    await using site = await thiefSite();
    const [stolen] = site.loot.cookies;
    const { path, body, cookie = stolen } = await prepare(site, stolen);
    const parked = await park(site, path, { cookie, body });
    const { records, mailer, push } = site.site.services;
    const reader = { network: "192.0.2.0/24", browser: "Firefox on Linux" };
    await records.signOutEverywhere(site.owner.hash, reader);
    await Promise.all([mailer.flush(), push.flush()]); // what was sent is no longer stored
    const before = await stored(site);
    const response = await parked.finish();
    const text = await response.text();
    const without = await site.fetch(path, {
      headers: body instanceof URLSearchParams ? {} : { accept: "application/json" },
      ...body instanceof URLSearchParams ? { form: Object.fromEntries(body) } : { json: body },
    });
    assertEquals([response.status, text], [without.status, await without.text()], "the response");
    assertEquals(response.headers.get("location"), without.headers.get("location"));
    assertEquals(await stored(site), before, "what is stored");
  });

  Deno.test(`${name} succeeds if its session still exists when the rest of the body arrives`, async () => {
    await using site = await thiefSite();
    const [stolen] = site.loot.cookies;
    const { path, body, cookie = stolen } = await prepare(site, stolen);
    const response = await (await park(site, path, { cookie, body })).finish();
    assertEquals(response.status < 400, true, await response.text());
  });
}

Deno.test("a code does not confirm the number if its session ended before the body arrived", async () => {
  await using site = await thiefSite();
  const [cookie] = site.loot.cookies;
  const { records, codes } = site.site.services;
  const purpose = "confirm_number";
  const sent = await site.fetch("/api/auth/otp/send", { cookie, json: { method: "sms", purpose } });
  assertEquals(sent.status, 200, await sent.text());
  await codes.flush();
  const body = { code: site.codeProvider.code("+61412345678"), purpose };
  const browser = sent.headers.get("set-cookie")!.split(";")[0];
  const verify = { cookie: `${cookie}; ${browser}`, body };
  const parked = await park(site, "/api/auth/otp/verify", verify);
  const reader = { network: "192.0.2.0/24", browser: "Firefox on Linux" };
  await records.signOutEverywhere(site.owner.hash, reader);
  const response = await parked.finish();
  assertEquals(response.status, 401, await response.text());
  assertEquals((await site.current()).row.mobile_confirmed_at, null);
});
