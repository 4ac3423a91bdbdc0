import { z } from "zod";
import { MAX_AMOUNT } from "./money.ts";

/**
 * What the provider sends, as far as it is used. Fields that are not named here are dropped;
 * `kind` and `status` are open lists, so that a new value of theirs breaks nothing.
 */
const amount = z.number().min(-MAX_AMOUNT).max(MAX_AMOUNT);
const text = z.string();
const optionalText = text.nullish();
/** Any ISO 8601 time, to one form: UTC, with milliseconds. */
const time = text.refine((value) => !Number.isNaN(Date.parse(value)), "a time")
  .transform((value) => new Date(value).toISOString());

export const providerAccount = z.object({
  id: text.min(1),
  name: optionalText,
  nickname: optionalText,
  accountNumber: optionalText,
  routingNumber: optionalText,
  last4: optionalText,
  currentBalance: amount.nullish(),
  balance: amount.nullish(),
  kind: optionalText,
  status: text,
}).refine(({ balance, currentBalance }) => (balance ?? currentBalance) != null, "no balance");

export const providerAccounts = z.object({
  accounts: z.array(providerAccount),
  page: z.object({ nextPage: optionalText }).nullish(),
});

export const providerTransaction = z.object({
  id: text.min(1),
  amount,
  status: text,
  kind: optionalText,
  createdAt: time,
  postedAt: time.nullish(),
  counterpartyName: optionalText,
  counterpartyNickname: optionalText,
  note: optionalText,
});

export const providerTransactions = z.object({
  total: z.number().int().min(0).nullish(),
  transactions: z.array(providerTransaction),
});

export const providerOrganization = z.object({
  organization: z.object({
    legalBusinessName: optionalText,
    legalName: optionalText,
    ein: optionalText,
    dbas: z.array(z.union([text, z.object({ dbaName: text })])).nullish(),
  }).refine(({ legalBusinessName, legalName }) => legalBusinessName || legalName, "no name"),
});

export type ProviderAccount = z.output<typeof providerAccount>;
export type ProviderTransaction = z.output<typeof providerTransaction>;
export type ProviderOrganization = z.output<typeof providerOrganization>["organization"];
