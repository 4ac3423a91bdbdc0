import { assertEquals, assertMatch } from "@std/assert";
import { documentBody, documentIn, issuerApiFixture, RECIPIENT } from "./issuer_api_site.ts";

Deno.test("a document that is issued as JSON is returned, mailed, and found in lists", async () => {
  await using fixture = await issuerApiFixture();
  const { live } = fixture;
  const response = await live("/api/documents", {
    json: documentBody({ date: "2026-11-20", external_id: "2026-0117", expires_on: "2030-12-31" }),
  });
  const document = await documentIn(response);
  const { id, created_at, url, versions: [version], ...rest } = document;
  assertMatch(id, /^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/);
  assertEquals(url, fixture.site.services.surfaces.url("trust", `/d/${id.replaceAll("-", "")}`));
  assertEquals(rest, {
    object: "document",
    test: false,
    external_id: "2026-0117",
    title: "Certificate III in Early Childhood",
    type: "Certificate",
    date: "2026-11-20",
    public: false,
    status: "current",
    withdrawn_reason: null,
    expires_on: "2030-12-31",
    recipient: { ...RECIPIENT, status: "waiting" },
    issuer: { name: "Harbour College", domain: null, domain_verified: false },
    mail: "queued",
  });
  assertEquals([version.number, version.state, version.at], [1, "current", created_at]);
  const [mail] = await fixture.mails();
  assertEquals(mail.to, RECIPIENT.email);
  assertEquals(await documentIn(live(`/api/documents/${id}`), 200), document);
  const list = await (await live("/api/documents")).json();
  assertEquals(list, { object: "list", data: [document], next_cursor: null });
});
