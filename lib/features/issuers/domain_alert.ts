/**
 * The alert about the domain of an issuer that fails its checks.
 *
 * @module
 */
import { addObservation, type Condition, type Observation } from "../alerts/mod.ts";
import type { IssuerRow } from "./rows.ts";

/** The alert about a domain that fails its checks. */
export const DOMAIN_FAILING = "issuer_domain";

const domainFailing: Condition = { kind: DOMAIN_FAILING, reopens: true };

/** Adds to a commit what was found out about the domain of an issuer. */
const addDomainObservation = (
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  { organisation, id }: IssuerRow,
  observed: Observation,
  now: number,
) =>
  addObservation(
    kv,
    commit,
    { condition: domainFailing, organisation, problem: id },
    observed,
    now,
  );

/** Adds a warning about the domain of an issuer to its alert. */
export const addDomainAlert = (
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  issuer: IssuerRow,
  details: Record<string, string>,
  now: number,
): Promise<unknown> =>
  addDomainObservation(kv, commit, issuer, {
    state: "bad",
    again: true,
    links: { issuer: issuer.id },
    details,
  }, now);

/** Adds to a commit that the alert about the domain of an issuer is done, if there is one. */
export const endDomainAlert = async (
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  issuer: IssuerRow,
  now: number,
): Promise<void> => {
  if (!issuer.domain?.failing_since) return;
  await addDomainObservation(kv, commit, issuer, { state: "ok" }, now);
};
