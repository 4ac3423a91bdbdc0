import { assertEquals, assertStringIncludes } from "@std/assert";
import { Buffer } from "node:buffer";
import { issuePdf } from "../lib/features/documents/issue_pdf.ts";
import { runJob } from "../lib/features/documents/pdf/job.ts";
import { createPdf } from "../lib/features/documents/testing/pdfs.ts";
import type { IssuePdf } from "../lib/features/documents/new_version.ts";
import { documentFixture } from "./document_site.ts";
import { documentBody, documentIn, issuerApiFixture } from "./issuer_api_site.ts";

/** Issues in this thread, because starting another one takes longer. */
const issueHere: IssuePdf = (original, details) => issuePdf(original, details, runJob);

async function pdfWithAttachment(): Promise<Uint8Array<ArrayBuffer>> {
  const pdf = await createPdf();
  await pdf.attach(new Uint8Array([1]), "data.xml");
  return new Uint8Array(await pdf.save());
}

Deno.test("the API names what a copy leaves out, in a check before anything is issued", async () => {
  await using fixture = await issuerApiFixture({}, { issuePdf: issueHere });
  const file = Buffer.from(await pdfWithAttachment()).toString("base64");
  const body = documentBody({ file, file_name: "diploma.pdf" });
  const checked = await fixture.live("/api/documents/check", { json: body });
  assertEquals([checked.status, await checked.json()], [200, {
    object: "document_check",
    pages: 1,
    has_copy: true,
    left_out: ["attachments"],
    compared_pages: 1,
  }]);
  const list = await (await fixture.live("/api/documents")).json();
  assertEquals(list.data, []);
  assertEquals(await fixture.mails(), []);
  const { versions: [version] } = await documentIn(
    fixture.live("/api/documents", { json: body }),
  );
  assertEquals([version.left_out, version.compared_pages], [["attachments"], 1]);
});

Deno.test("the API refuses a PDF whose copy would differ, also in a check, and names the page", async () => {
  await using fixture = await issuerApiFixture({}, { issuePdf: issueHere });
  const pdf = await createPdf([{}, {}]);
  pdf.getPage(1).node.addAnnot(pdf.context.register(
    pdf.context.obj({ Type: "Annot", Subtype: "Text", Rect: [50, 50, 70, 70] }),
  ));
  const file = Buffer.from(await pdf.save()).toString("base64");
  for (const path of ["/api/documents/check", "/api/documents"]) {
    const response = await fixture.live(path, {
      json: documentBody({ file, file_name: "diploma.pdf" }),
    });
    assertEquals(response.status, 400);
    assertStringIncludes((await response.json()).issues.file, "Page 2: a comment (Text)");
  }
});

Deno.test("the console asks before it registers a PDF whose copy leaves something out, and shows it afterwards", async () => {
  await using fixture = await documentFixture({}, { issuePdf: issueHere });
  const { services } = fixture.site;
  const path = `/console/records/${fixture.hash}/documents`;
  const origin = new URL(services.surfaces.url("commercial-console", "/")!).origin;
  const post = (fields: Record<string, string>, file: File) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    body.set("file", file);
    return fixture.asAdministrator(path, { method: "POST", body, headers: { origin } });
  };
  const details = { title: "Diploma", type: "Diploma", publish_hash: "default", expires_on: "" };
  const file = new File([await pdfWithAttachment()], "diploma.pdf");
  const asked = await post(details, file);
  assertEquals(asked.status, 400);
  const html = await asked.text();
  assertStringIncludes(html, "The issued copy will not contain: attached files.");
  assertEquals(await services.documents.list(fixture.hash), []);
  const staged = /name="staged" value="([\w-]+)"/.exec(html)![1];
  const added = await post({ ...details, parts: "on", staged }, new File([], ""));
  assertEquals(added.status, 303);
  await added.body?.cancel();
  const page = await fixture.asAdministrator(added.headers.get("location")!);
  assertStringIncludes(await page.text(), "The issued copy does not contain: attached files.");
});
