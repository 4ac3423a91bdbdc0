import { assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import type { CheckReport } from "../lib/features/documents/check_report.ts";
import { encodeBase64 } from "../lib/base/encoding.ts";
import { HOUR_MS } from "../lib/base/time.ts";
import { type ApiClient, documentBody, documentIn, issuerApiFixture } from "./issuer_api_site.ts";

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Bytes that begin like a PDF, and that nobody could guess. */
function someFile(): Uint8Array<ArrayBuffer> {
  const bytes = crypto.getRandomValues(new Uint8Array(3000));
  bytes.set(new TextEncoder().encode("%PDF-1.7\n"));
  return bytes;
}

/** A site where Harbour College has registered a file, and Beta College has a copy of it. */
async function setUp() {
  const fixture = await issuerApiFixture();
  const { clock, live } = fixture;
  const file = someFile();
  const beta = await fixture.addClient("Beta College");
  let count = 0;
  const bodyOf = (changes: Record<string, unknown> = {}) =>
    documentBody({
      recipient: { name: "Grace", email: `grace${count++ % 10}@example.org` },
      file: encodeBase64(file),
      file_name: "certificate.pdf",
      ...changes,
    });
  const issue = async (call: ApiClient["live"], changes?: Record<string, unknown>) => {
    clock.now += HOUR_MS;
    return await documentIn(call("/api/documents", { json: bodyOf(changes) }));
  };
  const withdraw = async (call: ApiClient["live"], id: string, reason = "Forged") => {
    clock.now += HOUR_MS;
    await documentIn(call(`/api/documents/${id}/withdraw`, { json: { reason } }), 200);
  };
  const genuine = await issue(live);
  return {
    ...fixture,
    file,
    beta,
    genuine,
    issue,
    withdraw,
    async check(bytes = file): Promise<CheckReport> {
      const path = `/check?sha256=${sha256(bytes)}`;
      const response = await fixture.fetch(path, { headers: { accept: "application/json" } });
      return await response.json();
    },
  };
}

const statesOf = ({ state, matches }: CheckReport) => [
  state,
  ...matches.map(({ issuer, state }) => `${issuer}: ${state}`),
];

Deno.test("a file that another issuer registers later and withdraws is reported as its first issuer left it", async () => {
  await using site = await setUp();
  const { id } = await site.issue(site.beta.live);
  await site.withdraw(site.beta.live, id);
  assertEquals(statesOf(await site.check()), [
    "current",
    "Harbour College: current",
    "Beta College: withdrawn",
  ]);
});

Deno.test("200 hidden tests of another issuer change nothing in the report on a file", async () => {
  await using site = await setUp();
  const before = await site.check();
  for (let i = 0; i < 200; i++) await site.issue(site.beta.test, { publish_hash: "hide" });
  assertEquals(await site.check(), before);
});

Deno.test("200 copies of another issuer are one entry after that of the first issuer", async () => {
  await using site = await setUp();
  let id = "";
  for (let i = 0; i < 200; i++) ({ id } = await site.issue(site.beta.live));
  await site.withdraw(site.beta.live, id);
  const report = await site.check();
  assertEquals(statesOf(report), [
    "current",
    "Harbour College: current",
    "Beta College: withdrawn",
  ]);
  assertEquals(report.matches[0].url, site.genuine.url);
});
