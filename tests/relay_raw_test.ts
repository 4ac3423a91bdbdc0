import { assert, assertEquals } from "@std/assert";
import { startRawOrigin } from "../lib/features/relay/testing/raw_origin.ts";
import { CLIENT_ID, serveRelay, SLUG } from "../lib/features/relay/testing/served_relay.ts";
import { sendRaw } from "./site.ts";

/** A raw target, and the origin's target or the status of the relay. § is the slug. */
const TARGETS: [target: string, outcome: string | number][] = [
  ["/§/a/b", "/a/b"],
  ["/§/", "/"],
  ["/§", 308],
  ["/§?a", 308],
  ["/§#a", 308],
  ["/§?\u20ac", 308],
  ["/§//evil.example/", "//evil.example/"],
  ["/§///evil.example", "///evil.example"],
  ["/§/\\evil.example/", 400],
  ["/§\\evil.example/", 403],
  ["/§/a\\b", 400],
  ["/§/@evil.example/", "/@evil.example/"],
  ["/§@evil.example/", 403],
  ["/§/:80/", "/:80/"],
  ["/§/http://evil.example/", "/http://evil.example/"],
  ["/§/a/../b", "/b"],
  ["/§/a/./b/..", "/a/"],
  ["/§/a/%2e%2e/b", "/b"],
  ["/§/a/.%2E/b", "/b"],
  ["/§/.", "/"],
  ["/§/..", 403],
  ["/§/../", 403],
  ["/§/../x", 403],
  ["/§/%2e%2e/x", 403],
  ["/§/a/../../x", 403],
  ["/§/..\\x", 400],
  ["/§/..//evil.example", 403],
  ["/§/../§x/a", 403],
  ["/§/..%2fx", 400],
  ["/§/a%2Fb", 400],
  ["/§/a%5cb", 400],
  ["/§/a%00b", 400],
  ["/§/a%252fb", "/a%252fb"],
  ["/§/a?b=../../c&d=//e\\%2f#f", "/a?b=../../c&d=//e\\%2f"],
  ["/§/a#/../x", "/a"],
  ["/§/a;b=c", "/a;b=c"],
  ['/§/"<>', "/%22%3C%3E"],
  ["/§/caf\u00e9", "/caf%C3%A9"],
  ["/./§/a", 403],
  ["/x/../§/a", 403],
  ["/%2e/§/a", 403],
  ["//§/a", 403],
  ["///§/a", 403],
  ["//evil.example/§/a", 403],
  ["/\\§/a", 403],
  ["\\\\§/a", 400],
  ["§/a", 400],
  ["/?/§/a", 403],
  ["/#/§/a", 403],
  ["*", 400],
  ["http://relay.example/§/a", "/a"],
  ["http://evil.example/§/a", "/a"],
  ["http://evil.example/§/../a", 403],
  ["http://§/a", 403],
  ["http://evil.example", 403],
  ["http://user:password@evil.example/§/a", "/a"],
  ["ftp://evil.example/§/a", "/a"],
  ["/§/\ta", 400],
  ["/\t/evil.example", 400],
];

for (const [target, outcome] of TARGETS) {
  const result = typeof outcome === "number" ? `returns ${outcome}` : `requests ${outcome}`;
  Deno.test(`GET ${JSON.stringify(target)} ${result}`, async () => {
    await using origin = startRawOrigin("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    await using relay = serveRelay(origin);
    const text = await sendRaw(
      relay.port,
      `GET ${target.replaceAll("§", SLUG)} HTTP/1.1\r\n` +
        "Host: relay.example\r\nConnection: close\r\n\r\n",
    );
    const requested = origin.heads.map((head) => /^GET (\S+) HTTP/.exec(head)?.[1]);
    const status = Number(text.split(" ")[1]);
    if (typeof outcome === "number") {
      assertEquals([status, requested], [outcome, []], text);
    } else {
      assertEquals([status, requested], [200, [outcome]], text);
      assert(origin.heads[0].includes(`\r\nhost: ${new URL(origin.origin).host}\r\n`));
    }
  });
}

/** The header lines of a request, and the status. */
const HEADS: [title: string, lines: string, status: number][] = [
  ["two hosts", "Host: relay.example\r\nHost: evil.example\r\nConnection: close\r\n", 400],
  ["two hosts in HTTP/1.0", "Host: relay.example\r\nHost: evil.example\r\n", 400],
  ["two hosts in one header", "Host: relay.example, evil.example\r\n", 400],
  ["no host", "", 200],
  ["another host", "Host: evil.example\r\n", 200],
  ["the access headers in Connection", `Host: a\r\nConnection: ${ACCESS()}\r\n`, 200],
  ["a Connection header of commas", "Host: a\r\nConnection: ,,;, \r\n", 200],
  [
    "two Connection headers",
    "Host: a\r\nConnection: x\r\nConnection: edge-access-client-id\r\n",
    200,
  ],
  ["Connection: upgrade", "Host: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n", 200],
  [
    "its own access headers, twice",
    "Host: a\r\n" + "Edge-Access-Client-Id: x\r\n".repeat(2),
    200,
  ],
  ["a body", "Host: a\r\nContent-Length: 2\r\n\r\n{}", 200],
  ["a chunked body", "Host: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n", 200],
  ["a continued header", "Host: a\r\nAccept: x\r\n y\r\n", 400],
];

function ACCESS() {
  return "close, Edge-Access-Client-Id, Edge-Access-Client-Secret, Accept-Encoding";
}

for (const [title, lines, status] of HEADS) {
  Deno.test(`a request with ${title} returns ${status}`, async () => {
    await using origin = startRawOrigin(
      "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
    );
    await using relay = serveRelay(origin);
    // HTTP/1.0 closes the connection without a `Connection: close`.
    const end = lines.includes("Connection") || lines.includes("\r\n\r\n") ? "1.1" : "1.0";
    const response = await readHead(relay.port, `GET /${SLUG}/a HTTP/${end}\r\n${lines}\r\n`);
    assertEquals(Number(response.split(" ")[1]), status, response);
    if (status !== 200) return assertEquals(origin.heads, []);
    const [head] = origin.heads;
    assertEquals(head.split("edge-access-").length, 3, head);
    assert(head.includes(`\r\nedge-access-client-id: ${CLIENT_ID}\r\n`), head);
    assert(head.includes("\r\naccept-encoding: identity\r\n"), head);
    assert(!/^(?:connection|upgrade|content-length|transfer-encoding):/im.test(head), head);
  });
}

/** Reads the head of a response, for connections that stay open. */
async function readHead(port: number, text: string): Promise<string> {
  using connection = await Deno.connect({ port, hostname: "127.0.0.1" });
  await connection.write(new TextEncoder().encode(text));
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(4096);
  let head = "";
  while (!head.includes("\r\n\r\n")) {
    const count = await connection.read(buffer);
    if (count === null) break;
    head += decoder.decode(buffer.subarray(0, count), { stream: true });
  }
  return head;
}
