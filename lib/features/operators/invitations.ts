/** Invitations to a console: sending, withdrawing and accepting them. */
import { z } from "zod";
import { emailSchema } from "../../base/email.ts";
import { fail, type Failure, rateLimited } from "../../base/result.ts";
import { formatWait, HOUR_MS } from "../../base/time.ts";
import { forgetDeliveries } from "../../platform/jobs/mod.ts";
import {
  asSite,
  defineLimit,
  isLive,
  isoAfter,
  newToken,
  readSlot,
  storedHash,
} from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { addAudit } from "../audit/mod.ts";
import { changeAsAdministrator, changeTeam } from "./change.ts";
import { type Actor, type JoiningSession, signOut, type TeamDeps } from "./deps.ts";
import { type Layer, LAYERS } from "./layers.ts";
import { addInvitationMail, addNotices } from "./mails.ts";
import {
  type Invitation,
  INVITATION_LIFETIME_MS,
  invitations,
  operators as storedOperators,
} from "./tables.ts";

/** The invitations that one administrator may send in an hour, those sent again included. */
export const INVITATIONS_PER_HOUR = 10;
/** The operators and pending invitations that a console may have. */
export const MOST_OPERATORS = 100;

export const invitationLimits = defineLimit({
  name: "operator_invitations",
  limit: INVITATIONS_PER_HOUR,
  windowMs: HOUR_MS,
  per: "administrator who invites people to a console",
  privacy: { section: "consoles", label: "Invitations" },
});

/** The form that invites somebody to a console. */
export const invitationSchema = z.object({
  email: emailSchema({ missing: "Enter an email address." }),
  layer: z.enum(LAYERS, "Choose a layer."),
});

/** The outbox label of the mails of an invitation. */
const aboutInvitation = ({ token }: Pick<Invitation, "token">) => `invitation/${token}`;

/** Completes a change that is committed, even if its author loses their authority now. */
const forgetMails = (kv: Deno.Kv, about: string) => asSite(() => forgetDeliveries(kv, about));

/**
 * Invites an address to a console, or sends its pending invitation again. The link of the earlier mail
 * no longer works then. All full administrators hear of the invitation of another one, so that they can withdraw
 * it before it is accepted.
 */
export async function invite(
  deps: TeamDeps,
  { organisation, by }: Actor,
  { email, layer }: { email: string; layer: Layer },
): Promise<{ ok: true } | Failure> {
  const { kv, secrets, operators } = deps;
  const window = await invitationLimits.signed(
    { secrets, purpose: "invitation-limit" },
    by,
    [organisation],
  );
  let replaced: Invitation | null = null;
  const invited = await changeAsAdministrator(deps, { organisation, by }, async (commit, now) => {
    if (await operators.layerOf(email, organisation) !== null) return { result: IS_OPERATOR };
    const slot = await readSlot(kv, window, now);
    if (slot.waitMs > 0) return { result: tooMany(slot.waitMs) };
    const pending = await invitations.get(kv, organisation, email);
    if (pending.value === null && await isFull(deps, organisation)) return { result: FULL };
    replaced = pending.value;
    const { token, hash } = newToken();
    const row: Invitation = {
      ...{ email, layer, token: hash, invited_by: by },
      sent_at: isoAfter(now, 0),
      expires_at: isoAfter(now, INVITATION_LIFETIME_MS),
    };
    slot.take(commit);
    if (replaced !== null) invitations.deleteAt(commit, [organisation, email], replaced);
    invitations.put(commit, [organisation, email], row, now);
    const action = replaced === null ? "operator_invited" : "invitation_sent_again";
    const entry = { organisation, by, action, object: { operator: email }, detail: layer } as const;
    addAudit(commit, entry, now);
    const about = { about: aboutInvitation(row), now };
    const mail = { organisation, to: email, layer, by, token };
    const mails = [await addInvitationMail(deps, commit, mail, about)];
    if (layer === "L1") {
      const notice = { organisation, whose: { email, user_id: null }, toPerson: false, layer, by };
      const title = "A full administrator was invited to the console";
      mails.push(...await addNotices(deps, commit, { ...notice, title }, now));
    }
    return { result: { ok: true }, mails };
  });
  if (invited.ok && replaced !== null) await forgetMails(kv, aboutInvitation(replaced));
  return invited;
}

