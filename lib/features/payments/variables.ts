/** The environment variables of payments: webhook secrets and the stand-in's URL. */
import type { z } from "zod";
import type { OrganisationKey } from "../../platform/surfaces/table.ts";
import { webhookSecrets } from "../../platform/config/fields.ts";
import { secret } from "../../platform/config/secret_files.ts";
import { defineSettings, type Deployment } from "../../platform/config/settings.ts";

export interface PaymentsConfig {
  /** The secrets of each console's webhook, the current one first. Without one it is off. */
  secrets: Record<OrganisationKey, readonly string[]>;
  /** The URL of the stand-in, if it was started. */
  standIn?: string;
}

const variables = {
  FOUNDATION_PAYMENT_WEBHOOK_SECRET: secret(webhookSecrets.default([])),
  COMMERCIAL_PAYMENT_WEBHOOK_SECRET: secret(webhookSecrets.default([])),
};

type Values = z.output<z.ZodObject<typeof variables>>;

const paymentsConfig = (values: Values): PaymentsConfig => ({
  secrets: {
    foundation: values.FOUNDATION_PAYMENT_WEBHOOK_SECRET,
    commercial: values.COMMERCIAL_PAYMENT_WEBHOOK_SECRET,
  },
});

/** Returns the name of the variable with a console's secrets. */
export const secretVariable = (organisation: OrganisationKey): string =>
  `${organisation.toUpperCase()}_PAYMENT_WEBHOOK_SECRET`;

function paymentsProblems(values: Values): string[] {
  const { foundation, commercial } = paymentsConfig(values).secrets;
  // With a shared secret, one organisation's events would be valid for the other.
  return commercial.some((secret) => foundation.includes(secret))
    ? ["COMMERCIAL_PAYMENT_WEBHOOK_SECRET: should differ from FOUNDATION_PAYMENT_WEBHOOK_SECRET"]
    : [];
}

function paymentsOff(
  { payments: { secrets }, surfaceHosts, env }: { payments: PaymentsConfig } & Deployment,
): string[] {
  return (["foundation", "commercial"] as const).flatMap((organisation) => {
    if (surfaceHosts[`${organisation}-console`] === undefined) return [];
    if (secrets[organisation].length > 0) return [];
    const missing = `${secretVariable(organisation)} is not set`;
    const instead = env === "development" ? "; a stand-in sends events from /dev/payments" : "";
    return [`payments on the ${organisation} console: ${missing}${instead}`];
  });
}

export const paymentsSettings = defineSettings({
  variables,
  config: (values) => ({ payments: paymentsConfig(values) }),
  problems: paymentsProblems,
  off: paymentsOff,
});
