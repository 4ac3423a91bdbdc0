/** Signing in to records with a mailed link, or with its code. */
import { z } from "zod";
import { type AskedRequest, signIns } from "../../auth/mod.ts";
import { sha256 } from "../../../platform/kv/hash.ts";
import { transact } from "../../../platform/kv/mod.ts";
import { emailSchema } from "../../../base/email.ts";
import { fail, type Failure } from "../../../base/result.ts";
import type { SurfaceName } from "../../../platform/surfaces/mod.ts";
import { createLinkCodes, type LinkAsker, type LinkCodeFailure } from "./link_codes.ts";
import {
  createLinkRequests,
  type LinkRequestsOptions,
  type RecordLinkRequest,
} from "./link_requests.ts";
import {
  findLink,
  isElsewhere,
  type LinkFailure,
  type LinksOptions,
  type LinkUse,
  readOpen,
  type SignInRequest,
} from "./mailed_link.ts";
import { startSession } from "../sessions/start.ts";
import type { RecordEntry } from "../record/store.ts";

/** The body of `POST /my-record/sign-in`. */
export const recordLinkSchema = z.object({ email: emailSchema() });

/** The body of `POST /my-record/sign-out`. */
export const signOutSchema = z.object({
  everywhere: z.literal("1").optional()
    .describe("Ends all sessions of the record instead of this one."),
});

/** A link that can still be used. */
export interface OpenLink {
  ok: true;
  records: RecordEntry[];
  /** True if it was opened in a different browser from the one that requested it. */
  elsewhere: boolean;
  /** True if an administrator sent it, to a new address. */
  recovery: boolean;
  /** The request that the holder signs in for; null for an ordinary sign-in. */
  request: SignInRequest | null;
}

/** A sign-in, with the `Set-Cookie` value of its session. */
export interface RecordSignIn {
  ok: true;
  cookie: string;
  /** The token of the request that the holder signed in for; null for an ordinary sign-in. */
  request: string | null;
  /** The record, if an administrator's link opened it again. */
  recovered: string | null;
}

/** A code typed into the tab that asked for a link, because the link was opened elsewhere. */
export interface LinkCodeUse extends LinkUse {
  /** The token of the request that the holder signs in for. */
  request: string;
  /** The code as the person typed it. */
  code: string;
}

export type SignInLinksOptions = LinkRequestsOptions & LinksOptions;

/** Sign-in to records with mailed links. */
export interface SignInLinks {
  /**
   * Mails a link to an address, if records with this confirmed address exist and the limits of
   * spec 4.3 allow it. If all of its records are unconfirmed, it gets new confirmation links, because
   * the earlier ones may have expired. All of this happens after the response, which is the same for
   * every address.
   */
  request(request: RecordLinkRequest): Promise<{ ok: true } | Failure>;
  /** Returns what became of a stored request; null if its mail was prepared, or it is not known. */
  asked(id: string): Promise<AskedRequest | null>;
  /** Mails the links of requests that a process has left behind. */
  resume(signal: AbortSignal): Promise<void>;
  /** Reads a link without changing anything, because mail scanners open links too. */
  read(
    token: string,
    opened: { surface: SurfaceName; browser: string | null },
  ): Promise<OpenLink | LinkFailure>;
  /**
   * Signs in with a link: marks it as used and starts the session, in one commit. A link that was
   * requested for an app's request works only in the browser that requested it.
   */
  use(token: string, use: LinkUse): Promise<RecordSignIn | LinkFailure>;
  /**
   * Uses a link for an app's request in a different browser from the one that requested it. It signs
   * nobody in, but returns a code to type into the original tab.
   */
  showCode(
    token: string,
    surface: SurfaceName,
  ): Promise<{ ok: true; code: string; request: SignInRequest } | LinkFailure>;
  /** Signs in with a code that a link has shown in another browser. */
  useCode(use: LinkCodeUse): Promise<RecordSignIn | LinkCodeFailure>;
}

export function createSignInLinks(options: SignInLinksOptions): SignInLinks {
  const { kv, clock, count } = options;
  const codes = createLinkCodes(options);
  const requests = createLinkRequests(options);
  return {
    asked: requests.asked,
    resume: requests.resume,
    async request(request) {
      const result = await requests.request(request);
      if (result.ok && request.request !== undefined) {
        await codes.reset(askerOf(request.browser, request.request.token));
      }
      return result;
    },

    async read(token, { surface, browser }) {
      const found = await findLink(options, token, surface, clock());
      if (!found.ok) return found;
      const { link } = found;
      const records = await readOpen(kv, link.choices);
      if (records.length === 0) return fail("not_found");
      const { recovery, request } = link;
      return { ok: true, records, elsewhere: isElsewhere(link, browser), recovery, request };
    },

    async use(token, use) {
      const result = await transact<RecordSignIn | LinkFailure>(async () => {
        const now = clock();
        const found = await findLink(options, token, use.surface, now);
        if (!found.ok) return { result: found };
        const { link } = found;
        if (link.request !== null && isElsewhere(link, use.browser)) {
          return { result: fail("not_found") };
        }
        const commit = kv.atomic();
        link.use(commit);
        const request = link.request?.token ?? null;
        const records = await readOpen(kv, link.choices);
        const context = { recovery: link.recovery, request };
        const signedIn = await signIn(options, commit, records, "link", use, context);
        if (signedIn === null) return { result: fail("not_found") };
        return { result: signedIn, commit };
      });
      if (result.ok) count?.(signIns, { who: "holder", method: "link" });
      return result;
    },

    showCode(token, surface) {
      type Shown = Awaited<ReturnType<SignInLinks["showCode"]>>;
      return transact<Shown>(async () => {
        const now = clock();
        const found = await findLink(options, token, surface, now);
        if (!found.ok) return { result: found };
        const { browser, request, choices, use } = found.link;
        if (browser === null || request === null) return { result: fail("not_found") };
        const commit = kv.atomic();
        use(commit);
        const asker = { browser, request: sha256(request.token) };
        const code = await codes.create(commit, asker, choices, now);
        return { result: { ok: true, code, request }, commit };
      });
    },

    async useCode({ request, code, ...use }) {
      if (use.browser === null) return codes.expired();
      const correct = await codes.check(askerOf(use.browser, request), code);
      if (!correct.ok) return correct;
      const result = await transact<RecordSignIn | LinkCodeFailure>(async () => {
        const commit = kv.atomic();
        if (!await correct.use(commit)) return { result: codes.expired() };
        const records = await readOpen(kv, correct.choices);
        const context = { recovery: false, request };
        const signedIn = await signIn(options, commit, records, "link_code", use, context);
        return signedIn === null ? { result: codes.expired() } : { result: signedIn, commit };
      });
      if (result.ok) count?.(signIns, { who: "holder", method: "link_code" });
      return result;
    },
  };
}

/** Starts the session of a sign-in in a commit. */
async function signIn(
  { kv, clock }: SignInLinksOptions,
  commit: Deno.AtomicOperation,
  records: RecordEntry[],
  method: "link" | "link_code",
  { surface, reader, previous }: LinkUse,
  { recovery, request }: { recovery: boolean; request: string | null },
): Promise<RecordSignIn | null> {
  const choices = records.map(({ hash }) => hash);
  const recent = method === "link";
  const session = { surface, choices, method, recent, previous, reader };
  const started = await startSession(kv, commit, session, clock());
  if (started === null) return null;
  return { ok: true, cookie: started.cookie, request, recovered: recovery ? choices[0] : null };
}

const askerOf = (browser: string, requestToken: string): LinkAsker => ({
  browser: sha256(browser),
  request: sha256(requestToken),
});
