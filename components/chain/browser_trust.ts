/** The policy and the log keys on which a browser relies when it checks a publisher's public log. */
import {
  createMemory,
  EMPTY_POLICY,
  type LogMemory,
  logUrl,
  parsePolicy,
  type Policy,
  type ReaderTrust,
  storageMemory,
  suggestedKeys,
} from "../../packages/proof/mod.ts";
import { savedPolicy, storage } from "./saved_policy.ts";

/** The log of the publisher whose site this is, as the page states it. */
export interface PageLog {
  /** The publisher's host. */
  publisher: string;
  /** The address of its log, without a trailing slash. */
  url: string;
  /** A policy with the log's keys and the witnesses that this site knows, as text. */
  policy: string;
}

/** Remembers logs in this browser, for pages of this site. */
function browserMemory(): LogMemory {
  const stored = storage();
  return stored === null ? createMemory() : storageMemory(stored);
}

/**
 * Returns whom the reader trusts about a publisher's log: their own policy, or the witnesses that this site
 * knows. A log's key is the one of the reader's policy or the one that this browser has seen first.
 */
export function browserTrust(
  publisher: string,
  page: PageLog | null,
  { acceptKey = false } = {},
): ReaderTrust {
  const own = page?.publisher === publisher ? page : null;
  return {
    policy: readersPolicy(savedPolicy()) ?? sitesPolicy(page, own !== null),
    memory: browserMemory(),
    acceptKey,
    ...own === null ? {} : { suggest: () => Promise.resolve(suggestedKeys(own.policy)) },
  };
}

function readersPolicy(text: string | null): Policy | null {
  if (text === null) return null;
  try {
    return parsePolicy(text);
  } catch {
    return null; // it was valid when it was saved
  }
}

/** @param isOwn false for the log of another publisher, whose witnesses this site does not run for it */
function sitesPolicy(page: PageLog | null, isOwn: boolean): Policy {
  if (page === null) return EMPTY_POLICY;
  const policy = parsePolicy(page.policy);
  const witnesses = policy.witnesses.map((each) => ({ ...each, own: each.own && isOwn }));
  return { ...policy, logs: [], witnesses };
}

/** Returns the address of a publisher's log; null if its name is not a host. */
export const addressOfLog = (publisher: string, page: PageLog | null): string | null =>
  page?.publisher === publisher ? page.url : logUrl(publisher);
