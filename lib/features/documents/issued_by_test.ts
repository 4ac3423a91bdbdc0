import { assertEquals } from "@std/assert";
import { endedText, issuedBy, type Parties } from "./issued_by.ts";

const VERIFIED_AT = "2026-11-23T09:00:00.000Z";

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

Deno.test("a test is not registered, so nothing says with whom", () => {
  const parties = { issuer: "Harbour College", registrar: "Attest Systems" };
  assertEquals(issuedBy(parties, true), "A test of Harbour College · not registered");
});

Deno.test("pages say since when an issuer has ended, and nothing for one that has not", () => {
  const parties = { issuer: "Harbour College", registrar: "Attest Systems" };
  assertEquals(endedText(parties), null);
  assertEquals(
    endedText({ ...parties, endedAt: VERIFIED_AT }),
    "Harbour College no longer issues documents with Attest Systems (since 23 Nov 2026). " +
      "Documents it issued before remain registered.",
  );
});
