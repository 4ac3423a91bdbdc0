/** Handles the forms on the page of alerts: marking alerts, deciding requests, and sending mails again. */
import { z } from "zod";
import { type Access, decisionSchema } from "../../lib/features/documents/mod.ts";
import type { Mailer } from "../../lib/platform/mail/mod.ts";
import type { Failure } from "../../lib/base/result.ts";
import type { OrganisationKey } from "../../lib/platform/surfaces/mod.ts";
import { formatPosition } from "../../lib/platform/listing/filters.ts";
import { WAS_NEW } from "./result.ts";
import type { ConsoleResult } from "../../lib/features/console/results.ts";
import { alertRefSchema, type Alerts } from "../../lib/features/alerts/mod.ts";
import { sendMailsAgain } from "../../lib/features/alerts/lost_mail.ts";

const alert = alertRefSchema;

/** The forms on the page of alerts, which also decide requests for access. */
export const alertActionSchema = z.union([
  z.object({ act: z.enum(["read", "unread", "done", "reopen"]), alert }),
  z.object({ act: z.literal("send"), alert, mail: z.uuid().optional() }),
  z.object({ act: z.literal("read") }),
  z.object({ act: z.literal("unread"), since: z.iso.datetime() }),
  decisionSchema,
]);

/** Returns whether a form decides about access to a document, rather than marking an alert. */
export const decidesAccess = (form: z.infer<typeof alertActionSchema>): boolean => "id" in form;

/** The result of an action, for the URL of the page that shows it. */
interface Done {
  ok: true;
  done: ConsoleResult;
  of?: string;
}

/** Does what a form on the page of alerts asks for. */
export async function actOnAlerts(
  services: { access: Access; alerts: Alerts; mailer: Mailer; clock: () => number },
  { organisation, by }: { organisation: OrganisationKey; by: string },
  form: z.infer<typeof alertActionSchema>,
): Promise<Done | Failure> {
  const { access, alerts } = services;
  if ("id" in form) {
    const decided = await access.decide({ ...form, decider: { organisation, email: by } });
    return decided.ok ? { ok: true, done: form.act, of: form.id } : decided;
  }
  if ("since" in form) {
    await alerts.markUnread(organisation, by, form.since);
    return { ok: true, done: "unread" };
  }
  if (!("alert" in form)) {
    return { ok: true, done: "read_all", of: await alerts.markRead(organisation, by) };
  }
  const ref = { organisation, ...form.alert };
  const { act } = form;
  if (act === "send") {
    const sent = await sendMailsAgain(services, { ref, mail: form.mail, by });
    return sent.ok ? { ok: true, done: act, of: formatPosition(ref) } : sent;
  }
  const changed = await alerts.setState(ref, act === "reopen" ? "read" : act, by);
  if (!changed.ok) return changed;
  // An alert that was new becomes new again when the action is undone.
  const was = changed.before === "unread" ? WAS_NEW : "";
  return { ok: true, done: act, of: formatPosition(ref) + was };
}
