import { z } from "zod";
import { TOKEN, type TokenRow } from "../../platform/kv/mod.ts";
import { createChallenges } from "../webauthn/mod.ts";

/** A stored challenge. A response is accepted only for the purpose that it was issued for. */
export const challenge = z.union([
  z.strictObject({
    ceremony: z.literal("registration"),
    /** The key of the session that asked for it. */
    session: z.string(),
    record: z.string(),
    ...TOKEN,
  }),
  z.strictObject({
    ceremony: z.literal("sign_in"),
    /** SHA-256 of the browser's cookie. */
    browser: z.string(),
    ...TOKEN,
  }),
]);

type Purpose<Row> = Row extends unknown ? Omit<Row, keyof TokenRow> : never;

export const challenges = createChallenges<Purpose<z.infer<typeof challenge>>>(
  "passkey_challenges",
);
