/** The mails about the team of a console. */
import { DAY_MS, formatDateTime } from "../../base/time.ts";
import { createMail, type MailPart, type QueuedMail, senderOf } from "../../platform/mail/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { consoleOf } from "./consoles.ts";
import type { TeamDeps } from "./deps.ts";
import type { Layer } from "./layers.ts";
import { INVITATION_LIFETIME_MS, type OperatorMail } from "./tables.ts";

/** The layers in sentences: "as a …". */
export const LAYER_NAMES: Record<Layer, string> = {
  L1: "full administrator (L1)",
  L2: "board member (L2)",
};

/** The layers on their own. */
export const LAYER_TITLES: Record<Layer, string> = {
  L1: "Full administrator (L1)",
  L2: "Board member (L2)",
};

/** Sentences that say what each layer sees. */
export const LAYER_VIEWS: Record<Layer, string> = {
  L1: "You see and change everything in this console.",
  L2: "You see sums and counts. Full administrators see the rest, such as who did what.",
};

/** The mails that full administrators can turn off, in sentences: "You get …". */
export const OPERATOR_MAIL_NAMES: Record<OperatorMail, string> = {
  digest: "the digest of the inbox",
  urgent: "urgent alerts",
  morning: "the morning’s alerts",
};

/** How long an undelivered notice is retried. */
const NOTICE_LIFETIME_MS = 3 * DAY_MS;

type MailDeps = Pick<TeamDeps, "mailer" | "operators" | "organisations" | "surfaces">;

interface InvitationMail {
  organisation: OrganisationKey;
  to: string;
  layer: Layer;
  by: string;
  token: string;
}

/** Adds the mail with the link of an invitation to the commit that creates it. */
export async function addInvitationMail(
  { mailer, organisations, surfaces }: MailDeps,
  commit: Deno.AtomicOperation,
  { organisation, to, layer, by, token }: InvitationMail,
  { about, now }: { about: string; now: number },
): Promise<QueuedMail> {
  const surface = consoleOf(surfaces, organisation);
  const sender = senderOf(organisations, organisation);
  const title = `Join the console of ${sender.name}`;
  const expiresAt = now + INVITATION_LIFETIME_MS;
  const mail = createMail({
    ...{ sender, to, title, subject: title },
    parts: [
      `${by} invites you to the operations console as a ${LAYER_NAMES[layer]}.`,
      { link: `${surface.baseUrl}/console/team/join?token=${token}`, text: "Open the invitation" },
      {
        note: "The link works once, until " +
          `${formatDateTime(new Date(expiresAt).toISOString())}, and signs you in with this ` +
          "address: do not forward it. If you do not expect this, ignore the email.",
      },
    ],
    because: `${by} entered this address in the console of ${sender.name}`,
  });
  return await mailer.add(commit, mail, { expiresAt, about, kind: "invitation" });
}

/** A change of the team that its administrators hear of. */
interface TeamNotice {
  organisation: OrganisationKey;
  title: string;
  /** The person whom the change is about. */
  whose: { email: string; user_id: number | null };
  /** False if that person gets another mail about it. Default: true */
  toPerson?: boolean;
  layer: Layer;
  by: string;
}

/**
 * Adds mails about a change to its commit: to the person whom it is about, and to all full
 * administrators, so that nobody gains access to the console unnoticed with somebody else's session.
 */
export async function addNotices(
  { mailer, operators, organisations, surfaces }: MailDeps,
  commit: Deno.AtomicOperation,
  { organisation, title, whose, toPerson = true, layer, by }: TeamNotice,
  now: number,
): Promise<QueuedMail[]> {
  const sender = senderOf(organisations, organisation);
  const { baseUrl } = consoleOf(surfaces, organisation);
  const facts: MailPart = {
    facts: [
      ["Operator", whose.email],
      ["Layer", LAYER_NAMES[layer]],
      ["By", by],
      ["Time", formatDateTime(new Date(now).toISOString())],
    ],
  };
  const link: MailPart = { link: `${baseUrl}/console/team`, text: "Open the team" };
  const administrators = (await operators.list(organisation)).filter(({ layer }) => layer === "L1")
    .map(({ email }) => email);
  const noticeTo = (to: string) =>
    createMail({
      ...{ sender, title, to, subject: `${title}: ${whose.email}` },
      parts: to === whose.email ? [facts] : [facts, link],
      because: `this changes who may use the console of ${sender.name}`,
    });
  const options = {
    expiresAt: now + NOTICE_LIFETIME_MS,
    about: whose.user_id === null ? "" : `user/${whose.user_id}`,
    kind: "operator" as const,
  };
  return await Promise.all(
    Array.from(
      new Set([...toPerson ? [whose.email] : [], ...administrators]),
      (to) => mailer.add(commit, noticeTo(to), options),
    ),
  );
}
