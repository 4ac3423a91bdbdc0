/** Requests for a sign-in link: limits per mailbox, and the mail that is prepared after the response. */
import { z } from "zod";
import type { SlidingWindow } from "../../platform/kv/mod.ts";
import { mailboxOf } from "../../base/email.ts";
import {
  emailSchema,
  type MailOrganisation,
  type QueuedMail,
  senderOf,
} from "../../platform/mail/mod.ts";
import type { Secrets } from "../../base/secrets.ts";
import type {
  OrganisationKey,
  Surface,
  SurfaceKind,
  SurfaceName,
} from "../../platform/surfaces/mod.ts";
import { type AddLinkMail, issueLink, linkOn, type LinkStore } from "./links.ts";
import { mailboxLinks } from "./link_limits.ts";
import {
  createMailedLinks,
  type MailedLinkRequest,
  type MailedLinks,
  type MailedLinksOptions,
  RESTORED,
} from "./mailed_links.ts";
import { safeNext } from "./redirects.ts";
import { signInMail } from "./sign_in_mail.ts";
import { createStoredRequests, type StoredRequest } from "./stored_requests.ts";
import { aboutUser } from "./users.ts";

export interface LinkRequest extends MailedLinkRequest {
  /** The normalised address. */
  email: string;
  surface: Surface;
  /** The page that the person was going to. Dropped unless it is a same-site path. */
  next?: unknown;
}

export interface LinkRequestsOptions extends MailedLinksOptions {
  store: LinkStore;
  secrets: Secrets;
  /** Returns a surface that this deployment serves. */
  surfaceOf: (name: SurfaceName) => Surface | undefined;
  permits: (email: string, surface: Surface) => Promise<boolean>;
  organisations: Record<OrganisationKey, MailOrganisation>;
}

/** The body of `POST /api/auth/request`. */
export const linkRequestSchema = z.object({
  email: emailSchema(),
  next: z.string().nullish().catch(null),
});

/**
 * Limits links for one mailbox on one kind of surface. Each kind has its own count, so that
 * requests on the public site do not use up an administrator's links on the console.
 *
 * The key is an HMAC. After an upgrade from builds whose key was a SHA-256, a mailbox starts again, and
 * the old count expires after an hour.
 *
 * @param email normalised
 */
export const mailboxWindow = (
  secrets: Secrets,
  email: string,
  kind: SurfaceKind,
): Promise<SlidingWindow> =>
  mailboxLinks.signed({ secrets, purpose: "sign-in-limit" }, mailboxOf(email), [kind]);

interface SavedRequest {
  email: string;
  surface: SurfaceName;
  next: string | null;
}

/**
 * Creates the service behind `POST /api/auth/request`. It checks after the response whether the address
 * is known, may sign in here and has links left, and does not mail a refused link.
 */
export function createLinkRequests(
  options: LinkRequestsOptions,
): MailedLinks<LinkRequest> {
  const { store, mailer, permits, secrets, surfaceOf } = options;

  /** Issues a link with its mail. Returns no mail if the link was refused. */
  async function prepareMail(
    { email, surface, next }: LinkRequest,
    stored: StoredRequest,
  ) {
    if (!await permits(email, surface)) return [];
    const window = await mailboxWindow(secrets, email, surface.kind);
    const target = { email, surface: surface.name, next };
    const { product, sender } = surface.signIn ?? { product: surface.title, sender: "product" };
    let queued: QueuedMail[] = [];
    const addMail: AddLinkMail = async (commit, { token, user, expiresAt }) => {
      if (!await stored.take(commit)) return false;
      const mail = signInMail({
        sender: senderOf(options.organisations, sender, product),
        link: linkOn(surface, token),
        to: email,
      });
      const about = aboutUser(user.user_id);
      queued = [await mailer.add(commit, mail, { expiresAt, about, kind: "sign_in" })];
      return true;
    };
    const issued = await issueLink(store, target, window, addMail);
    return issued.ok ? queued : [];
  }

  return createMailedLinks<LinkRequest, SavedRequest>(options, prepareMail, {
    requests: createStoredRequests(options, "user"),
    save: ({ email, surface, next }) => ({
      email,
      surface: surface.name,
      next: safeNext(next),
    }),
    restore({ surface: name, ...saved }) {
      const surface = surfaceOf(name);
      return surface === undefined ? null : { ...saved, surface, ...RESTORED };
    },
  });
}
