import { emails } from "../../platform/config/fields.ts";
import { defineSettings, type Deployment } from "../../platform/config/settings.ts";

/** The normalised email addresses of the people who may use the consoles (spec 5.1). */
export interface OpsConfig {
  l1: string[];
  l2: string[];
}

function consolesOff({ ops: { l1, l2 }, surfaceHosts }: { ops: OpsConfig } & Deployment): string[] {
  const served = surfaceHosts["foundation-console"] ?? surfaceHosts["commercial-console"];
  if (served === undefined || l1.length > 0) return [];
  return l2.length === 0
    ? ["the consoles, for everyone: OPS_L1_EMAILS and OPS_L2_EMAILS are not set"]
    : ["the finance pages, for everyone: OPS_L1_EMAILS is not set"];
}

/** Development has two default addresses, production none. */
export const operatorsSettings = defineSettings({
  variables: { OPS_L1_EMAILS: emails.optional(), OPS_L2_EMAILS: emails.optional() },
  config: (values, { production }): { ops: OpsConfig } => ({
    ops: {
      l1: values.OPS_L1_EMAILS ?? (production ? [] : ["admin@example.org"]),
      l2: values.OPS_L2_EMAILS ?? (production ? [] : ["board@example.org"]),
    },
  }),
  off: consolesOff,
});
