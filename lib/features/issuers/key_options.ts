import type { Secrets } from "../../base/secrets.ts";
import type { Mailer, MailOrganisation } from "../../platform/mail/mod.ts";
import type { OrganisationKey, Surfaces } from "../../platform/surfaces/mod.ts";
import type { IssuersOptions } from "./change.ts";

/** The organisation whose issuers have keys. */
export const KEY_ORGANISATION: OrganisationKey = "commercial";

/** The services from which everything about keys is created. */
export interface KeysOptions extends IssuersOptions {
  organisations: Record<OrganisationKey, MailOrganisation>;
  mailer: Mailer;
  log: (entry: Record<string, unknown>) => void;
  secrets: Secrets;
  surfaces: Surfaces;
}

/** The issuer of the key, and the email address of the administrator who changes it. */
export interface KeyChange {
  issuer: string;
  by: string;
}
