import { assert, assertEquals, assertRejects, fail } from "@std/assert";
import { Buffer } from "node:buffer";
import { BUCKET_LIMITS, type BucketLimits } from "./bucket_writes.ts";
import { CHUNK_SIZE, UnreadableError } from "./bytes.ts";
import { HOUR_MS } from "../../../base/time.ts";
import { heldDeadlines, heldTimers } from "../../../testing/held_timers.ts";
import { HANG_MS } from "../../../testing/times.ts";
import type { DocumentResult } from "../manage.ts";
import type { DocumentsOptions } from "../mod.ts";
import { UPLOAD_LIMIT } from "../new_version.ts";
import { type DocumentsFixture, documentsFixture, removeUnfinished } from "../testing/fixture.ts";
import { bodyOf, newDocument, readBytes, someBytes } from "../testing/fixture.ts";
import { startBucket, type TestBucket } from "../testing/s3_server.ts";

interface BucketFixture extends AsyncDisposable {
  bucket: TestBucket;
  fixture: DocumentsFixture;
  logged: string[];
}

async function bucketFixture(
  change: Partial<TestBucket["config"]> = {},
  bucketLimits?: BucketLimits,
  options: Partial<DocumentsOptions> = {},
): Promise<BucketFixture> {
  const bucket = startBucket();
  const config = { store: "s3" as const, s3: { ...bucket.config, ...change } };
  const logged: string[] = [];
  const log = ({ event }: Record<string, unknown>) => void logged.push(String(event));
  const fixture = await documentsFixture({ config: () => config, bucketLimits, log, ...options });
  return {
    bucket,
    fixture,
    logged,
    async [Symbol.asyncDispose]() {
      fixture[Symbol.dispose]();
      await bucket[Symbol.asyncDispose]();
    },
  };
}

const outcomeOf = (result: DocumentResult) =>
  result.ok ? "stored" : `${result.error}, retry after ${result.retryAfterSeconds} s`;

const add = ({ documents, records }: DocumentsFixture, body: Uint8Array) =>
  documents.add(newDocument(records[0]), bodyOf(body));

Deno.test("files are stored in the bucket with signed requests, read in parts, and deleted", async () => {
  await using setup = await bucketFixture();
  const { bucket, fixture } = setup;
  const bytes = someBytes(CHUNK_SIZE * 20 + 1);
  const { versions: [{ original }] } = await fixture.add(bytes);
  assertEquals(original.store, "s3");
  assertEquals([...bucket.objects.keys()], [`documents/${original.blob}`]);
  // Nothing of it is left in the store, in which the upload was staged.
  assertEquals(await fixture.count("document_bytes"), 0);
  assertEquals(await fixture.count("document_uploads"), 0);
  const { open } = fixture.documents;
  assert(Buffer.compare(await readBytes(open(original)), bytes) === 0);
  const part = await readBytes(open(original, { from: 70_000, to: 70_010 }));
  assertEquals(part, bytes.slice(70_000, 70_010));
  assertEquals(await readBytes(open(original, { from: 5, to: 5 })), new Uint8Array());
  await fixture.documents.recordData.deleteOf!(fixture.records[0]);
  assertEquals(bucket.objects.size, 0);
  assertEquals(await fixture.keys(), []);
  assertEquals(bucket.log, ["PUT 200", "GET 206", "GET 206", "DELETE 204"]);
});

Deno.test("a request is tried a third time if the bucket fails twice", async () => {
  await using setup = await bucketFixture();
  const { bucket, fixture } = setup;
  bucket.fail(503, 2);
  assert((await add(fixture, someBytes(10))).ok);
  assertEquals(bucket.log, ["PUT 503", "PUT 503", "PUT 200"]);
});

Deno.test("an upload fails if the bucket does not respond, and the job removes what is left", async () => {
  await using setup = await bucketFixture();
  const { bucket, fixture } = setup;
  bucket.fail(500, 6); // also while it removes the object
  const refused = await add(fixture, someBytes(10));
  assertEquals(refused.ok || refused.error, "unavailable");
  assertEquals((await fixture.keys()).map(([prefix]) => prefix), ["document_uploads"]);
  const { kv, clock, documents } = fixture;
  assertEquals(await removeUnfinished({ kv, now: clock.now, documents }), "1 deleted");
  assertEquals(await fixture.keys(), []);

  bucket.fail(500, 3);
  assert(!(await add(fixture, someBytes(10))).ok);
  assertEquals(await fixture.keys(), []);
});

Deno.test("an empty file and a file of one byte too many are refused, and nothing is sent to the bucket", async () => {
  await using setup = await bucketFixture();
  const { bucket, fixture } = setup;
  for (const [size, error] of [[0, "empty"], [UPLOAD_LIMIT + 1, "too_large"]] as const) {
    const result = await add(fixture, someBytes(size));
    assertEquals(result.ok ? "stored" : result.error, error);
  }
  // What a refused upload may have left is deleted.
  assertEquals(bucket.log.filter((line) => !line.startsWith("DELETE ")), []);
  assertEquals([setup.logged, await fixture.keys()], [[], []]);
});