/** Sends a pending invitation again, from the administrator who asks for it. */
export async function sendInvitationAgain(
  deps: TeamDeps,
  actor: Actor,
  email: string,
): Promise<{ ok: true } | Failure> {
  const pending = await readPending(deps, actor.organisation, email);
  return pending === null ? NOT_PENDING : await invite(deps, actor, pending);
}

/** Withdraws a pending invitation, so that its link no longer works. */
export async function withdrawInvitation(
  deps: TeamDeps,
  { organisation, by }: Actor,
  email: string,
): Promise<{ ok: true } | Failure> {
  const { kv } = deps;
  let withdrawn: Invitation | null = null;
  const result = await changeAsAdministrator(deps, { organisation, by }, async (commit, now) => {
    withdrawn = await readPending(deps, organisation, email);
    if (withdrawn === null) return { result: NOT_PENDING };
    invitations.deleteAt(commit, [organisation, email], withdrawn);
    const about = { object: { operator: email }, detail: withdrawn.layer };
    addAudit(commit, { organisation, by, action: "invitation_withdrawn", ...about }, now);
    return { result: { ok: true } };
  });
  if (result.ok && withdrawn !== null) await forgetMails(kv, aboutInvitation(withdrawn));
  return result;
}

/**
 * Withdraws the pending invitations of somebody who may no longer invite people, in the same commit, so
 * that they stay void if the person becomes an administrator again.
 *
 * @returns the outbox labels of their mails, to forget after the commit
 */
export async function addWithdrawals(
  { kv }: TeamDeps,
  commit: Deno.AtomicOperation,
  { organisation, by, of }: Actor & { of: string },
  now: number,
): Promise<string[]> {
  const rows = await Array.fromAsync(invitations.list(kv, [organisation]), ({ value }) => value);
  const withdrawn = rows.filter(({ invited_by }) => invited_by === of);
  for (const { email, layer, ...row } of withdrawn) {
    invitations.deleteAt(commit, [organisation, email], { email, layer, ...row });
    const about = { object: { operator: email }, detail: layer };
    addAudit(commit, { organisation, by, action: "invitation_withdrawn", ...about }, now);
  }
  return withdrawn.map(aboutInvitation);
}

/**
 * Returns the invitation of a link: for the person who is signed in, or for whoever has the mailed link, which
 * proves the mailbox, without a session.
 */
export async function readInvitation(
  deps: TeamDeps,
  organisation: OrganisationKey,
  token: string,
  session: JoiningSession | null,
): Promise<{ ok: true; invitation: Invitation } | Failure> {
  const { kv, clock, operators } = deps;
  const hash = storedHash(token);
  if (hash === null) return EXPIRED;
  const found = await invitations.find(kv, "operator_invitations_by_token", [hash]);
  const invitation = found.find(({ key }) => key[1] === organisation)?.value;
  if (invitation === undefined || !isLive(invitation, clock())) return EXPIRED;
  // Somebody who lost the right to invite must not come back through an earlier invitation.
  if (await operators.layerOf(invitation.invited_by, organisation) !== "L1") return EXPIRED;
  if (session !== null && invitation.email !== session.email) return OTHER_ADDRESS;
  if (await operators.layerOf(invitation.email, organisation) !== null) return IS_YOU;
  // A session from before the invitation proves nothing about who reads the mailbox today.
  const isOld = session !== null && session.created_at < invitation.sent_at;
  return isOld ? OLD_SESSION : { ok: true, invitation };
}

