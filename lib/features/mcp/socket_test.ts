import { assertEquals, assertMatch } from "@std/assert";
import { testHost } from "./testing/fixtures.ts";

async function exchange(request: string): Promise<string> {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, testHost());
  const connection = await Deno.connect({ hostname: "127.0.0.1", port: server.addr.port });
  try {
    const sent = sendAll(connection, new TextEncoder().encode(request));
    const response = await readResponse(connection);
    connection.close();
    await sent;
    return response;
  } finally {
    await server.shutdown();
  }
}

/** Sends as much as the server reads, because it may respond and close the connection early. */
async function sendAll(connection: Deno.Conn, bytes: Uint8Array) {
  try {
    for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
  } catch {
    // The test looks at the response.
  }
}

async function readResponse(connection: Deno.Conn): Promise<string> {
  const buffer = new Uint8Array(65_536);
  let text = "";
  for (;;) {
    const [, head, length] = /^([^]*?content-length: (\d+)[^]*?\r\n\r\n)/i.exec(text) ?? [];
    if (head && text.length >= head.length + Number(length)) return text;
    const count = await connection.read(buffer);
    if (count === null) return text;
    text += new TextDecoder().decode(buffer.subarray(0, count));
  }
}

const HEAD = [
  "POST /mcp HTTP/1.1",
  "Host: localhost",
  "Accept: application/json, text/event-stream",
  "Content-Type: application/json",
  "Connection: close",
].join("\r\n");
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

function chunked(body: string, size: number): string {
  let text = "";
  for (let at = 0; at < body.length; at += size) {
    const chunk = body.slice(at, at + size);
    text += `${chunk.length.toString(16)}\r\n${chunk}\r\n`;
  }
  return `${HEAD}\r\nTransfer-Encoding: chunked\r\n\r\n${text}0\r\n\r\n`;
}

Deno.test("a chunked body of 256 KiB is read, and a larger one returns 413", async () => {
  assertMatch(await exchange(chunked(PING, 7)), /^HTTP\/1\.1 200 [^]*"result":\{\}/);
  assertMatch(await exchange(chunked(PING.padEnd(262_144), 5000)), /^HTTP\/1\.1 200 /);
  assertMatch(await exchange(chunked(PING.padEnd(262_145), 5000)), /^HTTP\/1\.1 413 /);
});

Deno.test("a declared body over 256 KiB returns 413 before it is sent", async () => {
  assertMatch(await exchange(`${HEAD}\r\nContent-Length: 262145\r\n\r\n`), /^HTTP\/1\.1 413 /);
});

Deno.test("202 has no body", async () => {
  const note = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
  const response = await exchange(`${HEAD}\r\nContent-Length: ${note.length}\r\n\r\n${note}`);
  const [head, body] = response.split("\r\n\r\n");
  assertMatch(head, /^HTTP\/1\.1 202 /);
  assertEquals(body, "");
});
