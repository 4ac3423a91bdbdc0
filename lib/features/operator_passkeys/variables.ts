import { z } from "zod";
import { defineSettings } from "../../platform/config/settings.ts";

export interface OperatorPasskeysConfig {
  /** True if operators need a passkey for everything after their first sign-in. */
  required: boolean;
}

export const operatorPasskeysSettings = defineSettings({
  variables: { OPS_REQUIRE_PASSKEY: z.enum(["0", "1"], "1, or unset").optional() },
  config: ({ OPS_REQUIRE_PASSKEY }): { operatorPasskeys: OperatorPasskeysConfig } => ({
    operatorPasskeys: { required: OPS_REQUIRE_PASSKEY === "1" },
  }),
});
