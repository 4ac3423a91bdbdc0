/** The job that checks the verified domains of issuers again, every week or every day. */
import { type Condition, observe } from "../alerts/mod.ts";
import { ifWritable } from "../../platform/kv/mod.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import type { Job } from "../../platform/jobs/mod.ts";
import type { CheckDomain, DomainCheck, DomainNetwork } from "./domain_check.ts";
import { domainStatus } from "./domain_status.ts";
import { isFound, type IssuerDomains, warningsDue } from "./domains.ts";
import { type IssuerRow, issuerRows } from "./rows.ts";

export const CHECKS_FAILING = "domain_checks";

const checksFailing: Condition = { kind: CHECKS_FAILING, reopens: true };

const CHECKED_EVERY_MS = 7 * DAY_MS;
/** How often a domain is checked while its checks fail. */
const FAILING_EVERY_MS = DAY_MS;

/** How many domains are checked at the same time, and in one run. */
const CONCURRENT = 8;
const MOST_CHECKED = 100;

/** If this many domains begin to fail in one run and none is found, our own network has probably failed. */
const MANY = 3;

interface DomainJobOptions {
  kv: Deno.Kv;
  clock: () => number;
  domains: Pick<IssuerDomains, "note">;
  checkDomain: CheckDomain;
  network: Pick<DomainNetwork, "resolves" | "deadline">;
}

interface Checked {
  issuer: IssuerRow;
  outcome: DomainCheck;
}

/**
 * Returns the job that checks verified domains every week, and every day while they fail. A domain that is
 * lost is no longer checked: its proof was public, so its next owner could publish it too. The due checks
 * follow from the rows, so an interrupted run is continued by the next one.
 */
export const domainJob = (options: DomainJobOptions): Job => ({
  name: "issuer-domains",
  title: "Checking the domains of issuers",
  everyMs: HOUR_MS,
  maxMs: 10 * MINUTE_MS,
  async run({ signal }) {
    const { kv, clock, domains } = options;
    const now = clock();
    const rows = await Array.fromAsync(issuerRows.list(kv, []), ({ value }) => value);
    const open = rows.filter(({ state }) => state !== "ended");
    for (const issuer of open) {
      if (isLost(issuer, now)) await domains.note(issuer, null);
    }
    const due = open.filter((issuer) => isDue(issuer, now)).sort(byLastCheck);
    const checked = await check(options, due.slice(0, MOST_CHECKED), signal);
    const doubtful = await findDoubtful(options, checked);
    for (const { issuer, outcome } of checked) {
      if (!doubtful.has(issuer)) await domains.note(issuer, outcome);
    }
    await report(options, checked, doubtful);
    const failed = checked.filter(({ outcome }) => !isFound(outcome)).length - doubtful.size;
    return `${checked.length} checked, ${failed} failed, ${doubtful.size} in doubt`;
  },
});

/** Returns whether an issuer must learn that its domain is lost. */
const isLost = (issuer: IssuerRow, now: number): boolean =>
  domainStatus(issuer, now) === "lost" && warningsDue(issuer, now) > issuer.domain!.warnings;

function isDue(issuer: IssuerRow, now: number): boolean {
  const status = domainStatus(issuer, now);
  if (status !== "verified" && status !== "failing") return false;
  const { checked_at, warnings } = issuer.domain!;
  const every = status === "failing" ? FAILING_EVERY_MS : CHECKED_EVERY_MS;
  return now >= Date.parse(checked_at!) + every || warningsDue(issuer, now) > warnings;
}

const byLastCheck = (a: IssuerRow, b: IssuerRow): number =>
  a.domain!.checked_at! < b.domain!.checked_at! ? -1 : 1;

/** Checks the domains of issuers, a few at a time, until the signal aborts. */
async function check(
  { checkDomain }: DomainJobOptions,
  issuers: readonly IssuerRow[],
  signal: AbortSignal,
): Promise<Checked[]> {
  const checked: Checked[] = [];
  const waiting = [...issuers];
  await Promise.all(Array.from({ length: CONCURRENT }, async () => {
    for (let issuer = waiting.shift(); issuer && !signal.aborted; issuer = waiting.shift()) {
      checked.push({ issuer, outcome: await checkDomain(issuer.domain!) });
    }
  }));
  return checked;
}

/**
 * Returns the issuers whose domains seem to begin to fail because the site's own resolver or network does:
 * all of those that were found in the same way fail, and either there are many, or nothing resolves.
 */
async function findDoubtful(
  { network }: DomainJobOptions,
  checked: readonly Checked[],
): Promise<Set<IssuerRow>> {
  const doubtful = new Set<IssuerRow>();
  for (const method of ["dns", "file"] as const) {
    const group = checked.filter(({ issuer: { domain } }) =>
      domain!.failing_since === null && domain!.method === method
    );
    if (group.length === 0 || group.some(({ outcome }) => isFound(outcome))) continue;
    if (group.length < MANY && await network.resolves(network.deadline(10_000))) continue;
    for (const { issuer } of group) doubtful.add(issuer);
  }
  return doubtful;
}

/** Opens the alert that the checks cannot be believed, in each console that they concern, or ends it. */
async function report(
  { kv, clock }: DomainJobOptions,
  checked: readonly Checked[],
  doubtful: ReadonlySet<IssuerRow>,
): Promise<void> {
  for (const organisation of new Set(checked.map(({ issuer }) => issuer.organisation))) {
    const count = [...doubtful].filter((issuer) => issuer.organisation === organisation).length;
    const problem = { condition: checksFailing, organisation, problem: "checks" };
    const observed = count === 0
      ? { state: "ok" } as const
      : { state: "bad", details: { count } } as const;
    await ifWritable(() => observe({ kv, clock }, problem, observed));
  }
}
