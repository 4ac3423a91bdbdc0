/** Sites and senders for tests in which an authority ends while a request is running. */
import { operators } from "../lib/features/operators/mod.ts";
import { openKv, rulesOf } from "../lib/platform/kv/mod.ts";
import { writtenKv } from "../lib/platform/kv/testing/written_kv.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { addIssuer, BY } from "./key_site.ts";
import { documentBody, documentIn, RECIPIENT } from "./issuer_api_site.ts";
import { connectPush, postForm, registerClient } from "./oauth_site.ts";
import { type Halved, park } from "./parked_request.ts";
import { CONSOLES, PEOPLE, separationSite } from "./separation_site.ts";
import { createSite } from "./site.ts";

/** Somebody with an authority: what requests carry, and the ways in which it ends, on another site. */
export interface Sender {
  surface: Halved["surface"];
  cookie?: string;
  headers?: Record<string, string>;
  /** The record of a holder. */
  hash?: string;
  /** The text of an API key. */
  key?: string;
  ends: Record<string, () => Promise<unknown>>;
}

const READER = { network: "192.0.2.0/24", browser: "Firefox on Linux" };
const DEPUTY = { organisation: "commercial", email: "deputy@example.org" } as const;

/** Creates two sites on one store, and people and programs that use the first one. */
export async function authoritySite(
  options: Parameters<typeof separationSite>[1] = {},
) {
  const { kv, changedBy } = writtenKv(options.kv ?? await openKv(":memory:"));
  const world = await separationSite({}, { ...options, kv });
  const { site, clock } = world;
  const { services } = site;
  const other = await createSite({
    OPS_L1_EMAILS: PEOPLE.L1,
    OPS_L2_EMAILS: PEOPLE.L2,
  }, { kv: withoutClose(kv), clock: () => clock.now });
  const elsewhere = other.services;
  // Whatever continues after the response has to act as the site.
  const late: string[] = [];
  rulesOf(services.kv).onLate = () => void late.push(new Error().stack!);
  const ids = await world.fill("commercial", "tamarind");
  const api = await addIssuer(site);
  const surface = CONSOLES.commercial;

  async function session(email: string, on: "site" | typeof surface) {
    const { token } = await services.auth.issueLink({ email, surface: on });
    const { sessionId } = (await services.auth.verify(token, on))!;
    return {
      cookie: `app_session=${sessionId}`,
      user_id: (await services.auth.findUserId(email))!,
    };
  }

  const layer = async (layer: "L1" | "L2" | null) => {
    const key = operators.key(DEPUTY.organisation, DEPUTY.email);
    if (layer === null) return await elsewhere.kv.delete(key);
    const at = new Date(clock.now).toISOString();
    const row = { sessions_from: at, added_at: at, invited_by: PEOPLE.L1 };
    await elsewhere.kv.set(key, { email: DEPUTY.email, layer, ...row });
  };

  const senders = {
    /** A full administrator who was added in the console. */
    async operator(): Promise<Sender & { user_id: number }> {
      await layer("L1");
      const { cookie, user_id } = await session(DEPUTY.email, surface);
      const ends = {
        "signed out on another device": () => elsewhere.auth.endSessions({ user_id, surface }),
        "its layer was lowered": () => layer("L2"),
        "the operator was removed": () => layer(null),
      };
      return { surface, cookie, ends, user_id };
    },
    /** A person who is signed in to the site of qualifications. */
    async user(): Promise<Sender> {
      const { cookie, user_id } = await session("user@example.org", "site");
      const ended = { user_id, surface: "site" } as const;
      return {
        surface: "site",
        cookie,
        ends: { "signed out": () => elsewhere.auth.endSessions(ended) },
      };
    },
    /** A holder, with a new record. */
    async holder(): Promise<Sender & { hash: string }> {
      const hash = await world.register({ ...PERSON, email: `${crypto.randomUUID()}@example.org` });
      const cookie = await world.signIn([hash]);
      return {
        surface: "trust",
        cookie,
        hash,
        ends: {
          "signed out everywhere": () => elsewhere.records.signOutEverywhere(hash, READER),
          "signed out in this browser": () =>
            elsewhere.records.signOut(new Request("https://x", { headers: { cookie } })),
          "the record was closed": async () =>
            unwrap(await elsewhere.records.deletion.request(hash, READER)),
          "the record was erased": () => elsewhere.records.deletion.deleteRecord(hash),
        },
      };
    },
    /** An issuer's API key, with all scopes. */
    async key(mode: "live" | "test" = "live"): Promise<Sender> {
      await api.setState("active");
      const issuer = api.issuer.id;
      for (const { id, revoked_at } of await services.issuerKeys.list(issuer)) {
        if (revoked_at === null) await services.issuerKeys.revoke({ issuer, by: BY, key: id });
      }
      const { key, row } = await api.create({
        mode,
        scopes: ["documents:read", "documents:write", "webhooks:write"],
      });
      const change = { issuer: api.issuer.id, by: BY, key: row.id };
      return {
        surface: "api",
        key,
        headers: { authorization: `Bearer ${key}` },
        ends: {
          "the key was revoked": async () => unwrap(await elsewhere.issuerKeys.revoke(change)),
          "the key was replaced": async () =>
            unwrap(await elsewhere.issuerKeys.rotate({ ...change, overlap_hours: 0 })),
          "its issuer was suspended": () => api.setState("suspended"),
          "its issuer has ended": () => api.setState("ended"),
        },
      };
    },
    /** An app with a token for the notifications of a holder. */
    async app(): Promise<Sender> {
      const { hash } = await senders.holder();
      const { access_token } = await connectPush(site, await registerClient(site), hash);
      return {
        surface: "trust",
        headers: { authorization: `Bearer ${access_token}` },
        ends: {
          "the app was disconnected": () => elsewhere.oauth.agents.disconnectAll(hash, READER),
          "the token was revoked": () => postForm(other, "/revoke", { token: access_token }),
        },
      };
    },
  };

  return {
    ...world,
    elsewhere,
    ids,
    api,
    senders,
    /** The stacks of writes in the names of requests that had their responses. */
    late,
    /** Issues a document with a key to a new recipient, and returns its id. */
    async issue(key: string): Promise<string> {
      const email = `${crypto.randomUUID()}@example.org`;
      const body = documentBody({ recipient: { ...RECIPIENT, email }, file: btoa(email) });
      const { id } = await documentIn(api.call(key, {
        path: "/api/documents",
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      }));
      return id;
    },
    /** Returns the keys of the rows that an action changes, on either site. */
    changedBy,
    /** Resolves when nothing is being sent in the background. */
    async settled(): Promise<void> {
      await services.mailer.flush();
      await services.push.flush();
      await services.webhooks.flush();
      await services.issuerKeys.settled();
    },
    park: (path: string, sender: Sender, request: Pick<Halved, "body" | "method">) =>
      park(world, path, {
        ...request,
        surface: sender.surface,
        cookie: sender.cookie,
        headers: sender.headers,
      }),
    async [Symbol.asyncDispose]() {
      await other[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

export type AuthoritySite = Awaited<ReturnType<typeof authoritySite>>;

const PERSON = {
  name: "Ada Lovelace",
  organisation: "Analytical Engines",
  enquiry_type: "Investor",
  message: "A message.",
  elapsed_ms: 8_000,
};

/** Returns a store that another site closes. */
const withoutClose = (kv: Deno.Kv): Deno.Kv =>
  new Proxy(kv, {
    get(target, name) {
      if (name === "close" || name === Symbol.dispose) return () => {};
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
