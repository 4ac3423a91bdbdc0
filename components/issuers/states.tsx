import { type DomainStatus, domainStatus, type IssuerRow } from "../../lib/features/issuers/mod.ts";

/** The words and the colour for each state of a domain. */
const DOMAINS: Record<DomainStatus, [text: string, tone: string]> = {
  none: ["no domain", ""],
  unverified: ["not verified", "warn"],
  verified: ["verified", "good"],
  failing: ["checks fail", "warn"],
  lost: ["no longer verified", "bad"],
};

const ISSUERS: Record<IssuerRow["state"], string> = {
  active: "good",
  suspended: "warn",
  ended: "bad",
};

export const DomainState = ({ issuer, now }: { issuer: IssuerRow; now: number }) => {
  const [text, tone] = DOMAINS[domainStatus(issuer, now)];
  return <span class={`pill ${tone}`.trim()}>{text}</span>;
};

export const IssuerState = ({ issuer: { state } }: { issuer: IssuerRow }) => (
  <span class={`pill ${ISSUERS[state]}`}>{state}</span>
);
