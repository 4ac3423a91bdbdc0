import { emails } from "../../platform/config/fields.ts";
import { defineSettings } from "../../platform/config/settings.ts";

/** The normalised email addresses of the people who may use the consoles (spec 5.1). */
export interface OpsConfig {
  l1: string[];
  l2: string[];
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
});
