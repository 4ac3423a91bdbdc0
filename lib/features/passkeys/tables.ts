import { inHours, inMinutes } from "../../base/time.ts";
import {
  defineTable,
  expires,
  type PrivacySection,
  type TableDescription,
  windowLog,
} from "../../platform/kv/mod.ts";
import { challenge, CHALLENGE_LIFETIME_MS } from "./challenges.ts";
import type { Credential } from "./credential.ts";
import { holderPasskeys, HOLDERS } from "./holders.ts";
import type { Kind } from "./kinds.ts";
import { OPTIONS_WINDOW_MS, OWNER_WINDOW_MS } from "./limits.ts";
import { accounts, operatorPasskeys, OPERATORS } from "./operators/tables.ts";

/** Declares the tables of the challenges and limits of one kind of owner. */
function requestTables<Row extends Credential>(
  { challenges, limits }: Kind<Row>,
  { section, passkey, owner, counted }: {
    section: PrivacySection;
    /** The names of a passkey and of what has one. */
    passkey: string;
    owner: string;
    /** With what requests are counted for an hour, besides the network address. */
    counted: string;
  },
): TableDescription[] {
  const privacy = {
    section,
    label: "Requests for passkeys",
    text: "When you add or use a passkey: a fingerprint of the request and of your session or " +
      `browser, for ${inMinutes(CHALLENGE_LIFETIME_MS)}. The number of requests, with a ` +
      `fingerprint of the network address for ${inMinutes(OPTIONS_WINDOW_MS)}, or with ${counted}.`,
  };
  return [
    defineTable({
      prefix: challenges.prefix,
      value: challenge,
      owner: "nobody",
      lifetime: expires(inMinutes(CHALLENGE_LIFETIME_MS)),
      per: `use of ${passkey}`,
      privacy,
    }),
    defineTable({
      prefix: limits,
      value: windowLog,
      owner: "nobody",
      lifetime: expires(`${inMinutes(OPTIONS_WINDOW_MS)} or ${inHours(OWNER_WINDOW_MS)}`),
      per: `network or ${owner} that requests passkeys`,
      privacy,
    }),
  ];
}

export const passkeyTables = [
  holderPasskeys,
  ...requestTables(HOLDERS, {
    section: "record",
    passkey: "a passkey",
    owner: "record",
    counted: "the record for an hour",
  }),
  operatorPasskeys,
  accounts,
  ...requestTables(OPERATORS, {
    section: "consoles",
    passkey: "an operator’s passkey",
    owner: "operator",
    counted: "your account number or a fingerprint of your session for " +
      inHours(OWNER_WINDOW_MS),
  }),
];
