import type { Secrets } from "../../base/secrets.ts";
import type { Mailer, MailOrganisation } from "../../platform/mail/mod.ts";
import type { OrganisationKey, Surfaces } from "../../platform/surfaces/mod.ts";
import type { Auth } from "../auth/mod.ts";
import type { OperatorPasskeys } from "../passkeys/mod.ts";
import type { Operators } from "../operators/mod.ts";

/** The services that the team of a console needs. */
export interface TeamDeps {
  kv: Deno.Kv;
  clock: () => number;
  secrets: Secrets;
  mailer: Mailer;
  surfaces: Surfaces;
  operators: Operators;
  auth: Auth;
  operatorPasskeys: OperatorPasskeys;
  organisations: Record<OrganisationKey, MailOrganisation>;
}

/** A full administrator who changes the team of a console. */
export interface Actor {
  organisation: OrganisationKey;
  /** The normalised address. */
  by: string;
}
