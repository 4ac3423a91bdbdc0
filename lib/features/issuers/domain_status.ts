/** The state of an issuer's domain, and what public pages show about an issuer. */
import { DAY_MS } from "../../base/time.ts";
import type { IssuerRow } from "./rows.ts";

/** How long a domain is still shown as verified after its checks began to fail. */
export const GRACE_MS = 14 * DAY_MS;

/**
 * `failing`: the last checks failed, and it is still shown as verified; `lost`: they have failed for
 * {@link GRACE_MS}, and pages say that the domain is no longer verified.
 */
export type DomainStatus = "none" | "unverified" | "verified" | "failing" | "lost";

/** Returns the state of an issuer's domain. */
export function domainStatus({ domain }: Pick<IssuerRow, "domain">, now: number): DomainStatus {
  if (domain === null) return "none";
  if (domain.verified_at === null) return "unverified";
  if (domain.failing_since === null) return "verified";
  return now < lossOf(domain.failing_since) ? "failing" : "lost";
}

/** Returns when a domain is lost whose checks have failed since a time. */
export const lossOf = (failing_since: string): number => Date.parse(failing_since) + GRACE_MS;

/** The facts about the issuer of a document that pages show besides its name. */
interface PublicIssuer {
  /** Its domain, and when it was verified: ISO 8601, or null if it is no longer verified. */
  domain?: { name: string; verifiedOn: string | null };
  /** When it ended, if it no longer issues documents. */
  endedAt?: string;
}

/**
 * Returns what everybody may know about an issuer. The domain of one that has ended is no longer checked, so
 * it is not shown. A suspension is not public.
 *
 * @param issuer null if it was removed
 */
export function publicIssuer(
  issuer: Pick<IssuerRow, "domain" | "state" | "state_at"> | null,
  now: number,
): PublicIssuer {
  if (issuer === null) return {};
  if (issuer.state === "ended") return { endedAt: issuer.state_at };
  const status = domainStatus(issuer, now);
  if (status === "none" || status === "unverified") return {};
  const { name, verified_at } = issuer.domain!;
  return { domain: { name, verifiedOn: status === "lost" ? null : verified_at } };
}
