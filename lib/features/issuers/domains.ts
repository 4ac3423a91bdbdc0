/** Sets, removes and verifies the domains of issuers, and warns them before a domain is lost. */
import { encodeHex } from "../../base/encoding.ts";
import { fail } from "../../base/result.ts";
import { DAY_MS } from "../../base/time.ts";
import {
  type Mailer,
  type MailOrganisation,
  type QueuedMail,
  senderOf,
  transactAndMail,
} from "../../platform/mail/mod.ts";
import type { OrganisationKey, Surfaces } from "../../platform/surfaces/mod.ts";
import { changeIssuer, type IssuerChange, type IssuerResult, readIssuer } from "./change.ts";
import { addDomainAlert, endDomainAlert } from "./domain_alert.ts";
import type { CheckDomain, DomainCheck } from "./domain_check.ts";
import { domainMail } from "./domain_mail.ts";
import { areRelated, isExample, normaliseDomain } from "./domain_name.ts";
import { domainStatus, lossOf } from "./domain_status.ts";
import { BY_DOMAIN, type IssuerDomain, type IssuerRow, issuerRows } from "./rows.ts";

/** How long before the end of the 14 days an issuer is warned again. */
const LAST_WARNING_MS = 3 * DAY_MS;

/** The domains of issuers, and the checks that the issuers control them. */
export interface IssuerDomains {
  /**
   * Sets the domain of an issuer, with a new token. It is not verified until a check finds the token.
   *
   * @param change.domain as somebody entered it
   */
  set(change: IssuerChange & { domain: string }): Promise<IssuerResult>;
  remove(change: IssuerChange): Promise<IssuerResult>;
  /** Checks the domain now, and notes the outcome. */
  check(change: IssuerChange): Promise<IssuerResult>;
  /**
   * Notes the outcome of a check by the job, and warns the issuer and the console if that is due. Does nothing
   * if the domain has been changed or checked since.
   *
   * @param outcome null if it was not checked
   */
  note(seen: IssuerRow, outcome: DomainCheck | null): Promise<void>;
}

interface IssuerDomainsOptions {
  kv: Deno.Kv;
  clock: () => number;
  organisations: Record<OrganisationKey, MailOrganisation>;
  surfaces: Pick<Surfaces, "all">;
  mailer: Mailer;
  checkDomain: CheckDomain;
  /** True if the names of examples count. */
  examples: boolean;
}

