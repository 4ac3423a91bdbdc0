import { type Auth, createAuth, type LinkRequest, sessionCookie } from "../mod.ts";

/** Sign-in on a clock that stands still until the test moves it. */
export interface Stage {
  auth: Auth;
  clock: { now: number };
  /** A token for an address, asked for on the site unless said otherwise. */
  token(email: string, on?: Partial<LinkRequest>): Promise<string>;
}

/** Puts sign-in on a store. The clock begins at the present, for the store has its own. */
export function stageOf(kv: Deno.Kv, clientLimit = 0): Stage {
  const clock = { now: Date.now() };
  const auth = createAuth({ kv, clock: () => clock.now, clientLimit });
  return {
    auth,
    clock,
    async token(email, on) {
      const request = { email, clientAddress: "192.0.2.1", surface: "site", ...on } as const;
      const asked = await auth.requestLink(request);
      if (!asked.ok) throw new Error(`${email}: ${asked.error}`);
      return asked.token;
    },
  };
}

/** A request with the cookie that a browser sends after `sessionCookie`. */
export const requestOf = (sessionId: string): Request =>
  new Request("http://site.localhost/account", {
    headers: { cookie: sessionCookie(sessionId).split(";")[0] },
  });
