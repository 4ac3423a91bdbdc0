import { type DomainStatus, domainStatus, type IssuerRow } from "../../lib/features/issuers/mod.ts";

/** The words and the colour for each state of a domain. */
const DOMAINS: Record<DomainStatus, [text: string, tone: string]> = {
  none: ["No domain", ""],
  unverified: ["Not verified", "warn"],
  verified: ["Verified", "good"],
  failing: ["Checks fail", "warn"],
  lost: ["No longer verified", "bad"],
};

const ISSUERS: Record<IssuerRow["state"], [text: string, tone: string]> = {
  active: ["Active", "good"],
  suspended: ["Suspended", "warn"],
  ended: ["Ended", "bad"],
};

export const DomainState = ({ issuer, now }: { issuer: IssuerRow; now: number }) => {
  const [text, tone] = DOMAINS[domainStatus(issuer, now)];
  return <span class={`pill ${tone}`.trim()}>{text}</span>;
};

export const IssuerState = ({ issuer }: { issuer: IssuerRow }) => {
  const [text, tone] = ISSUERS[issuer.state];
  return <span class={`pill ${tone}`}>{text}</span>;
};
