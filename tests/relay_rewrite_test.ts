import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type RawOrigin, send, startRawOrigin } from "../lib/features/relay/testing/raw_origin.ts";
import { PREVIOUS_SLUG, serveRelay, SLUG } from "../lib/features/relay/testing/served_relay.ts";
import { startOriginSandbox } from "../sandbox/origin.ts";
import { sendRaw } from "./site.ts";

const PAGE = '<meta charset="utf-8"><a href="/x">caf\u00e9</a>';
const REWRITTEN = PAGE.replace("/x", `/${SLUG}/x`);
const encode = (text: string) => new TextEncoder().encode(text);

async function compressed(body: Uint8Array<ArrayBuffer>, format: CompressionFormat) {
  const stream = new Blob([body]).stream().pipeThrough(new CompressionStream(format));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Starts an origin that sends these header lines and this body. */
function origin(lines: string, body: Uint8Array = encode(PAGE), status = "200 OK"): RawOrigin {
  return startRawOrigin(async (connection) => {
    const length = `Content-Length: ${body.length}\r\n`;
    await send(connection, `HTTP/1.1 ${status}\r\n${lines}${length}\r\n`);
    await send(connection, body);
  });
}

const HTML = "Content-Type: text/html\r\n";
const DIGESTS = ["Content-Digest", "Repr-Digest", "Digest", "Content-MD5"];
const STRONG = 'ETag: "1"\r\nAccept-Ranges: bytes\r\n' +
  DIGESTS.map((name) => `${name}: sha-256=:x:\r\n`).join("");

Deno.test("by default HTML is unchanged", async () => {
  await using from = origin(HTML + STRONG);
  await using relay = serveRelay(from);
  const response = await relay.get("/");
  assertEquals(await response.text(), PAGE);
  assertEquals(response.headers.get("etag"), '"1"');
  assertEquals(response.headers.get("content-length"), `${encode(PAGE).length}`);
});

Deno.test("a rewritten page has no length, ranges or digests, and a weak ETag", async () => {
  await using from = origin(HTML + STRONG);
  await using relay = serveRelay({ ...from, rewriteLinks: true });
  const response = await relay.get("/");
  assertEquals(await response.text(), REWRITTEN);
  assertEquals(response.headers.get("etag"), 'W/"1"');
  for (const name of ["content-length", "accept-ranges", ...DIGESTS]) {
    assertEquals(response.headers.get(name), null, name);
  }
});

Deno.test("links stay below the slug in the request", async () => {
  await using from = origin(HTML);
  await using relay = serveRelay({ ...from, rewriteLinks: true, previousSlug: PREVIOUS_SLUG });
  const text = await (await relay.get("/", { slug: PREVIOUS_SLUG })).text();
  assertEquals(text, PAGE.replace("/x", `/${PREVIOUS_SLUG}/x`));
});

for (
  const [what, lines] of [
    ["JSON", "Content-Type: application/json\r\n"],
    ["HTML in UTF-16", "Content-Type: text/html; charset=utf-16\r\n"],
    ["HTML in an unknown coding", `${HTML}Content-Encoding: zstd\r\n`],
    ["a body without a type", ""],
  ]
) {
  Deno.test(`${what} is not rewritten`, async () => {
    await using from = origin(lines + STRONG);
    await using relay = serveRelay({ ...from, rewriteLinks: true });
    const response = await relay.get("/");
    assertEquals(await response.text(), PAGE);
    assertEquals(response.headers.get("etag"), '"1"');
  });
}

for (const coding of ["identity", ""]) {
  Deno.test(`a page with Content-Encoding "${coding}" is rewritten`, async () => {
    await using from = origin(`${HTML}Content-Encoding: ${coding}\r\n`);
    await using relay = serveRelay({ ...from, rewriteLinks: true });
    const response = await relay.get("/");
    assertEquals(await response.text(), REWRITTEN);
    assertEquals(response.headers.get("content-encoding"), null);
  });
}

Deno.test("an error page is rewritten", async () => {
  await using from = origin(HTML, encode(PAGE), "404 Not Found");
  await using relay = serveRelay({ ...from, rewriteLinks: true });
  const response = await relay.get("/");
  assertEquals([response.status, await response.text()], [404, REWRITTEN]);
});

Deno.test("a range of a page returns the whole page, rewritten", async () => {
  await using from: RawOrigin = startRawOrigin(async (connection, head) => {
    const part = /^range:/im.test(head);
    const body = part ? PAGE.slice(0, 4) : PAGE;
    await send(
      connection,
      `HTTP/1.1 ${part ? `206 Partial\r\nContent-Range: bytes 0-3/99` : "200 OK"}\r\n` +
        `${HTML}Content-Length: ${encode(body).length}\r\n\r\n${body}`,
    );
  });
  await using relay = serveRelay({ ...from, rewriteLinks: true });
  const headers = { range: "bytes=0-3", "if-range": '"1"', "if-none-match": '"2"' };
  const response = await relay.get("/", { headers });
  assertEquals([response.status, await response.text()], [200, REWRITTEN]);
  assertEquals(response.headers.get("content-range"), null);
  assertEquals(from.heads.map((head) => /^(range|if-range):/im.test(head)), [true, false]);
  assert(from.heads.every((head) => /^if-none-match: "2"/im.test(head)));
});

Deno.test("a part of a page that was not requested is unchanged", async () => {
  await using from = origin(HTML + STRONG, encode(PAGE), "206 Partial");
  await using relay = serveRelay({ ...from, rewriteLinks: true });
  const response = await relay.get("/");
  assertEquals([response.status, await response.text()], [206, PAGE]);
  assertEquals(response.headers.get("etag"), '"1"');
});

Deno.test("a range of a file that is not HTML returns 206, and an unchanged file returns 304", async () => {
  await using sandbox = startOriginSandbox();
  await using relay = serveRelay({ ...sandbox, rewriteLinks: true });
  const part = await relay.get("/register.txt", { headers: { range: "bytes=0-2" } });
  assertEquals([part.status, await part.text()], [206, "001"]);
  const same = await relay.get("/register.txt", { headers: { "if-none-match": 'W/"register-1"' } });
  assertEquals([same.status, await same.text()], [304, ""]);
});

for (
  const [coding, format] of [["gzip", "gzip"], ["X-GZIP", "gzip"], ["deflate", "deflate"]] as const
) {
  for (const rewriteLinks of [false, true]) {
    const then = rewriteLinks ? ", then rewritten" : "";
    Deno.test(`${coding} that was not requested is decoded${then}`, async () => {
      const body = await compressed(encode(PAGE), format);
      await using from = origin(`${HTML}${STRONG}Content-Encoding: ${coding}\r\n`, body);
      await using relay = serveRelay({ ...from, rewriteLinks });
      const response = await relay.get("/", { headers: { "accept-encoding": "identity" } });
      assertEquals(await response.text(), rewriteLinks ? REWRITTEN : PAGE);
      assertEquals(response.headers.get("content-encoding"), null);
      assertEquals(response.headers.get("content-length"), null);
      assertEquals(response.headers.get("etag"), 'W/"1"');
    });
  }
}

Deno.test("gzip that the reader accepts, and a part of it, are unchanged", async () => {
  const body = await compressed(encode(PAGE), "gzip");
  const coded = `${HTML}${STRONG}Content-Encoding: gzip\r\n`;
  for (
    const [status, acceptEncoding] of [["200 OK", "br, gzip;q=0.5"], ["206 Partial", "identity"]]
  ) {
    await using from = origin(coded, body, status);
    await using relay = serveRelay(from);
    const text = await sendRaw(
      relay.port,
      `GET /${SLUG}/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAccept-Encoding: ${acceptEncoding}\r\n\r\n`,
    );
    for (const line of [`content-encoding: gzip`, `content-length: ${body.length}`, `etag: "1"`]) {
      assertStringIncludes(text, `\r\n${line}\r\n`);
    }
    assertStringIncludes(text, `\r\n\r\n${new TextDecoder().decode(body)}`);
  }
});

Deno.test("a body of invalid gzip is cut off", async () => {
  await using from = origin(`${HTML}Content-Encoding: gzip\r\n`);
  await using relay = serveRelay(from);
  const response = await relay.get("/", { headers: { "accept-encoding": "identity" } });
  assertEquals(response.status, 200);
  const failed = await response.text().then(() => false, () => true);
  assert(failed);
});
