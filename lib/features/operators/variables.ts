import { emails } from "../../platform/config/fields.ts";
import { defineSettings, type Deployment } from "../../platform/config/settings.ts";

/** The normalised email addresses of the people who may use both consoles (spec 5.1). */
export interface OpsConfig {
  l1: string[];
  l2: string[];
}

function consolesOff({ ops: { l1 }, surfaceHosts }: { ops: OpsConfig } & Deployment): string[] {
  const served = surfaceHosts["foundation-console"] ?? surfaceHosts["commercial-console"];
  return served === undefined || l1.length > 0
    ? []
    : ["administrators whom nobody can lock out of the consoles: OPS_L1_EMAILS is not set"];
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