export function createIssuerDomains(options: IssuerDomainsOptions): IssuerDomains {
  const { kv, clock, surfaces, mailer, checkDomain, examples } = options;
  const ownHosts = surfaces.all.map(({ baseUrl }) => new URL(baseUrl).hostname);

  /** Adds the warning that is due to a commit, and returns the row with it. */
  async function warn(
    commit: Deno.AtomicOperation,
    issuer: IssuerRow,
    now: number,
  ): Promise<{ issuer: IssuerRow; mails: QueuedMail[] }> {
    const domain = issuer.domain!;
    const due = warningsDue(issuer, now);
    if (due <= domain.warnings) return { issuer, mails: [] };
    const failing = { ...domain, failing_since: domain.failing_since!, warnings: due };
    const details = {
      domain: domain.name,
      until: new Date(lossOf(failing.failing_since)).toISOString(),
      lost: due === LOST ? "yes" : "no",
    };
    await addDomainAlert(kv, commit, issuer, details, now);
    const { contact: to, organisation, name } = issuer;
    const sender = senderOf(options.organisations, organisation);
    const mails = to === null ? [] : [
      await mailer.add(
        commit,
        domainMail({ sender, to, issuer: name, domain: failing, lost: due === LOST }),
        { expiresAt: now + 7 * DAY_MS, about: `issuer/${issuer.id}`, kind: "issuer_domain" },
      ),
    ];
    return { issuer: { ...issuer, domain: failing }, mails };
  }

  return {
    async set({ domain: given, ...change }) {
      const name = normaliseDomain(given);
      if (name === null || !examples && isExample(name)) return refuse(NO_DOMAIN);
      if (ownHosts.some((host) => areRelated(host, name))) return refuse(OWN_DOMAIN);
      return await changeIssuer(options, change, async (before, commit, now) => {
        if (before.id === before.organisation) return fail("conflict", { message: OWN_ISSUER });
        if (before.domain?.name === name) return null;
        const known = await kv.get<string>([BY_DOMAIN, before.organisation, name]);
        if (known.value !== null) return refuse(TAKEN);
        commit.check(known);
        await endDomainAlert(kv, commit, before, now);
        const issuer = { ...before, domain: newDomain(name, now) };
        return { ok: true, issuer, action: "issuer_domain_set", detail: name };
      });
    },
    remove: (change) =>
      changeIssuer(options, change, async (before, commit, now) => {
        if (before.domain === null) return null;
        await endDomainAlert(kv, commit, before, now);
        const detail = before.domain.name;
        return {
          ok: true,
          issuer: { ...before, domain: null },
          action: "issuer_domain_removed",
          detail,
        };
      }),
    async check(change) {
      const { value: issuer } = await readIssuer(options, change.organisation, change.id);
      if (issuer === null) return fail("not_found");
      if (issuer.domain === null) return fail("conflict", { message: NONE });
      const { token } = issuer.domain;
      const outcome = await checkDomain(issuer.domain);
      return await changeIssuer(options, change, async (before, commit, now) => {
        if (before.domain?.token !== token) return fail("conflict", { message: CHANGED });
        const status = domainStatus(before, now);
        const checked = withOutcome(before, outcome, now);
        if (isFound(outcome)) await endDomainAlert(kv, commit, before, now);
        // Whoever verifies it again must not extend an earlier verification.
        const again = isFound(outcome) && (status === "unverified" || status === "lost");
        const verified_at = again ? new Date(now).toISOString() : checked.domain!.verified_at;
        return {
          ok: true,
          issuer: { ...checked, domain: { ...checked.domain!, verified_at } },
          action: again ? "issuer_domain_verified" : "issuer_domain_checked",
          detail: before.domain.name,
        };
      });
    },
    note: (seen, outcome) =>
      transactAndMail(mailer, async () => {
        const entry = await issuerRows.get(kv, seen.organisation, seen.id);
        const before = entry.value;
        const now = clock();
        const isSame = before?.domain?.token === seen.domain!.token &&
          before.domain.checked_at === seen.domain!.checked_at;
        if (before === null || !isSame) return { result: undefined };
        const commit = kv.atomic();
        if (outcome !== null && isFound(outcome)) await endDomainAlert(kv, commit, before, now);
        const checked = outcome === null ? before : withOutcome(before, outcome, now);
        const { issuer, mails } = await warn(commit, checked, now);
        issuerRows.replace(commit, entry, issuer);
        return { result: undefined, commit, mails };
      }),
  };
}

const newDomain = (name: string, now: number): IssuerDomain => ({
  name,
  token: encodeHex(crypto.getRandomValues(new Uint8Array(16))),
  added_at: new Date(now).toISOString(),
  verified_at: null,
  method: null,
  checked_at: null,
  failing_since: null,
  warnings: 0,
  outcome: null,
});

export const isFound = ({ dns, file }: DomainCheck): boolean => dns === "found" || file === "found";

/** Returns an issuer whose domain was just checked. Before it was verified, nothing fails. */
function withOutcome(issuer: IssuerRow, outcome: DomainCheck, now: number): IssuerRow {
  const before = issuer.domain!;
  const at = new Date(now).toISOString();
  const found = isFound(outcome);
  const failing_since = found || before.verified_at === null ? null : before.failing_since ?? at;
  return {
    ...issuer,
    domain: {
      ...before,
      method: found ? outcome.dns === "found" ? "dns" : "file" : before.method,
      checked_at: at,
      failing_since,
      warnings: failing_since === null ? 0 : before.warnings,
      outcome,
    },
  };
}

/** The number of the warning that says that the domain is lost. */
const LOST = 3;

/** Returns how many warnings an issuer should have had about its domain. */
export function warningsDue(issuer: IssuerRow, now: number): number {
  const since = issuer.domain?.failing_since ?? null;
  if (since === null) return 0;
  if (domainStatus(issuer, now) === "lost") return LOST;
  return now < lossOf(since) - LAST_WARNING_MS ? 1 : 2;
}

const refuse = (problem: string) => fail("invalid_request", { issues: { domain: problem } });

const NO_DOMAIN = "Enter a host name in the public DNS, such as college.edu.";
const OWN_DOMAIN = "This is a domain of this site.";
const TAKEN = "Another issuer has this domain.";
const OWN_ISSUER = "This is your own organisation, whose domain is that of its pages.";
const NONE = "This issuer has no domain.";
const CHANGED = "Somebody else has changed the domain. Reload the page.";
