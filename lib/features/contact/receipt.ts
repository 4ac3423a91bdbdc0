/** The response to a registration. */
import { domainToUnicode } from "node:url";
import { z } from "zod";
import { hashSchema, headSchema, linkedEventSchema } from "../../../packages/proof/mod.ts";
import type { ChainPage } from "../chain/mod.ts";
import { DIAL_CODES, type Enquiry, MASKED_FIELDS } from "./fields.ts";
import type { ContactUrls } from "./urls.ts";

export const registeredSchema = z.object({
  hash: hashSchema,
  organisation: z.string().describe("The name of the organisation that the enquiry belongs to."),
  head: headSchema,
  events: z.array(linkedEventSchema).describe("The latest events, newest last."),
  masked: z.record(z.enum(MASKED_FIELDS.map(({ name }) => name)), z.string().nullable()).describe(
    "The email address and the number, masked; null for fields that were left empty.",
  ),
  chain_url: z.url(),
  verify_url: z.url().describe(
    "The page that verifies the chain, for people; also the content of the QR code.",
  ),
});

/** The 201 response of `POST /api/ir/register`. */
export type Registered = z.infer<typeof registeredSchema>;

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
