import { domainToUnicode } from "node:url";
import type { Head, LinkedEvent } from "../chain/mod.ts";
import type { ChainPage } from "../chain/store/mod.ts";
import { DIAL_CODES, type Enquiry, MASKED_FIELDS, type MaskedName } from "./fields.ts";
import type { ContactUrls } from "./urls.ts";

/** The 201 response of `POST /api/ir/register`. */
export interface Registered {
  hash: string;
  /** The name of the organisation that the enquiry belongs to. */
  organisation: string;
  head: Head;
  /** The latest events, newest last. */
  events: LinkedEvent[];
  /** The masked fields; null for fields that were left empty. */
  masked: Record<MaskedName, string | null>;
  chain_url: string;
  /**
   * The full URL of the page that verifies the chain, for people; also the content of the QR code.
   */
  verify_url: string;
}

export interface RegisteredEnquiry {
  enquiry: Enquiry;
  chain: ChainPage;
}

/** Returns what the sender of a registration sees, with personal data masked. */
export function receiptOf(
  { enquiry, chain }: RegisteredEnquiry,
  organisation: string,
  urls: ContactUrls,
): Registered {
  const { hash, head, events } = chain;
  const masked = MASKED_FIELDS.map(({ name, kind }) => {
    const value = enquiry[name];
    return [name, value === undefined ? null : MASKS[kind](value)];
  });
  return {
    hash,
    organisation,
    head,
    events,
    masked: Object.fromEntries(masked),
    chain_url: urls.chain(hash),
    verify_url: urls.verify(hash),
  };
}

const MASKS = { email: maskEmail, mobile: maskMobile };

/** A fixed number of dots, so that they do not reveal the length. */
const DOTS = "•••";

/**
 * Masks a normalised email address so that its owner still recognises it.
 *
 * @example
 * ```ts
 * maskEmail("ada@mail.example.org"); // "a•••@m•••.org"
 * ```
 */
export function maskEmail(email: string): string {
  const [local, host] = email.split("@");
  const domain = domainToUnicode(host) || host; // as its owner types it
  const [first] = local;
  const [firstOfDomain] = domain;
  return `${first}${DOTS}@${firstOfDomain}${DOTS}${domain.slice(domain.lastIndexOf("."))}`;
}

/**
 * Masks an E.164 number, except for its dial code and its last three digits.
 *
 * @example
 * ```ts
 * maskMobile("+61412345678"); // "+61 ••• ••• 678"
 * ```
 */
export function maskMobile(mobile: string): string {
  const dial = DIAL_CODES.find(({ code }) => mobile.startsWith(code))?.code ?? "+";
  return `${dial} ${DOTS} ${DOTS} ${mobile.slice(-3)}`;
}
