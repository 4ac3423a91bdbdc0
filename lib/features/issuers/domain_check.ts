/** Looks for the proof that an issuer controls its domain: a DNS record, or a file on its website. */
import {
  internet,
  type Network,
  pinnedFetch,
  PinnedFetchError,
} from "../../platform/http/pinned_fetch.ts";
import { SECOND_MS } from "../../base/time.ts";
import { isExample } from "./domain_name.ts";
import type { DNS_OUTCOMES, FILE_OUTCOMES, IssuerDomain } from "./rows.ts";

type DnsOutcome = (typeof DNS_OUTCOMES)[number];
type FileOutcome = (typeof FILE_OUTCOMES)[number];

/** The outcome of a check: whether the domain has its token, and where it was looked for. */
export interface DomainCheck {
  dns: DnsOutcome;
  /** Null if it was not looked for, because the DNS has the token. */
  file: FileOutcome | null;
}

/** The network, which tests replace. */
export interface DomainNetwork extends Network {
  /** Returns the TXT records of a name. Each consists of strings of at most 255 bytes. */
  resolveTxt(name: string, signal: AbortSignal): Promise<string[][]>;
  /** Returns whether the resolver works. */
  resolves(signal: AbortSignal): Promise<boolean>;
}

export const publicNetwork: DomainNetwork = {
  ...internet,
  resolveTxt: (name, signal) => Deno.resolveDns(name, "TXT", { signal }),
  resolves: (signal) =>
    Deno.resolveDns("com", "NS", { signal }).then((servers) => servers.length > 0, () => false),
};

const DEADLINE_MS = 10 * SECOND_MS;
const MAX_FILE = 4 * 1024;
/** The most records and lines that are compared. */
const MOST_COMPARED = 100;

const FILE_PATH = "/.well-known/gatehouse-verification.txt";

/** Returns the name of the TXT record, which is below the domain so that it never is among many others. */
export const recordNameOf = (domain: string): string => `_gatehouse.${domain}`;

/** Returns the URL of the file. */
export const fileUrlOf = (domain: string): string => `https://${domain}${FILE_PATH}`;

/** Returns what the TXT record contains, and a line of the file. */
export const proofTextOf = ({ token }: Pick<IssuerDomain, "token">): string =>
  `gatehouse-verification=${token}`;

export type CheckDomain = (domain: Pick<IssuerDomain, "name" | "token">) => Promise<DomainCheck>;

/**
 * Creates the function that looks for the token of a domain: in the DNS first, then in the file, which is
 * fetched like every URL that a stranger chooses, from a checked address and without redirects.
 */
export const createDomainCheck = (network: DomainNetwork): CheckDomain => async (domain) => {
  const text = proofTextOf(domain);
  const dns = await checkDns(network, domain.name, text);
  return { dns, file: dns === "found" ? null : await checkFile(network, domain.name, text) };
};

async function checkDns(network: DomainNetwork, domain: string, text: string): Promise<DnsOutcome> {
  try {
    const records = await network.resolveTxt(recordNameOf(domain), network.deadline(DEADLINE_MS));
    if (records.slice(0, MOST_COMPARED).some((strings) => strings.join("").trim() === text)) {
      return "found";
    }
    return records.length > 0 ? "other" : "absent";
  } catch (error) {
    // Deno also throws this if a server refuses or fails to answer.
    return error instanceof Deno.errors.NotFound ? "absent" : "no_answer";
  }
}

async function checkFile(
  network: DomainNetwork,
  domain: string,
  text: string,
): Promise<FileOutcome> {
  try {
    const options = {
      headers: { accept: "text/plain" },
      maxBody: MAX_FILE,
      deadlineMs: DEADLINE_MS,
    };
    const { status, body } = await pinnedFetch(new URL(fileUrlOf(domain)), network, options);
    if (status >= 300 && status < 400) return "redirect";
    if (status !== 200) return "absent";
    const lines = body.split("\n", MOST_COMPARED);
    return lines.some((line) => line.trim() === text) ? "found" : "other";
  } catch (error) {
    if (!(error instanceof PinnedFetchError)) throw error;
    const { code } = error;
    return code === "timeout" || code === "connection_failed" ? "no_answer" : code;
  }
}

/**
 * The stand-in for the DNS and the web of `.example`, where nothing can be published: in development, each
 * of its domains has its token, unless its first label is `unverified`. Other domains are looked up.
 */
export const withExamples = (check: CheckDomain): CheckDomain => async (domain) => {
  if (!isExample(domain.name)) return await check(domain);
  return domain.name.startsWith("unverified.")
    ? { dns: "absent", file: "no_address" }
    : { dns: "found", file: null };
};
