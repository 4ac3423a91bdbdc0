import type { Platform } from "../../../platform/feature.ts";
import type { MailOrganisation } from "../../../platform/mail/mod.ts";
import type { OrganisationKey } from "../../../platform/surfaces/mod.ts";
import type { Count } from "../../../platform/telemetry/mod.ts";
import type { Chains } from "../../chain/mod.ts";
import type { Contact, ContactIndex } from "../../contact/mod.ts";
import type { LogProofs } from "../../log/mod.ts";
import type { PasskeyConfig } from "../../passkeys/mod.ts";
import type { RecordData } from "./record_data.ts";

/** The dependencies that the parts of the feature share. */
export interface RecordsOptions
  extends Pick<Platform, "kv" | "clock" | "secrets" | "mailer" | "surfaces" | "log" | "tables"> {
  /** Returns the monotonic time in milliseconds, for limits in memory. */
  monotonic?: () => number;
  chains: Chains;
  logProofs: Pick<LogProofs, "source">;
  contact: Contact;
  index: ContactIndex;
  organisations: Record<OrganisationKey, MailOrganisation>;
  /** Requests for sign-in links per hour from one client address; 0 for no limit. */
  clientLimit: number;
  count?: Count;
  /** The apps and pages that may use the passkeys of holders. */
  passkeys: PasskeyConfig;
  /** The data of other features that belongs to records. */
  recordData: () => readonly RecordData[];
}
