import type { z } from "zod";
import { emails } from "../../platform/config/fields.ts";

/** The normalised email addresses of the people who may use the consoles (spec 5.1). */
export interface OpsConfig {
  l1: string[];
  l2: string[];
}

export const opsVariables = {
  OPS_L1_EMAILS: emails.optional(),
  OPS_L2_EMAILS: emails.optional(),
};

type Values = z.output<z.ZodObject<typeof opsVariables>>;

/** Development has two default addresses, production none. */
export function opsConfig(values: Values, production: boolean): OpsConfig {
  return {
    l1: values.OPS_L1_EMAILS ?? (production ? [] : ["admin@example.org"]),
    l2: values.OPS_L2_EMAILS ?? (production ? [] : ["board@example.org"]),
  };
}
