/** A site for tests of issuers' API keys, with forms and requests for keys. */
import type { KeyMode, NewKey } from "../lib/features/issuers/mod.ts";
import { stopPath } from "../lib/features/issuers/revocation_link.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { createSite, type Site, type SiteOverrides } from "./site.ts";

export const ISSUER_PATH = "/api/documents/issuer";
export const BY = "admin@example.org";

/** A site with an issuer that has API keys. */
export type KeyFixture = Awaited<ReturnType<typeof keyFixture>>;

export async function keyFixture(
  env: Record<string, string> = {},
  overrides: SiteOverrides = {},
) {
  const clock = { now: Date.parse("2026-03-01T10:00:00Z") };
  const site = await createSite(env, { clock: () => clock.now, ...overrides });
  return {
    clock,
    ...await addIssuer(site),
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
}

/**
 * Adds an issuer with a contact, and returns the path of the link that stops everything of it.
 */
export async function stopLinkOf({ issuers, secrets }: Site["services"], name: string) {
  const { issuer: { id } } = unwrap(
    await issuers.add({ organisation: "commercial", name, by: BY }),
  );
  const contact = "registry@harbour.example";
  const change = { organisation: "commercial", id, by: BY } as const;
  return await stopPath(secrets, unwrap(await issuers.setContact({ ...change, contact })).issuer);
}

let ids = 0;

/** Returns the form of a new key, with an id of its own. */
export const keyForm = (changes: Partial<NewKey> = {}): NewKey => ({
  id: (++ids).toString(16).padStart(16, "0"),
  name: "Student records",
  mode: "live",
  scopes: ["documents:read", "documents:write"],
  lifetime_days: null,
  ...changes,
});

/** Adds an issuer to a site, and returns how it uses the API. */
export async function addIssuer(site: Site, name = "Harbour College") {
  const { issuers, issuerKeys } = site.services;
  const added = await issuers.add({ organisation: "commercial", name, by: BY });
  if (!added.ok) throw new Error(added.message ?? added.error);
  const { issuer } = added;
  /** Sends a request with a key, from an address. */
  const call = (
    key: string | null,
    { path = ISSUER_PATH, from = "203.0.113.7", on = site, ...init }: RequestInit & {
      path?: string;
      from?: string;
      on?: Site;
    } = {},
  ): Promise<Response> => {
    const url = on.services.surfaces.url("api", path)!;
    const headers = new Headers(init.headers);
    headers.set("host", new URL(url).host);
    if (key !== null) headers.set("authorization", `Bearer ${key}`);
    return on.handler(new Request(url, { ...init, headers }), {
      remoteAddr: { transport: "tcp", hostname: from, port: 1 },
      completed: Promise.resolve(),
    });
  };
  return {
    site,
    issuer,
    call,
    /** Returns the status and the code of the error of a request with a key. */
    async outcome(...request: Parameters<typeof call>): Promise<[number, string | undefined]> {
      const response = await call(...request);
      return [response.status, (await response.json()).error];
    },
    /** Creates a key. */
    async create(changes: Partial<NewKey> = {}) {
      const created = await issuerKeys.create({ issuer: issuer.id, by: BY, ...keyForm(changes) });
      if (!created.ok) throw new Error(created.message ?? created.error);
      return created;
    },
    /** Creates a key of a mode, with all scopes, and returns its text. */
    async key(mode: KeyMode = "live"): Promise<string> {
      return (await this.create({
        mode,
        scopes: ["documents:read", "documents:write", "webhooks:write"],
      })).key;
    },
    /** Changes the state of the issuer in the store. */
    async setState(state: "active" | "suspended" | "ended"): Promise<void> {
      const { kv } = site.services;
      const key = ["issuers", issuer.organisation, issuer.id];
      await kv.set(key, { ...(await kv.get<object>(key)).value, state });
    },
  };
}
