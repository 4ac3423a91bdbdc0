import { setAlertState } from "../alerts/mod.ts";
import type { IssuerRow } from "./rows.ts";

/** The alert about a domain that fails its checks. */
export const DOMAIN_FAILING = "issuer_domain";

export const domainProblem = ({ organisation, id }: Pick<IssuerRow, "organisation" | "id">) => ({
  organisation,
  kind: DOMAIN_FAILING,
  problem: id,
});

/** Adds to a commit that the alert about the domain of an issuer is done, if there is one. */
export const endDomainAlert = async (
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  issuer: IssuerRow,
  now: number,
): Promise<void> => {
  if (!issuer.domain?.failing_since) return;
  await setAlertState(kv, commit, domainProblem(issuer), { state: "done", by: null, now });
};
