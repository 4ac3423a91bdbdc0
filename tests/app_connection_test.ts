import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  Connection,
  ConnectionError,
  type ConnectionOptions,
  type Phone,
  type StoredConnection,
} from "../docs/app/connection.ts";
import { fakePush } from "../lib/features/push/testing/fake_provider.ts";
import { DAY_MS, HOUR_MS } from "../lib/base/time.ts";
import { approveWithPages } from "./oauth_app.ts";
import { recordFixture } from "./record_site.ts";

const service = fakePush();
const fixture = await recordFixture({ MCP_REGISTRATION_LIMIT: "0" }, {
  pushProviders: { android: service },
});
Deno.test.afterAll(async () => await fixture[Symbol.asyncDispose]());
const { site, clock } = fixture;
const { oauth, push, surfaces } = site.services;
const TRUST = surfaces.url("trust")!;

/** Sends a request to the surface of its host, without a socket. */
function local(input: string | URL, init?: RequestInit): Promise<Response> {
  const { hostname, origin } = new URL(input);
  return site.request(surfaces.byHost(hostname)!.name, String(input).slice(origin.length), init);
}

/** An app on a phone, with its stored data and its requests. */
function install(token: string, more: Partial<ConnectionOptions> = {}) {
  const state = { stored: null as StoredConnection | null, paths: [] as string[] };
  const options: ConnectionOptions = {
    trust: TRUST,
    redirectUri: "com.example.records:/oauth",
    name: "Pocket",
    fetch(url, init) {
      state.paths.push(new URL(url).pathname);
      return local(url, init);
    },
    save: (stored) => Promise.resolve(void (state.stored = stored)),
    ...more,
  };
  const phone: Phone = { platform: "android", token };
  return { state, phone, app: new Connection(options), options };
}

/** The holder approves the app in the browser. Returns the link that opens the app. */
async function approve(url: string, cookie: string): Promise<string> {
  const answer = await approveWithPages({ site }, new URL(url), cookie, local);
  return `com.example.records:/oauth?${answer}`;
}

async function connected(token: string) {
  const holder = await fixture.holder();
  const installed = install(token);
  const { url, pending } = await installed.app.begin();
  await installed.app.finish(await approve(url, holder.cookie), pending);
  const devices = async () => (await push.overview(holder.hash)).devices.length;
  return { ...holder, ...installed, devices };
}

Deno.test("the app connects, registers its phone at each start, and removes it", async () => {
  const { app, state, phone, options, devices } = await connected("a");
  await app.register(phone);
  assertEquals(await devices(), 1);
  assert(!JSON.stringify(state.stored).includes("gha_"), "the access token is not stored");
  clock.now += 30 * DAY_MS;
  const restarted = new Connection({ ...options, stored: structuredClone(state.stored!) });
  state.paths.length = 0;
  await Promise.all([restarted.register(phone), restarted.register(phone)]);
  assertEquals(state.paths, ["/token", "/api/push/register", "/api/push/register"]);
  clock.now += HOUR_MS; // the access token expires
  state.paths.length = 0;
  await restarted.remove(phone);
  assertEquals(state.paths, ["/api/push/register", "/token", "/api/push/register"]);
  assertEquals(await devices(), 0);
});

Deno.test("disconnecting in the app removes the phone, and disconnecting on the page ends the app's connection", async () => {
  const first = await connected("b");
  await first.app.register(first.phone);
  await first.app.disconnect();
  assertEquals([await first.devices(), first.state.stored, first.app.isConnected], [
    0,
    null,
    false,
  ]);
  await assertRejects(() => first.app.register(first.phone), ConnectionError, "Connect the app");

  const second = await connected("c");
  await second.app.register(second.phone);
  const form = { act: "disconnect_all" };
  await fixture.fetch("/my-record/agents", { cookie: second.cookie, form });
  const error = await assertRejects(() => second.app.register(second.phone), ConnectionError);
  assertEquals([error.code, second.state.stored, await second.devices()], [
    "invalid_grant",
    null,
    0,
  ]);
});

Deno.test("connecting again ends the earlier connection, and an attempt that fails keeps it", async () => {
  const { hash, app, state, phone, cookie, devices } = await connected("f");
  await app.register(phone);
  const { url, pending } = await app.begin();
  const returned = await approve(url, cookie);
  const { refreshToken } = state.stored!;
  clock.now += HOUR_MS; // the code expires
  const late = await assertRejects(() => app.finish(returned, pending), ConnectionError);
  assertEquals([late.code, state.stored!.refreshToken], ["invalid_grant", refreshToken]);
  await app.register(phone);
  const again = await app.begin();
  await app.finish(await approve(again.url, cookie), again.pending);
  await app.register(phone);
  assertEquals([await devices(), (await oauth.agents.list(hash)).length], [1, 1]);
});

Deno.test("an app whose registration has expired can be connected again", async () => {
  const { app, state, phone } = await connected("g");
  clock.now += 180 * DAY_MS;
  const error = await assertRejects(() => app.register(phone), ConnectionError);
  assertEquals([error.code, state.stored], ["invalid_client", null]);
});

Deno.test("the app refuses an answer to another request, other metadata, and reports a denial", async () => {
  const { app, state } = install("d");
  const { pending } = await app.begin();
  const link = (answer: Record<string, string>) =>
    `com.example.records:/oauth?${new URLSearchParams(answer)}`;
  const { state: nonce, issuer } = pending;
  for (const answer of [{ state: nonce }, { state: "x", iss: issuer }, { iss: issuer }]) {
    const returned = link({ code: "c", ...answer } as Record<string, string>);
    await assertRejects(() => app.finish(returned, pending), ConnectionError, "does not answer");
  }
  const denied = link({ error: "access_denied", state: nonce, iss: issuer });
  const error = await assertRejects(() => app.finish(denied, pending), ConnectionError);
  assertEquals([error.code, state.stored], ["access_denied", null]);

  for (const member of ["resource", "issuer", "code_challenge_methods_supported"]) {
    const { app } = install("e", {
      async fetch(url, init) {
        const body = await (await local(url, init)).json();
        return Response.json(member in body ? { ...body, [member]: "https://evil.example" } : body);
      },
    });
    await assertRejects(() => app.begin(), ConnectionError, `another ${member}`);
  }
});