/** Accepts an invitation. The operator's other sessions on this console end. */
export async function acceptInvitation(
  deps: TeamDeps,
  organisation: OrganisationKey,
  token: string,
  session: JoiningSession,
): Promise<{ ok: true; layer: Layer } | Failure> {
  const { kv } = deps;
  const { email, user_id, id, created_at } = session;
  const accepted = await changeTeam(deps, organisation, async (commit, now) => {
    const found = await readInvitation(deps, organisation, token, session);
    if (!found.ok) return { result: found };
    const { layer, invited_by } = found.invitation;
    invitations.deleteAt(commit, [organisation, email], found.invitation);
    const added = { sessions_from: created_at, added_at: isoAfter(now, 0), invited_by };
    storedOperators.put(commit, [organisation, email], { email, layer, ...added });
    const about = { object: { operator: email }, detail: layer };
    addAudit(commit, { organisation, by: email, action: "operator_joined", ...about }, now);
    const notice = { organisation, whose: { email, user_id }, layer, by: invited_by };
    const title = "An operator joined the console";
    return {
      result: { ok: true, layer, about: aboutInvitation(found.invitation) },
      mails: await addNotices(deps, commit, { ...notice, title }, now),
    };
  });
  if (!accepted.ok) return accepted;
  await forgetMails(kv, accepted.about);
  await asSite(() => signOut(deps, { organisation, email }, id));
  return { ok: true, layer: accepted.layer };
}

/** A pending invitation, as administrators see it. */
export interface PendingInvitation extends Omit<Invitation, "token"> {
  /** False once the person who sent it is no longer a full administrator; then it can be sent again. */
  valid: boolean;
  /** The outbox label of its mail. */
  about: string;
}

/** Returns the pending invitations to a console, by address. */
export async function listInvitations(
  { kv, clock, operators }: TeamDeps,
  organisation: OrganisationKey,
): Promise<PendingInvitation[]> {
  const rows = await Array.fromAsync(invitations.list(kv, [organisation]), ({ value }) => value);
  const live = rows.filter((row) => isLive(row, clock()));
  return await Promise.all(live.map(async ({ token, ...row }) => ({
    ...row,
    valid: await operators.layerOf(row.invited_by, organisation) === "L1",
    about: aboutInvitation({ token }),
  })));
}

async function readPending(
  { kv, clock }: TeamDeps,
  organisation: OrganisationKey,
  email: string,
): Promise<Invitation | null> {
  const { value } = await invitations.get(kv, organisation, email);
  return value !== null && isLive(value, clock()) ? value : null;
}

async function isFull(deps: TeamDeps, organisation: OrganisationKey): Promise<boolean> {
  const [operators, pending] = await Promise.all([
    deps.operators.list(organisation),
    listInvitations(deps, organisation),
  ]);
  return operators.length + pending.length >= MOST_OPERATORS;
}

const IS_OPERATOR = fail("conflict", {
  message: "This address is already an operator of this console.",
  issues: { email: "This address is already an operator of this console." },
});
const FULL = fail("conflict", {
  message: `A console has at most ${MOST_OPERATORS} operators and invitations.`,
});
const NOT_PENDING = fail("not_found", {
  message: "This invitation was accepted or withdrawn, or has expired.",
});
const EXPIRED = fail("expired", {
  message: "This invitation was accepted or withdrawn, or has expired.",
});
const OTHER_ADDRESS = fail("other_address", {
  message: "This invitation is for another address than the one you are signed in with.",
});
const IS_YOU = fail("conflict", { message: "You are already an operator of this console." });
const OLD_SESSION = fail("old_session", {
  message: "You signed in before the invitation was sent. Sign out, and sign in again.",
});

function tooMany(waitMs: number): Failure {
  const failure = rateLimited(waitMs);
  const wait = formatWait(failure.retryAfterSeconds);
  return { ...failure, message: `You have sent too many invitations. Try again ${wait}.` };
}
