import { assertEquals } from "@std/assert";
import { Authenticator, type Deviation } from "../lib/features/passkeys/testing/authenticator.ts";
import { ADMIN, CONFIRM, REGISTER as ADD, SIGN_IN } from "./operator_passkey_site.ts";
import { BROWSER, passkeyFixture, REGISTER, VERIFY } from "./passkey_site.ts";
import { cookiesOf } from "./sign_in_site.ts";

/** A browser in which a holder and an operator are signed in on a host that serves both. */
async function sharedHost() {
  const fixture = await passkeyFixture({ OPS_L1_EMAILS: ADMIN });
  const { site } = fixture;
  const { baseUrl } = site.services.surfaces.get("workbench")!;
  const holder = await fixture.holder();
  const cookies: Record<string, string> = { record_browser: BROWSER };
  cookies.record_session = await fixture.signIn([holder.hash], { on: "workbench" });
  const { token } = await site.services.auth.issueLink({ email: ADMIN, surface: "workbench" });
  const verified = await site.request("workbench", `/auth/verify?token=${token}`);
  Object.assign(cookies, cookiesOf(verified));

  async function post(path: string, json: unknown) {
    const response = await site.request("workbench", path, {
      method: "POST",
      headers: {
        cookie: Object.values(cookies).join("; "),
        origin: baseUrl,
        "content-type": "application/json",
      },
      body: JSON.stringify(json),
    });
    Object.assign(cookies, cookiesOf(response));
    const body = await response.json();
    return { status: response.status, error: body.error as string | undefined, body };
  }
  const end = async (path: string, response: unknown) => {
    const { status, error } = await post(path, { response });
    return error === undefined ? [status] : [status, error];
  };
  return {
    fixture,
    baseUrl,
    end,
    options: async (path: string) => (await post(path, {})).body,
    /** Asks for options at one endpoint and sends the response to another, by default the same. */
    async enter(authenticator: Authenticator, path: string, to = path, deviation?: Deviation) {
      return await end(to, await authenticator.signIn((await post(path, {})).body, deviation));
    },
    async add(path: string, to = path) {
      const authenticator = new Authenticator(baseUrl);
      const response = await authenticator.register((await post(path, {})).body);
      return { authenticator, added: await end(to, response) };
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

const REFUSED = [401, "passkey_refused"];
const EXPIRED = [400, "passkey_expired"];

Deno.test("on a host that serves both, a holder's passkey opens no console, and an operator's no record", async () => {
  await using host = await sharedHost();
  const holder = await host.add(REGISTER);
  const operator = await host.add(ADD);
  assertEquals([holder.added, operator.added], [[201], [201]]);
  for (const path of [SIGN_IN, CONFIRM]) {
    assertEquals(await host.enter(holder.authenticator, path), REFUSED, path);
  }
  assertEquals(await host.enter(operator.authenticator, VERIFY), REFUSED);
  // With the other's id and handle, the signature is wrong.
  const { credentialId, userHandle } = operator.authenticator;
  const claimed = { credentialId, userHandle };
  assertEquals(await host.enter(holder.authenticator, SIGN_IN, SIGN_IN, claimed), REFUSED);
  assertEquals(await host.enter(holder.authenticator, VERIFY), [200]);
  assertEquals(await host.enter(operator.authenticator, CONFIRM), [200]);
});

Deno.test("a challenge is used only for the owner and the ceremony that it was issued for, and once", async () => {
  await using host = await sharedHost();
  assertEquals((await host.add(REGISTER, ADD)).added, EXPIRED);
  assertEquals((await host.add(ADD, REGISTER)).added, EXPIRED);
  const holder = (await host.add(REGISTER)).authenticator;
  const operator = (await host.add(ADD)).authenticator;
  for (const [from, to] of [[VERIFY, SIGN_IN], [VERIFY, CONFIRM], [CONFIRM, SIGN_IN]]) {
    assertEquals(await host.enter(operator, from, to), EXPIRED, `${from} → ${to}`);
  }
  for (const from of [SIGN_IN, CONFIRM]) {
    assertEquals(await host.enter(holder, from, VERIFY), EXPIRED, from);
  }
  for (const [authenticator, path] of [[holder, VERIFY], [operator, SIGN_IN]] as const) {
    const response = await authenticator.signIn(await host.options(path));
    assertEquals(await host.end(path, response), [200]);
    assertEquals(await host.end(path, response), EXPIRED);
  }
});

Deno.test("a passkey is refused with the origin or relying party of another host of the site", async () => {
  await using host = await sharedHost();
  const { fixture: { site } } = host;
  const operator = (await host.add(ADD)).authenticator;
  const holder = (await host.add(REGISTER)).authenticator;
  for (const surface of ["trust", "commercial-console"] as const) {
    const { origin, hostname } = new URL(site.services.surfaces.get(surface)!.baseUrl);
    for (const deviation of [{ origin }, { rpId: hostname }]) {
      assertEquals(await host.enter(operator, SIGN_IN, SIGN_IN, deviation), REFUSED);
      assertEquals(await host.enter(holder, VERIFY, VERIFY, deviation), REFUSED);
    }
  }
});

Deno.test("the passkey of somebody who is no longer an operator signs in nobody, also on a host that serves both", async () => {
  await using host = await sharedHost();
  const operator = (await host.add(ADD)).authenticator;
  host.fixture.site.services.config.ops.l1.splice(0);
  assertEquals(await host.enter(operator, SIGN_IN), REFUSED);
  assertEquals(await host.enter(operator, VERIFY), REFUSED);
});

Deno.test("an operator with 20 passkeys cannot add another, nor finish adding one", async () => {
  await using host = await sharedHost();
  const { kv } = host.fixture.site.services;
  assertEquals((await host.add(ADD)).added, [201]);
  const pending = await new Authenticator(host.baseUrl).register(await host.options(ADD));
  const [account] = await Array.fromAsync(
    kv.list<object>({ prefix: ["operator_passkey_accounts"] }),
  );
  await kv.set(account.key, { ...account.value, passkeys: 20 });
  assertEquals(await host.end(ADD, pending), [409, "too_many_passkeys"]);
  assertEquals((await host.options(ADD)).error, "too_many_passkeys");
});
