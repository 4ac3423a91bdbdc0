/** The forms of the team pages of the console: their schemas, and what they change. */
import { z } from "zod";
import type { Failure } from "../../lib/base/result.ts";
import type { ConsoleSessions } from "../../lib/features/auth/mod.ts";
import {
  type Actor,
  invitationSchema,
  LAYERS,
  OPERATOR_MAILS,
  type Operators,
  type Team,
} from "../../lib/features/operators/mod.ts";
import { fail } from "../../lib/base/result.ts";
import type { AuditLog } from "../../lib/features/audit/mod.ts";
import type { OrganisationKey } from "../../lib/platform/surfaces/mod.ts";
import type { ConsoleResult } from "../../lib/features/console/results.ts";

/** Replaces an address in URLs and forms, see `personKey` of the audit log. */
const person = z.string().regex(/^[\w-]{16}$/, "There is no such person.");

/** The forms on the page of the team. Those without a person are about the operator's own access. */
export const teamActionSchema = z.discriminatedUnion("act", [
  invitationSchema.extend({ act: z.literal("invite") }),
  z.object({ act: z.enum(["invite_again", "withdraw_invitation"]), person }),
  z.object({ act: z.literal("mail"), mail: z.enum(OPERATOR_MAILS), wanted: z.enum(["on", "off"]) }),
  z.object({ act: z.literal("end_session"), session: z.string().max(64) }),
  z.object({ act: z.literal("end_sessions") }),
  z.object({
    act: z.literal("leave"),
    confirm: z.literal("yes", "Confirm that you want to leave the console."),
  }),
]);

/** The forms on the page of an operator. */
export const operatorActionSchema = z.discriminatedUnion("act", [
  z.object({ act: z.literal("change_layer"), layer: z.enum(LAYERS) }),
  z.object({ act: z.literal("end_sessions") }),
  z.object({
    act: z.literal("remove_operator"),
    confirm: z.literal("yes", "Confirm that you want to remove the operator."),
  }),
]);

/** The actions that every operator may take. */
export const OWN_ACTIONS: ReadonlySet<string> = new Set([
  "mail",
  "end_session",
  "end_sessions",
  "leave",
]);

interface Services {
  audit: AuditLog;
  operators: Operators;
  team: Team;
  consoleSessions: ConsoleSessions;
}

type Done = { ok: true; done: ConsoleResult; of?: string } | Failure;

/** Does what a form on the page of the team asks for, for the operator with this session. */
export async function actOnTeam(
  services: Services,
  { organisation, by, session }: Actor & { session: string },
  form: z.infer<typeof teamActionSchema>,
): Promise<Done> {
  const { audit, team, consoleSessions } = services;
  const actor = { organisation, by };
  switch (form.act) {
    case "invite": {
      const of = await audit.personKey(form.email);
      return done(await team.invite(actor, form), "invite", of);
    }
    case "invite_again":
    case "withdraw_invitation": {
      const email = await addressOf(services, organisation, form.person);
      if (email === null) return fail("not_found", { message: "There is no such invitation." });
      return form.act === "invite_again"
        ? done(await team.sendAgain(actor, email), form.act)
        : done(await team.withdraw(actor, email), form.act);
    }
    case "mail": {
      const { mail, wanted } = form;
      const set = await team.setMail(actor, { mail, wanted: wanted === "on" });
      return done(set, form.act, mail);
    }
    case "end_session":
    case "end_sessions": {
      const only = (id: string) =>
        form.act === "end_session" ? id === form.session : id !== session;
      const count = await consoleSessions.end({ organisation, email: by, by, only });
      return { ok: true, done: "end_sessions", of: String(count) };
    }
    case "leave":
      return done(await team.remove(actor, by), "remove_operator");
  }
}

/** Does what a form on the page of an operator asks for. */
export async function actOnOperator(
  { audit, team, consoleSessions }: Services,
  actor: Actor,
  email: string,
  form: z.infer<typeof operatorActionSchema>,
): Promise<Done> {
  switch (form.act) {
    case "change_layer":
      return done(
        await team.changeLayer(actor, { email, layer: form.layer }),
        form.act,
        form.layer,
      );
    case "end_sessions": {
      const count = await consoleSessions.end({ ...actor, email });
      return { ok: true, done: form.act, of: String(count) };
    }
    case "remove_operator":
      return done(await team.remove(actor, email), form.act, await audit.personKey(email));
  }
}

const done = (result: { ok: true } | Failure, done: ConsoleResult, of?: string): Done =>
  result.ok ? { ok: true, done, of } : result;

/** Returns the address of an operator or an invited person of a console; null for anybody else. */
export async function addressOf(
  { audit, operators, team }: Pick<Services, "audit" | "operators" | "team">,
  organisation: OrganisationKey,
  person: string,
): Promise<string | null> {
  const known = (await Promise.all([operators.list(organisation), team.invitations(organisation)]))
    .flat().map(({ email }) => email);
  for (const email of known) {
    if (await audit.isPerson(email, person)) return email;
  }
  return null;
}
