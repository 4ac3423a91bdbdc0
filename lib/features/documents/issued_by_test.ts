import { assertEquals } from "@std/assert";
import { DAY_MS } from "../../base/time.ts";
import { DOMAIN_GRACE_MS, domainOf, issuedBy, type Parties } from "./issued_by.ts";

const VERIFIED_AT = "2026-11-23T09:00:00.000Z";
const NOW = Date.parse("2027-02-01T00:00:00.000Z");

for (
  const [text, parties] of [
    ["Issued and registered by Attest Systems", { issuer: "Attest Systems" }],
    [
      "Issued by Harbour College · registered with Attest Systems",
      { issuer: "Harbour College" },
    ],
    [
      "Issued by Harbour College (harbour.example, verified 23 Nov 2026) · registered with Attest Systems",
      {
        issuer: "Harbour College",
        domain: { name: "harbour.example", verifiedOn: VERIFIED_AT },
      },
    ],
    [
      "Issued by Harbour College (harbour.example, domain no longer verified) · registered with Attest Systems",
      { issuer: "Harbour College", domain: { name: "harbour.example", verifiedOn: null } },
    ],
  ] as [string, Omit<Parties, "registrar">][]
) {
  Deno.test(text, () => {
    assertEquals(issuedBy({ ...parties, registrar: "Attest Systems" }), text);
  });
}

Deno.test("a domain is named once it was verified, and no longer counts after 14 days of failed checks", () => {
  const domain = {
    name: "harbour.example",
    token: "t",
    added_at: VERIFIED_AT,
    verified_at: VERIFIED_AT,
    method: "dns" as const,
    checked_at: VERIFIED_AT,
    failing_since: null,
  };
  const at = (change: Partial<{ verified_at: null; failing_since: string }>) =>
    domainOf({ domain: { ...domain, ...change } }, NOW);
  const failingFor = (ms: number) =>
    at({ failing_since: new Date(NOW - ms).toISOString() })?.verifiedOn;
  assertEquals(domainOf({ domain: null }, NOW), undefined);
  assertEquals(at({ verified_at: null }), undefined);
  assertEquals(at({}), { name: "harbour.example", verifiedOn: VERIFIED_AT });
  assertEquals(failingFor(14 * DAY_MS - 1), VERIFIED_AT);
  assertEquals(failingFor(DOMAIN_GRACE_MS), null);
});
