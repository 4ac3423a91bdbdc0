/** Sets up sign-in on a store for tests, with helpers to request links and to sign in. */
import { parseConfig } from "../../../app/config.ts";
import { createDevOutbox, createMailer, type DevOutbox } from "../../../platform/mail/mod.ts";
import { createSecrets } from "../../../platform/secrets.ts";
import {
  createSurfaces,
  type Surface,
  type SurfaceKind,
  type SurfaceName,
} from "../../../platform/surfaces/mod.ts";
import { createLinkIds, issueLink, type LinkTarget } from "../links.ts";
import { type Auth, type AuthOptions, createAuth, type Identity, sessionCookie } from "../mod.ts";
import { type LinkRequest, mailboxWindow } from "../link_requests.ts";
import { authTables } from "../tables.ts";

/** Sign-in with a clock that the test controls. */
interface AuthFixture {
  auth: Auth;
  /** Starts at the current time, because the store has its own clock. */
  clock: { now: number };
  site: Surface;
  outbox: DevOutbox;
  /** Issues a token without a limit, on the site by default. */
  token(email: string, target?: Partial<LinkTarget>): Promise<string>;
  /** Issues a link, subject to the mailbox's limit. Returns `sent`, or the seconds to wait. */
  issue(email: string, kind?: SurfaceKind): Promise<string | number | undefined>;
  signIn(email: string, surface?: SurfaceName): Promise<string>;
  session(sessionId: string, surface?: SurfaceName): Promise<Identity | null>;
  /** Waits until every requested link has been mailed or refused. */
  flush(): Promise<void>;
  /** Requests a link and waits until it has been mailed or refused. */
  request(email: string, request?: Partial<LinkRequest>): ReturnType<Auth["requestLink"]>;
}

const surfaces = () => createSurfaces(parseConfig({}));

/** Creates sign-in on a store. By default, everyone may sign in on every surface. */
export function createFixture(kv: Deno.Kv, options: Partial<AuthOptions> = {}): AuthFixture {
  const clock = { now: Date.now() };
  const outbox = createDevOutbox({ print: () => {}, clock: () => clock.now });
  const log = options.log ?? (() => {});
  const secrets = createSecrets({ kv, given: [new Uint8Array(32)] });
  const mailer = createMailer({
    kv,
    clock: () => clock.now,
    secrets,
    transport: outbox,
    senders: {
      product: "product@example.org",
      foundation: "foundation@example.org",
      commercial: "commercial@example.org",
    },
    log,
    onFailure: () => {},
  });
  const site = surfaces().get("site")!;
  const store = { kv, clock: () => clock.now, ids: createLinkIds(kv) };
  const auth = createAuth({
    kv,
    clock: () => clock.now,
    clientLimit: 0,
    secrets,
    mailer,
    tables: authTables,
    surfaceOf: () => site,
    permits: () => Promise.resolve(true),
    organisations: {
      foundation: { name: "Open Records Foundation", contactEmail: "foundation@example.org" },
      commercial: { name: "Attest Systems", contactEmail: "commercial@example.org" },
    },
    log,
    ...options,
  });
  return {
    auth,
    clock,
    site,
    outbox,
    async token(email, target) {
      return (await auth.issueLink({ email, surface: "site", ...target })).token;
    },
    async issue(email, kind = "site") {
      const target = { email, surface: "site" } as const;
      const issued = await issueLink(
        store,
        target,
        await mailboxWindow(secrets, email, kind),
      );
      return issued.ok ? "sent" : issued.retryAfterSeconds;
    },
    async signIn(email, surface = "site") {
      const { token } = await auth.issueLink({ email, surface });
      return (await auth.verify(token, surface))!.sessionId;
    },
    flush: mailer.flush,
    session: (sessionId, surface = "site") => auth.getSession(requestOf(sessionId), surface),
    async request(email, request) {
      const result = await auth.requestLink({
        email,
        clientAddress: "192.0.2.1",
        surface: site,
        responded: Promise.resolve(),
        ...request,
      });
      await mailer.flush();
      return result;
    },
  };
}

/** Creates a request with a session cookie, as a browser would send it. */
export const requestOf = (sessionId: string): Request =>
  new Request("http://site.localhost/account", {
    headers: { cookie: sessionCookie(sessionId).split(";")[0] },
  });
