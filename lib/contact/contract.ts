import type { Head, LinkedEvent } from "../chain/mod.ts";
import type { ENQUIRY_TYPES } from "./choices.ts";

/** What the form sends and gets (spec 2.8, 4.6): types alone, for server and browser alike. */

export type EnquiryType = (typeof ENQUIRY_TYPES)[number];

/** The body of `POST /api/ir/register`. The honeypot stands beside these, under its own name. */
export interface Registration {
  name: string;
  organisation?: string;
  email: string;
  /** `country` is one of the dial codes' countries; `number` as it was typed. */
  mobile?: { country: string; number: string };
  enquiry_type: EnquiryType;
  message?: string;
  /** The answer of the bot challenge, where there is one. */
  challenge?: string;
  /** From the opening of the form to its sending, in milliseconds. */
  elapsed_ms: number;
}

/** The answer 201. */
export interface Registered {
  /** The record's hash. */
  hash: string;
  head: Head;
  /** The latest events, the newest last. */
  events: LinkedEvent[];
  /** How email and mobile are shown; mobile is null where none was given. */
  masked: { email: string; mobile: string | null };
  /** `GET /api/chain/:hash`, in full. */
  chain_url: string;
  /** Where a person verifies the chain, in full: the QR code. */
  verify_url: string;
}
