import { z } from "zod";
import { type Access, decisionSchema } from "../documents/mod.ts";
import type { Mailer } from "../../platform/mail/mod.ts";
import type { Failure } from "../../base/result.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { alertRefSchema, type Alerts } from "../alerts/mod.ts";
import { sendMailsAgain } from "./lost_mail.ts";

const alert = alertRefSchema;

/** The forms on the page of alerts, which also decide requests for access. */
export const alertActionSchema = z.union([
  z.object({ act: z.enum(["read", "done", "reopen"]), alert }),
  z.object({ act: z.literal("send"), alert, mail: z.uuid().optional() }),
  z.object({ act: z.literal("read") }),
  decisionSchema,
]);

/** Does what a form on the page of alerts asks for. */
export async function actOnAlerts(
  services: { access: Access; alerts: Alerts; mailer: Mailer; clock: () => number },
  { organisation, by }: { organisation: OrganisationKey; by: string },
  form: z.infer<typeof alertActionSchema>,
): Promise<{ ok: true } | Failure> {
  const { access, alerts } = services;
  if (!("alert" in form)) {
    if (form.act !== "read") {
      return await access.decide({ ...form, decider: { organisation, email: by } });
    }
    await alerts.markRead(organisation, by);
    return { ok: true };
  }
  const ref = { organisation, ...form.alert };
  return form.act === "send"
    ? await sendMailsAgain(services, { ref, mail: form.mail, by })
    : await alerts.setState(ref, form.act === "done" ? "done" : "read", by);
}