Deno.test("a wrong key is rejected by the bucket and nothing is stored", async () => {
  await using setup = await bucketFixture({ secretAccessKey: "another" });
  const { bucket, fixture } = setup;
  assert(!(await add(fixture, someBytes(10))).ok);
  assertEquals([bucket.log, bucket.objects.size], [["PUT 403", "DELETE 403"], 0]);
});

for (const status of [301, 302, 303, 307, 308]) {
  Deno.test(`an upload that the bucket redirects with ${status} fails, and nothing follows it`, async () => {
    await using setup = await bucketFixture();
    const { bucket, fixture, logged } = setup;
    await using other = startBucket();
    const elsewhere: string[] = [];
    other.respond = ({ method }) => {
      elsewhere.push(method);
      return new Response();
    };
    bucket.respond = ({ url }) =>
      Response.redirect(other.config.endpoint + new URL(url).pathname, status);
    const refused = await add(fixture, someBytes(10));
    assertEquals(refused.ok || refused.error, "unavailable");
    assertEquals([bucket.log, elsewhere], [[`PUT ${status}`, `DELETE ${status}`], []]);
    assertEquals(logged, ["bucket_failed", "document_bytes_kept"]);
  });
}

Deno.test("while the bucket hangs, the first upload fails at the deadline and all others at once", async () => {
  const limits = { deadlineMs: 300, blockedAfterMs: 0, pauseMs: HOUR_MS };
  using deadlines = heldDeadlines();
  await using setup = await bucketFixture({}, limits);
  const { bucket, fixture } = setup;
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<string>();
  let requests = 0;
  bucket.respond = ({ method }) => {
    requests++;
    arrive(method);
    return new Promise(() => {});
  };
  let isOver = false;
  const first = add(fixture, someBytes(10)).finally(() => isOver = true);
  assertEquals(await arrived, "PUT");
  const unread = new ReadableStream<Uint8Array>({ pull: () => fail("The body was read.") }, {
    highWaterMark: 0,
  });
  const second = await fixture.documents.add(newDocument(fixture.records[0]), unread);
  assertEquals([outcomeOf(second), isOver], ["unavailable, retry after 1 s", false]);
  deadlines.end();
  assertEquals(outcomeOf(await first), "unavailable, retry after 1 s");
  const third = await add(fixture, someBytes(10));
  assertEquals(outcomeOf(third), "unavailable, retry after 1 s");
  // The bytes of the first one are removed later, by the job.
  assertEquals(requests, 1);
  assertEquals(await fixture.count("document_bytes"), 0);
  assertEquals(await fixture.count("document_uploads"), 1);
});

Deno.test("PDFs that wait for one that the bucket does not return are refused with it", async () => {
  const { schedule, end } = heldTimers();
  const limits = { deadlineMs: HANG_MS, blockedAfterMs: HOUR_MS, pauseMs: HOUR_MS, schedule };
  await using setup = await bucketFixture({}, limits, {
    issuePdf: () => fail("A PDF was issued."),
  });
  const { bucket, fixture } = setup;
  const methods: string[] = [];
  bucket.respond = ({ method }) => {
    methods.push(method);
    if (methods.length === 4) end(); // all three are in the bucket, and the first one is read
    return method === "PUT" ? new Response() : new Promise(() => {});
  };
  const pdf = new TextEncoder().encode("%PDF-1.7\n");
  const results = await Promise.all([1, 2, 3].map(() => add(fixture, pdf)));
  for (const result of results) assertEquals(result.ok || result.error, "unavailable");
  assertEquals(methods.toSorted(), ["GET", "PUT", "PUT", "PUT"]);
});

Deno.test("a bucket that hangs while a file is read ends the file with an error", async () => {
  const { schedule, end } = heldTimers();
  await using setup = await bucketFixture({}, { ...BUCKET_LIMITS, schedule });
  const { bucket, fixture } = setup;
  const { versions: [{ original }] } = await fixture.add(someBytes(1000));
  const never = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(someBytes(500)),
  });
  bucket.respond = () =>
    new Response(never, { status: 206, headers: { "content-length": "1000" } });
  const reader = fixture.documents.open(original).getReader();
  assertEquals((await reader.read()).value?.length, 500);
  end();
  await assertRejects(() => reader.read(), UnreadableError, "cut off");
});

Deno.test("a file with missing bytes is an error rather than a shorter file", async () => {
  await using setup = await bucketFixture();
  const { bucket, fixture } = setup;
  const { versions: [{ original }] } = await fixture.add(someBytes(1000));
  const { open } = fixture.documents;
  bucket.objects.set(`documents/${original.blob}`, someBytes(999));
  await assertRejects(() => readBytes(open(original)), Error, "missing");
  // Its length tells it before anything is sent to the reader.
  await assertRejects(() => open(original).getReader().read(), UnreadableError, "missing");
  bucket.objects.clear();
  await assertRejects(() => readBytes(open(original)), Error, "The bucket failed: GET 404");
});

Deno.test("files stay readable where they are when the store of new files changes", async () => {
  await using setup = await bucketFixture();
  const { bucket, fixture } = setup;
  const { versions: [{ original }] } = await fixture.add(someBytes(10));
  const config = { store: "kv" as const, s3: bucket.config };
  const later = await documentsFixture({ kv: fixture.kv, config: () => config });
  assertEquals(await readBytes(later.documents.open(original)), someBytes(10));
  assertEquals((await later.add("new")).versions[0].original.store, "kv");
});
