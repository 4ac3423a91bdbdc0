/** Pauses mail to a domain whose server keeps deferring it. */
import { HOUR_MS, MINUTE_MS } from "../../base/time.ts";

/** How many mails in a row a domain puts off before the others wait, because one address alone may be at fault. */
const IN_A_ROW = 20;

/** How long they wait, longer in each round. */
const WAITS_MS = [5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS];

/** The most domains that are remembered. */
const MOST_DOMAINS = 1_000;

/** How long mail to domains waits that put it off. */
interface DomainWaits {
  /** Returns for how many milliseconds no mail to the domain of an address is tried again; 0 if it may be. */
  waitMs(to: string): number;
  /** Notes whether the domain of an address has put a mail off, or has accepted one. */
  note(to: string, is: "deferred" | "accepted"): void;
}

/** Creates the memory of one process, which others learn for themselves. */
export function createDomainWaits(clock: () => number): DomainWaits {
  const domains = new Map<string, { deferred: number; rounds: number; until: number }>();
  return {
    waitMs: (to) => Math.max(0, (domains.get(domainOf(to))?.until ?? 0) - clock()),
    note(to, is) {
      const domain = domainOf(to);
      const { rounds, until, ...known } = domains.get(domain) ??
        { deferred: 0, rounds: 0, until: 0 };
      if (is === "accepted") return void domains.delete(domain);
      // It was tried before the wait began.
      if (clock() < until) return;
      const deferred = known.deferred + 1;
      if (domains.size >= MOST_DOMAINS) domains.delete(domains.keys().next().value!);
      if (deferred < IN_A_ROW) return void domains.set(domain, { deferred, rounds, until });
      const wait = WAITS_MS[Math.min(rounds, WAITS_MS.length - 1)];
      domains.set(domain, { deferred: 0, rounds: rounds + 1, until: clock() + wait });
    },
  };
}

const domainOf = (address: string): string =>
  address.slice(address.lastIndexOf("@") + 1).toLowerCase();
