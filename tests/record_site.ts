/** A site with records and signed-in holders, the basis of most tests about records. */
import type { Services } from "../lib/app/services.ts";
import {
  changeRecord,
  readRecord,
  type SignInMethod,
  startSession,
} from "../lib/features/records/mod.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import {
  type ContactFixture,
  contactFixture,
  type FixtureOverrides,
  PERSON,
} from "./contact_site.ts";

/** A record with a confirmed address whose holder is signed in. */
export interface TestHolder {
  hash: string;
  /** The `Cookie` header of a browser that is signed in. */
  cookie: string;
}

/** A contact fixture with records and their holders. */
export interface RecordFixture extends ContactFixture {
  /** Registers a person with the contact form and returns the record's hash. */
  register(person?: Record<string, unknown>): Promise<string>;
  /** Registers a person, confirms the address and signs in with a link. */
  holder(person?: Record<string, unknown>): Promise<TestHolder>;
  /** Starts another session for records, and returns its `Cookie` header. */
  signIn(
    hashes: string[],
    options?: { method?: SignInMethod; recent?: boolean; on?: SurfaceName },
  ): Promise<string>;
  /** Sends a request to the trust surface, from the page's own origin. */
  fetch(
    path: string,
    options?: {
      cookie?: string;
      form?: Record<string, string>;
      json?: unknown;
      method?: string;
      headers?: Record<string, string>;
      /** The client's IP address. */
      from?: string;
    },
  ): Promise<Response>;
}

/**
 * Creates a site for testing records.
 *
 * @example
 * ```ts
 * await using fixture = await recordFixture();
 * const { hash, cookie } = await fixture.holder();
 * const response = await fixture.fetch("/my-record", { cookie });
 * ```
 */
export async function recordFixture(
  env: Record<string, string> = {},
  overrides: FixtureOverrides = {},
): Promise<RecordFixture> {
  const fixture = await contactFixture(env, overrides);
  const { site, clock } = fixture;
  const { services } = site;

  let holders = 0;
  /** Each one but the first has a mailbox of their own, because a mailbox gets only a few links. */
  const newPerson = () => {
    const email = ++holders === 1 ? PERSON.email : `ada.q${holders}@mail.example.org`;
    return { ...PERSON, email };
  };

  async function register(person: Record<string, unknown> = PERSON): Promise<string> {
    const response = await fixture.send(person);
    if (response.status !== 201) throw new Error(await response.text());
    return (await response.json()).hash;
  }

  async function signIn(
    hashes: string[],
    { method = "link", recent = true, on = "trust" }: {
      method?: SignInMethod;
      recent?: boolean;
      on?: SurfaceName;
    } = {},
  ): Promise<string> {
    const commit = services.kv.atomic();
    const reader = { network: "203.0.113.0/24", browser: "Firefox on Linux" };
    const session = { surface: on, choices: hashes, method, recent, previous: null, reader };
    const started = await startSession(services.kv, commit, session, clock.now);
    if (started === null || !(await commit.commit()).ok) throw new Error("Not signed in.");
    return started.cookie.split(";")[0];
  }

  return {
    ...fixture,
    register,
    signIn,
    async holder(person = newPerson()) {
      const [before] = await fixture.mails();
      const hash = await register(person);
      const [{ link }] = await fixture.mails();
      if (link === before?.link) throw new Error("The mailbox has had too many links.");
      const token = new URL(link!).searchParams.get("token")!;
      await confirmEmail(services, token);
      return { hash, cookie: await signIn([hash]) };
    },
    fetch(path, { cookie, form, json, method, headers, from = "203.0.113.7" } = {}) {
      const url = services.surfaces.url("trust", path)!;
      const body = form !== undefined
        ? new URLSearchParams(form)
        : json !== undefined
        ? JSON.stringify(json)
        : undefined;
      const init = {
        method: method ?? (body === undefined ? "GET" : "POST"),
        body,
        headers: {
          host: new URL(url).host,
          ...body === undefined ? {} : { origin: new URL(url).origin },
          ...json === undefined ? {} : { "content-type": "application/json" },
          ...cookie === undefined ? {} : { cookie },
          ...headers,
        },
      };
      const remoteAddr = { transport: "tcp", hostname: from, port: 4711 } as const;
      return site.handler(new Request(url, init), { remoteAddr, completed: Promise.resolve() });
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

/** Confirms the address of a record with the token of its link, without a session. */
export const confirmEmail = ({ contact, kv }: Services, token: string) =>
  contact.confirm(token, async (commit, { hash }, now) => {
    changeRecord(commit, (await readRecord(kv, hash))!, { change: "email_confirmed" }, now);
  });
