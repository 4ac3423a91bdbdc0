import type { Addresses } from "./addresses.ts";
import type { Registered } from "./contract.ts";
import { maskEmail, maskMobile } from "./masked.ts";
import type { RegisteredEnquiry } from "./register.ts";

/** What a sender is told of a registration: of the person, only what they know it by. */
export function answerOf({ enquiry, chain }: RegisteredEnquiry, addresses: Addresses): Registered {
  const { email, mobile } = enquiry;
  const { hash, head, events } = chain;
  return {
    hash,
    head,
    events,
    masked: { email: maskEmail(email), mobile: mobile === undefined ? null : maskMobile(mobile) },
    chain_url: addresses.chain(hash),
    verify_url: addresses.verify(hash),
  };
}
