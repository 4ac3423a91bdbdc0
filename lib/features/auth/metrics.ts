import { counter } from "../../platform/telemetry/mod.ts";

export const signIns = counter(
  "sign_ins",
  "Sign-ins of users to sites and consoles, and of holders to their records.",
  {
    who: ["user", "holder"],
    method: ["link", "link_code", "code", "passkey", "confirmation"],
  },
);
