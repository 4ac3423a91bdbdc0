/** A site with authenticators, for tests of holders' passkeys. */
import { Authenticator, type Deviation } from "../lib/features/passkeys/testing/authenticator.ts";
import { type HolderPasskey, HOLDERS } from "../lib/features/passkeys/mod.ts";
import { type RecordFixture, recordFixture, type TestHolder } from "./record_site.ts";
import type { SiteOverrides } from "./site.ts";

export const REGISTER = "/api/auth/register-passkey";
export const VERIFY = "/api/auth/verify-passkey";
/** The cookie of a browser that asked for sign-in options. */
export const BROWSER = `record_browser=${"b".repeat(22)}`;

export interface PasskeyFixture extends RecordFixture {
  /** Returns an authenticator whose browser is on the trust surface. */
  authenticator(defaults?: Deviation): Authenticator;
  // deno-lint-ignore no-explicit-any
  options(path: string, cookie: string): Promise<any>;
  /** Asks for options and sends the authenticator's response. */
  add(holder: TestHolder, authenticator: Authenticator, deviation?: Deviation): Promise<Response>;
  /** Asks for options and sends the authenticator's response. */
  enter(authenticator: Authenticator, deviation?: Deviation): Promise<Response>;
  passkeys(hash: string): Promise<HolderPasskey[]>;
  /** Returns what is in a record's access log about passkeys and sign-ins, oldest first. */
  accesses(hash: string): Promise<string[]>;
}

/**
 * Creates a site for testing passkeys.
 *
 * @example
 * ```ts
 * await using fixture = await passkeyFixture();
 * const holder = await fixture.holder();
 * const authenticator = fixture.authenticator();
 * await fixture.add(holder, authenticator);
 * const response = await fixture.enter(authenticator);
 * ```
 */
export async function passkeyFixture(
  env: Record<string, string> = {},
  overrides: SiteOverrides = {},
): Promise<PasskeyFixture> {
  const fixture = await recordFixture(env, overrides);
  const { services } = fixture.site;
  async function options(path: string, cookie: string) {
    const response = await fixture.fetch(path, { cookie, json: {} });
    if (!response.ok) throw new Error(await response.text());
    return await response.json();
  }
  return {
    ...fixture,
    options,
    authenticator: (defaults) =>
      new Authenticator(services.surfaces.get("trust")!.baseUrl, defaults),
    async add({ cookie }, authenticator, deviation) {
      const response = await authenticator.register(await options(REGISTER, cookie), deviation);
      return await fixture.fetch(REGISTER, { cookie, json: { response } });
    },
    async enter(authenticator, deviation) {
      const response = await authenticator.signIn(await options(VERIFY, BROWSER), deviation);
      return await fixture.fetch(VERIFY, { cookie: BROWSER, json: { response } });
    },
    passkeys: (hash) => HOLDERS.list(services.kv, { contact_hash: hash }),
    async accesses(hash) {
      const found: string[] = [];
      for await (
        const { value } of services.kv.list<{ what: string }>({ prefix: ["access_log", hash] })
      ) {
        if (/passkey|signed_in/.test(value.what)) found.push(value.what);
      }
      return found;
    },
  };
}
