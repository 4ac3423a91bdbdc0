import { z } from "zod";

/**
 * An account as the rest of the site knows it (spec 2.2, 2.4). There is no room in it for the full
 * account number or the routing number.
 */
export interface Account {
  /** The provider's UUID. */
  id: string;
  nickname: string;
  /** Such as `checking`, `savings`, `treasury`. */
  kind: string;
  /** Dollars, two decimals at most. */
  balance: number;
  /** The last four digits of the account number; empty where the provider gives none yet. */
  last4: string;
  /** The provider's own word, such as `active` or `archived`. */
  status: string;
}

/** A movement on an account. Times are ISO 8601 in UTC. */
export interface Transaction {
  id: string;
  /** Null until it is posted. */
  posted_at: string | null;
  created_at: string;
  /** Dollars, two decimals at most; negative: money went out. */
  amount: number;
  counterparty: string;
  kind: string;
  status: string;
  note: string | null;
}

/** Some of an account's transactions. */
export interface TransactionPage {
  /** How many there are with these filters, of which this page is a part. */
  total: number;
  transactions: Transaction[];
}

/** Whose accounts they are. */
export interface Organization {
  name: string;
  tax_id: string | null;
  trade_names: string[];
}

/** What comes back from the store was written by some version of this code: maybe an older one. */
export const storedAccounts: z.ZodType<Account[]> = z.array(z.object({
  id: z.string(),
  nickname: z.string(),
  kind: z.string(),
  balance: z.number(),
  last4: z.string(),
  status: z.string(),
}));

export const storedOrganization: z.ZodType<Organization> = z.object({
  name: z.string(),
  tax_id: z.string().nullable(),
  trade_names: z.array(z.string()),
});
