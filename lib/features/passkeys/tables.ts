/** All tables of passkeys, including those of challenges and limits, for the store and the privacy page. */
import { inHours, inMinutes } from "../../base/time.ts";
import {
  defineTable,
  expires,
  type PrivacySection,
  type TableDescription,
} from "../../platform/kv/mod.ts";
import { challenge, CHALLENGE_LIFETIME_MS } from "./challenges.ts";
import type { Credential } from "./credential.ts";
import { holderPasskeys, HOLDERS } from "./holders.ts";
import type { Kind } from "./kinds.ts";
import { OPTIONS_WINDOW_MS, OWNER_WINDOW_MS, REQUESTS } from "./limits.ts";
import { accounts, operatorPasskeys, OPERATORS } from "./operators/tables.ts";

/** Declares the tables of the challenges and limits of one kind of owner. */
function requestTables<Row extends Credential>(
  { challenges, limits }: Kind<Row>,
  { section, passkey, counted }: {
    section: PrivacySection;
    passkey: string;
    /** With what requests are counted for an hour, besides the network address. */
    counted: string;
  },
): TableDescription[] {
  return [
    defineTable({
      prefix: challenges.prefix,
      value: challenge,
      owner: "nobody",
      lifetime: expires(inMinutes(CHALLENGE_LIFETIME_MS)),
      per: `use of ${passkey}`,
      privacy: {
        section,
        label: REQUESTS,
        text:
          "When you add or use a passkey: a fingerprint of the request and of your session or " +
          `browser, for ${inMinutes(CHALLENGE_LIFETIME_MS)}. The number of requests, with a ` +
          `fingerprint of the network address for ${
            inMinutes(OPTIONS_WINDOW_MS)
          }, or with ${counted}.`,
      },
    }),
    ...Object.values(limits),
  ];
}

export const passkeyTables = [
  holderPasskeys,
  ...requestTables(HOLDERS, {
    section: "record",
    passkey: "a passkey",
    counted: "the record for an hour",
  }),
  operatorPasskeys,
  accounts,
  ...requestTables(OPERATORS, {
    section: "consoles",
    passkey: "an operator’s passkey",
    counted: "your account number or a fingerprint of your session for " +
      inHours(OWNER_WINDOW_MS),
  }),
];
