import type { Platform } from "../../platform/feature.ts";
import type { Network } from "../../platform/http/pinned_fetch.ts";
import type { MailOrganisation } from "../../platform/mail/mod.ts";
import { counter } from "../../platform/telemetry/mod.ts";
import type { Issuers } from "../issuers/mod.ts";

/** The dependencies that the parts of the feature share. */
export interface WebhookOptions
  extends Pick<Platform, "kv" | "clock" | "secrets" | "log" | "mailer" | "count" | "elapsed"> {
  network: Network;
  /** True if the site runs on a developer's machine, so that it also sends events to programs there. */
  inDevelopment: boolean;
  issuers: Pick<Issuers, "read">;
  /** The organisation with which issuers are registered. */
  organisation: MailOrganisation;
  /** The address of the documentation for issuers; null if this deployment does not serve it. */
  docsUrl: string | null;
}

export const webhookAttempts = counter(
  "webhook_attempts",
  "Attempts to deliver events to issuers.",
  {
    outcome: ["delivered", "retrying", "held", "failed"],
  },
);

export const webhookDropped = counter(
  "webhook_events_dropped",
  "Events that were not kept for an endpoint, because too many are held for it.",
  {},
);
