import { z } from "zod";
import { sha256 } from "../../platform/kv/hash.ts";
import { createQueue, type SlidingWindow } from "../../platform/kv/mod.ts";
import { mailboxOf } from "../../base/email.ts";
import { emailSchema, type QueuedMail } from "../../platform/mail/mod.ts";
import type { Failure } from "../../base/result.ts";
import type { Surface, SurfaceKind } from "../../platform/surfaces/mod.ts";
import type { Devices } from "./device_cookie.ts";
import { type AddLinkMail, issueLink, linkOn } from "./links.ts";
import { LINK_WINDOW_MS, LINKS_PER_HOUR } from "./link_terms.ts";
import {
  createMailedLinks,
  type MailedLinkRequest,
  type MailedLinksOptions,
} from "./mailed_links.ts";
import { signInMail } from "./sign_in_mail.tsx";
import { aboutUser } from "./users.ts";

export interface LinkRequest extends MailedLinkRequest {
  /** Normalised. */
  email: string;
  /** The request's device cookies, see `deviceCookies`. */
  devices: string[];
  surface: Surface;
  /** The page that the person was going to. Dropped unless it is a same-site path. */
  next?: unknown;
}

export interface LinkRequestsOptions extends MailedLinksOptions {
  devices: Devices;
  permits: (email: string, surface: Surface) => boolean;
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
 * @param email normalised
 */
export const mailboxWindow = (email: string, kind: SurfaceKind): SlidingWindow => ({
  key: ["sign_in_limits", "address", kind, sha256(mailboxOf(email))],
  limit: LINKS_PER_HOUR,
  windowMs: LINK_WINDOW_MS,
});

/** Limits links for a browser that has signed in before, instead of the mailbox's limit. */
export const deviceWindow = (deviceId: string): SlidingWindow => ({
  key: ["sign_in_limits", "device", sha256(deviceId)],
  limit: LINKS_PER_HOUR,
  windowMs: LINK_WINDOW_MS,
});

/**
 * Creates the function behind `POST /api/auth/request`. Whether the address is known, may sign in
 * here or has links left is checked after the response, and a refused link is not mailed.
 */
export function createLinkRequests(
  options: LinkRequestsOptions,
): (request: LinkRequest) => Promise<{ ok: true } | Failure> {
  const { kv, clock, devices, mailer, permits } = options;
  const enqueue = createQueue(); // serialised, because every token increments the same id

  /** Issues a link with its mail. Returns no mail if the link was refused. */
  async function prepareMail({ email, surface, next, ...request }: LinkRequest) {
    if (!permits(email, surface)) return [];
    const device = await devices.find(request.devices, { email, surface: surface.name });
    const window = device === null ? mailboxWindow(email, surface.kind) : deviceWindow(device);
    const target = { email, surface: surface.name, next };
    const { product, sender } = surface.signIn ?? { product: surface.title, sender: "product" };
    let queued: QueuedMail[] = [];
    const addMail: AddLinkMail = async (commit, { token, user, expiresAt }) => {
      const mail = signInMail({ sender, product, link: linkOn(surface, token), to: email });
      const about = aboutUser(user.user_id);
      queued = [await mailer.add(commit, mail, { expiresAt, about, kind: "sign_in" })];
    };
    const issued = await enqueue(() => issueLink(kv, clock, target, window, addMail));
    return issued.ok ? queued : [];
  }

  return createMailedLinks(options, prepareMail);
}
