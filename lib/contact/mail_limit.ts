import { mailboxOf } from "../auth/email.ts";
import { createRateLimiter } from "../http/rate_limit.ts";

export interface MailLimitOptions {
  /** Mails an hour to one mailbox; 0 for no limit. */
  limit: number;
  /** Milliseconds since 1970. */
  clock: () => number;
}

/** Whether one more mail may go to an address; where it may, it counts. */
export type MailLimit = (email: string) => boolean;

/**
 * Keeps the form from being used to fill somebody's mailbox: anybody may type any address, from any
 * number of network addresses. What is counted is in the memory of this process alone, since a
 * stored count would tell who has written, even under a hash, for addresses can be guessed. What
 * stands behind a `+` is most often the same mailbox.
 */
export function createMailLimit({ limit, clock }: MailLimitOptions): MailLimit {
  const limiter = createRateLimiter({ limit, windowMs: 3_600_000, clock, maxClients: 10_000 });
  return (email) => limiter.take(mailboxOf(email)).allowed;
}
