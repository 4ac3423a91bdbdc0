/** A site for tests of access to documents: asking for it, deciding, and the mailed links. */
import { HOLD_MS } from "../lib/features/documents/mod.ts";
import { bodyOf, newDocument } from "../lib/features/documents/testing/fixture.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import type { FixtureOverrides } from "./contact_site.ts";
import { type RecordFixture, recordFixture, type TestHolder } from "./record_site.ts";

/** The person who asks for access. Every value is distinct from everything else in a store. */
export const STRANGER = {
  name: "Sibylla Stranger",
  email: "sibylla@mail.example.com",
  reason: "A quotation for\nthe vestibule.",
};

type Console = Extract<SurfaceName, "commercial-console" | "foundation-console">;

/** A site with a record, its holder and one document, which only its holder may read. */
export interface AccessFixture extends RecordFixture {
  owner: TestHolder;
  /** The id of the document. */
  document: string;
  /** Asks for access as somebody does with the form. */
  ask(
    person?: Partial<typeof STRANGER>,
    options?: { document?: string; from?: string },
  ): Promise<Response>;
  /** Returns the tokens or codes of the links that were mailed to an address, newest first. */
  tokens(path: "/d/request" | "/s", to?: string): Promise<string[]>;
  /** Asks for access and confirms the address. Returns the id of the request. */
  open(person?: Partial<typeof STRANGER>): Promise<string>;
  /** Decides as the holder does. */
  decide(form: Record<string, string>, cookie?: string): Promise<Response>;
  /** Waits until the mails about decisions are sent. */
  sendHeld(): Promise<void>;
  /** Opens, confirms and approves a request. Returns its id and the code of the link to the document. */
  approve(person?: Partial<typeof STRANGER>): Promise<{ id: string; token: string }>;
  /** Opens the document with the code of a link. Returns the browser's cookie. */
  use(token: string, cookie?: string): Promise<string>;
  /** Sends a request to a console as an administrator. */
  console(
    path: string,
    options?: { on?: Console; form?: Record<string, string>; as?: string },
  ): Promise<Response>;
}

/**
 * Creates a site for testing access requests.
 *
 * @param env by default, there is no limit per client
 */
export async function accessFixture(
  env: Record<string, string> = {},
  overrides: FixtureOverrides = {},
): Promise<AccessFixture> {
  const fixture = await recordFixture({ SIGN_IN_CLIENT_LIMIT: "0", ...env }, overrides);
  const { services } = fixture.site;
  const owner = await fixture.holder();
  const added = await services.documents.add(newDocument(owner.hash), bodyOf("The certificate."));
  const { document: { id: document } } = unwrap(added);
  fixture.clock.now += 1;
  const sessions = new Map<string, string>();

  const ask: AccessFixture["ask"] = async (person = {}, options = {}) => {
    const response = await fixture.fetch(`/d/${options.document ?? document}/request`, {
      form: { ...STRANGER, ...person },
      from: options.from,
    });
    await services.mailer.flush(); // the request is stored after the response
    return response;
  };

  const tokens: AccessFixture["tokens"] = async (path, to = STRANGER.email) =>
    (await fixture.mails())
      .filter((mail) => mail.to === to && mail.link !== undefined)
      .map(({ link }) => new URL(link!))
      .filter(({ pathname }) => pathname === path)
      .map(({ searchParams, hash }) => searchParams.get("token") ?? hash.slice(1));

  async function open(person: Partial<typeof STRANGER> = {}): Promise<string> {
    fixture.clock.now += 1; // so that lists have an order
    await (await ask(person)).body?.cancel();
    const [token] = await tokens("/d/request", person.email);
    const confirmed = await fixture.fetch("/d/request", { form: { token } });
    if (confirmed.status !== 200) throw new Error(await confirmed.text());
    await confirmed.body?.cancel();
    const requests = await services.access.list(owner.hash);
    return requests.find((each) => each.person.email === (person.email ?? STRANGER.email))!.id;
  }

  function decide(form: Record<string, string>, cookie = owner.cookie): Promise<Response> {
    fixture.clock.now += 1;
    return fixture.fetch("/my-record/requests", { cookie, form });
  }

  async function sendHeld(): Promise<void> {
    fixture.clock.now += HOLD_MS;
    await services.mailer.drain();
  }

  return {
    ...fixture,
    owner,
    document,
    ask,
    tokens,
    open,
    decide,
    sendHeld,
    async approve(person = {}) {
      const id = await open(person);
      await (await decide({ act: "approve", id })).body?.cancel();
      await sendHeld();
      const [token] = await tokens("/s", person.email);
      return { id, token };
    },
    async use(token, cookie) {
      fixture.clock.now += 1;
      const response = await fixture.fetch("/s", { form: { act: "open", code: token }, cookie });
      if (response.status !== 303) throw new Error(await response.text());
      return response.headers.get("set-cookie")!.split(";")[0];
    },
    async console(path, { on = "commercial-console", form, as = "admin@example.org" } = {}) {
      if (!sessions.has(as + on)) {
        const { token } = await services.auth.issueLink({ email: as, surface: on });
        sessions.set(as + on, (await services.auth.verify(token, on))!.sessionId);
      }
      fixture.clock.now += 1;
      const { origin } = new URL(services.surfaces.url(on, "/")!);
      return await fixture.site.request(on, path, {
        method: form === undefined ? "GET" : "POST",
        body: form && new URLSearchParams(form),
        headers: {
          cookie: `app_session=${sessions.get(as + on)}`,
          accept: "text/html",
          ...form && { origin },
        },
      });
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}
