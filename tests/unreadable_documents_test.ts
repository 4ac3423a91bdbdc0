import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { CHUNK_SIZE } from "../lib/features/documents/files/bytes.ts";
import type { DocumentRow } from "../lib/features/documents/mod.ts";
import { someBytes } from "../lib/features/documents/testing/fixture.ts";
import { startBucket, type TestBucket } from "../lib/features/documents/testing/s3_server.ts";
import { statusOf } from "./contact_site.ts";
import { type DocumentFixture, documentFixture, PDF, PNG } from "./document_site.ts";
import { serve } from "./site.ts";

const FILES = { PDF, PNG, text: "Some text.", file: someBytes(5000) };

/** Sets the `S3_` variables for a bucket. */
const envOf = ({ config }: TestBucket): Record<string, string> => ({
  DOCUMENT_STORE: "s3",
  S3_ENDPOINT: config.endpoint,
  S3_REGION: config.region,
  S3_BUCKET: config.bucket,
  S3_ACCESS_KEY_ID: config.accessKeyId,
  S3_SECRET_ACCESS_KEY: config.secretAccessKey,
});

/** The ways in which the bytes in a bucket become unreadable. */
const FAULTS: Record<string, (bucket: TestBucket) => unknown> = {
  "the bucket is down": (bucket) => bucket[Symbol.asyncDispose](),
  "the bucket returns 500": (bucket) => bucket.fail(500, Infinity),
  "the bucket has lost the object": (bucket) => bucket.objects.clear(),
};

/** Reads a document in every way that is counted. Returns the statuses. */
async function readAll(fixture: DocumentFixture, { id }: DocumentRow): Promise<number[]> {
  const cookie = await fixture.grant(id);
  const path = `/console/records/${fixture.hash}/documents/${id}`;
  const statuses: number[] = [];
  for (
    const response of [
      await fixture.fetch(`/d/${id}/file`, { cookie }),
      await fixture.fetch(`/d/${id}`, { cookie }),
      await fixture.asAdministrator(`${path}/file`),
      await fixture.asAdministrator(`${path}/view`),
    ]
  ) {
    statuses.push(response.status);
    assertEquals(response.headers.get("retry-after"), "60");
    assertStringIncludes(await response.text(), "cannot be read at the moment");
  }
  return statuses;
}

for (const [fault, cause] of Object.entries(FAULTS)) {
  Deno.test(`when ${fault}, reading a document returns 503 and is not counted`, async () => {
    await using bucket = startBucket();
    await using fixture = await documentFixture(envOf(bucket));
    const documents: DocumentRow[] = [];
    for (const file of Object.values(FILES)) documents.push(await fixture.add(file));
    await cause(bucket);
    for (const document of documents) {
      assertEquals(await readAll(fixture, document), [503, 503, 503, 503]);
    }
    assertEquals([await fixture.events(), await fixture.log()], [[], []]);
  });
}

Deno.test("when the store has lost a chunk, reading a document returns 503 and is not counted", async () => {
  await using fixture = await documentFixture();
  for (const file of Object.values(FILES)) {
    const document = await fixture.add(file);
    const { blob } = document.versions[0].original;
    await fixture.site.services.kv.delete(["document_bytes", blob, 0]);
    assertEquals(await readAll(fixture, document), [503, 503, 503, 503]);
  }
  const { id, versions: [{ original }] } = await fixture.add(someBytes(CHUNK_SIZE * 3));
  await fixture.site.services.kv.delete(["document_bytes", original.blob, 2]);
  const cookie = await fixture.grant(id);
  assertEquals(await statusOf(fixture.fetch(`/d/${id}/file`, { cookie })), 503);
  assertEquals([await fixture.events(), await fixture.log()], [[], []]);
});

Deno.test("a document that becomes readable again is sent and counted, and its download can be resumed", async () => {
  await using bucket = startBucket();
  await using fixture = await documentFixture(envOf(bucket));
  const { id } = await fixture.add(PDF);
  const cookie = await fixture.grant(id);
  const get = (headers = {}) => fixture.fetch(`/d/${id}/file`, { cookie, headers });
  bucket.fail(503, 3);
  assertEquals(await statusOf(get()), 503);
  const whole = await get();
  assertEquals([whole.status, await whole.text()], [200, PDF]);
  const headers = { range: "bytes=4000-", "if-range": whole.headers.get("etag")! };
  bucket.fail(503, 3);
  assertEquals(await statusOf(get(headers)), 503);
  // The part was not sent, so it is still part of the download.
  const part = await get(headers);
  assertEquals([part.status, (await part.text()).length], [206, 1000]);
  assertEquals(await fixture.events(), ["document_downloaded"]);
});

Deno.test("an administrator whose upload the bucket does not accept sees what they entered, and when to retry", async () => {
  await using bucket = startBucket();
  await using fixture = await documentFixture(envOf(bucket));
  bucket.fail(503, 6); // also while the upload is removed
  const body = new FormData();
  for (const [name, value] of [["title", "Diploma of Ada"], ["type", "Diploma"]]) {
    body.set(name, value);
  }
  body.set("file", new File(["text"], "diploma.txt"));
  const { origin } = new URL(fixture.site.services.surfaces.url("commercial-console", "/")!);
  const path = `/console/records/${fixture.hash}/documents`;
  const refused = await fixture.asAdministrator(path, {
    method: "POST",
    body,
    headers: { origin },
  });
  assertEquals([refused.status, refused.headers.get("retry-after")], [503, "20"]);
  const page = await refused.text();
  assertStringIncludes(page, "The document store does not respond.");
  assertStringIncludes(page, 'value="Diploma of Ada"');
});

/** Sends a request over a socket. Returns the announced and the received length of the body. */
async function lengthsOf(fixture: DocumentFixture, path: string, cookie: string) {
  await using server = serve(fixture.site.handler);
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
  const { host } = new URL(fixture.site.services.surfaces.url("trust", path)!);
  const request = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookie}\r\n\r\n`;
  await connection.write(new TextEncoder().encode(request));
  let text = "";
  const decoder = new TextDecoder("latin1");
  const buffer = new Uint8Array(65536);
  // The connection is kept alive after a response, but not after one that was cut off.
  for (let size = await connection.read(buffer); size !== null;) {
    text += decoder.decode(buffer.subarray(0, size));
    size = await connection.read(buffer).catch(() => null);
  }
  const [head, ...body] = text.split("\r\n\r\n");
  const [, length] = /^content-length: (\d+)$/im.exec(head)!;
  return { head, announced: Number(length), received: body.join("\r\n\r\n").length };
}

for (const store of ["the bucket", "the store"]) {
  Deno.test(`when ${store} fails after it sent some bytes, the response is cut off and the download stays counted`, async () => {
    await using bucket = startBucket();
    await using fixture = await documentFixture(store === "the bucket" ? envOf(bucket) : {});
    const size = CHUNK_SIZE * 40;
    const { id, versions: [{ original }] } = await fixture.add(someBytes(size));
    const cookie = await fixture.grant(id);
    await fixture.site.services.kv.delete(["document_bytes", original.blob, 30]);
    bucket.respond = () => {
      const cut = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(someBytes(100_000)),
        pull: (controller) => controller.error(new Error("The bucket died.")),
      });
      return new Response(cut, { headers: { "content-length": String(size) }, status: 206 });
    };
    const { head, announced, received } = await lengthsOf(fixture, `/d/${id}/file`, cookie);
    assertStringIncludes(head, "200 OK");
    assertEquals(announced, size);
    assert(received < size, String(received));
    assertEquals(await fixture.events(), ["document_downloaded"]);
    bucket.respond = null;
  });
}
