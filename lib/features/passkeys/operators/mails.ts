/** The mails to an operator and the administrators about a change of the operator's passkeys. */
import { apart } from "../../../platform/kv/mod.ts";
import { DAY_MS, formatDateTime, inHours } from "../../../base/time.ts";
import type { Device } from "../../../platform/http/device.ts";
import {
  createMail,
  type Mailer,
  type MailOrganisation,
  type QueuedMail,
  senderOf,
} from "../../../platform/mail/mod.ts";
import type { OrganisationKey, Surface } from "../../../platform/surfaces/mod.ts";
import type { Operators } from "../../operators/mod.ts";
import { CODE_LIFETIME_MS } from "./tables.ts";

/** A change of an operator's passkeys. */
interface PasskeyNotice {
  kind: "added" | "replaced" | "renamed" | "removed" | "reset";
  whose: { user_id: number; email: string };
  surface: Surface;
  passkey?: { name: string };
  /** The administrator who made the change, if it was not the operator. */
  by?: string;
  device: Device;
}

export interface PasskeyNotices {
  /**
   * Adds mails to the operator and to all full administrators of the console to the commit of a change.
   * Pass the result to `mailer.send` after the commit.
   */
  add(commit: Deno.AtomicOperation, notice: PasskeyNotice, now: number): Promise<QueuedMail[]>;
}

const TEXTS: Record<PasskeyNotice["kind"], [title: string, meaning: string]> = {
  added: [
    "A passkey was added to a console",
    "Whoever can use this passkey can sign in to the console as this operator. It protects this " +
    "console only: an operator of both consoles needs one on each.",
  ],
  replaced: [
    "An operator’s passkeys were replaced by a new one",
    "Whoever can use the new passkey can sign in to the console as this operator. The earlier " +
    "passkeys no longer work.",
  ],
  renamed: [
    "A passkey of a console was renamed",
    "This changes nothing about what it opens.",
  ],
  removed: [
    "A passkey was removed from a console",
    "It no longer works, and the operator’s other sessions have ended. If it was the last one, a " +
    "emailed link alone opens the console again.",
  ],
  reset: [
    "An operator may add a new passkey",
    "The earlier passkeys no longer work, and the operator’s sessions have ended. Within " +
    `${
      inHours(CODE_LIFETIME_MS)
    }, the operator can add a new passkey, with an emailed link and the ` +
    "code that the administrator passes on.",
  ],
};

/** How long an undelivered mail is retried. */
const MAIL_LIFETIME_MS = 3 * DAY_MS;

/** Creates the mails that tell operators of changes to their passkeys. */
export function createPasskeyNotices(
  { mailer, operators, organisations }: {
    mailer: Mailer;
    operators: Operators;
    organisations: Record<OrganisationKey, MailOrganisation>;
  },
): PasskeyNotices {
  return {
    async add(commit, notice, now) {
      const { kind, whose: { user_id, email }, surface, passkey, by = email, device } = notice;
      const { organisation, baseUrl } = surface;
      const administrators = (await apart(
        "A notice is emailed to those who were administrators.",
        () => operators.list(organisation),
      ))
        .filter(({ layer }) => layer === "L1").map((operator) => operator.email);
      const [title, meaning] = TEXTS[kind];
      const sender = senderOf(organisations, organisation);
      const facts: [string, string][] = [
        ["Operator", email],
        ...passkey === undefined ? [] : [["Passkey", passkey.name] as [string, string]],
        ...by === email ? [] : [["Administrator", by] as [string, string]],
        ["Console", new URL(baseUrl).host],
        ["Time", formatDateTime(new Date(now).toISOString())],
        ["Network", device.network],
        ["Browser", device.browser],
      ];
      const queued: QueuedMail[] = [];
      for (const to of new Set([email, ...administrators])) {
        const mail = createMail({
          ...{ sender, to, title },
          subject: `${title}: ${email}`,
          parts: [
            meaning,
            { facts },
            to === email
              ? "If this was not you, sign in and remove what you do not recognise, and tell " +
                "another administrator at once."
              : "If you did not expect this, ask the operator, but not by email: somebody may read " +
                "their mailbox. You can remove the operator on the Team page.",
            { link: `${baseUrl}/console/team`, text: "Open the Team page" },
          ],
          because: to === email
            ? "this is the address of the operator"
            : "you are a full administrator of this console",
        });
        const about = `user/${user_id}`;
        const expiresAt = now + MAIL_LIFETIME_MS;
        queued.push(await mailer.add(commit, mail, { expiresAt, about, kind: "operator" }));
      }
      return queued;
    },
  };
}
