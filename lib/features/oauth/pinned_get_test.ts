import { connect } from "node:tls";
import { assertEquals, assertRejects } from "@std/assert";
import { AUTHORITY, CERTIFICATE, CERTIFICATE_KEY } from "../../testing/certificate.ts";
import { utf8 } from "../../base/encoding.ts";
import { type Network, pinnedGet } from "./pinned_get.ts";

const OK = "HTTP/1.1 200 OK\r\n";

/** Fetches from a server that sends parts of text. `late` is the deadline, after 20 seconds. */
async function fetchFrom(
  parts: Iterable<string>,
  { ca = AUTHORITY, late = new AbortController() }: {
    ca?: string | null;
    late?: AbortController;
  } = {},
) {
  using listener = Deno.listenTls({
    hostname: "127.0.0.1",
    port: 0,
    cert: CERTIFICATE,
    key: CERTIFICATE_KEY,
  });
  const { port } = listener.addr;
  let request = "";
  const serving = listener.accept().then(async (accepted) => {
    using connection = accepted;
    const received = new Uint8Array(4_096);
    const length = await connection.read(received) ?? 0;
    request = new TextDecoder().decode(received.subarray(0, length));
    for (const part of parts) await connection.write(utf8(part));
  }).catch(() => {}); // the client has disconnected
  const timer = setTimeout(() => late.abort(), 20_000);
  const network: Network = {
    resolve: () => Promise.resolve(["93.184.215.14"]),
    connect: (_, servername) =>
      connect({ host: "127.0.0.1", port, servername, ca: ca ?? undefined }),
    deadline: () => late.signal,
  };
  try {
    const url = new URL("https://localhost/client.json?v=1");
    const { status, body } = await pinnedGet(url, network);
    await serving;
    return { status, body, request };
  } finally {
    clearTimeout(timer);
    await serving;
  }
}

function* forever(start: string, part: string) {
  yield start;
  while (true) yield part;
}

const BAD: [what: string, parts: Iterable<string>][] = [
  ["an endless body", forever(`${OK}\r\n`, "a".repeat(1_000))],
  ["endless headers", forever(OK, `X: ${"a".repeat(1_000)}\r\n`)],
  ["one endless header", forever(`${OK}X: `, "a".repeat(1_000))],
  ["endless interim responses", forever("", "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(40))],
  [
    "an endless chunk extension",
    forever(`${OK}Transfer-Encoding: chunked\r\n\r\n2;`, "a".repeat(1_000)),
  ],
  [
    "endless trailers",
    forever(`${OK}Transfer-Encoding: chunked\r\n\r\n0\r\n`, `X: ${"a".repeat(1_000)}\r\n`),
  ],
  ["a body that ends early", [`${OK}Content-Length: 3\r\n\r\n{}`]],
  ["chunks that end early", [`${OK}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`]],
  ["another protocol", [
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
  ]],
  ["no HTTP", ["SSH-2.0-OpenSSH_9.9\r\n"]],
  ["nothing", []],
];

for (const [what, parts] of BAD) {
  Deno.test(`pinnedGet() fails without waiting for its deadline if the server sends ${what}`, async () => {
    const late = new AbortController();
    await assertRejects(() => fetchFrom(parts, { late }), Error);
    assertEquals(late.signal.aborted, false);
  });
}

Deno.test("pinnedGet() sends the host, path and query, and reads a body up to its length or the end", async () => {
  const bodies = [
    `${OK}Content-Length: 2\r\n\r\n{}`,
    `${OK}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1;a=b\r\n}\r\n0\r\n\r\n`,
    `${OK}\r\n{}`,
    `HTTP/1.1 103 Early Hints\r\n\r\n${OK}Content-Length: 2\r\n\r\n{}`,
  ];
  for (const body of bodies) {
    const got = await fetchFrom([body]);
    assertEquals([got.status, got.body], [200, "{}"], body);
    assertEquals(got.request.split("\r\n")[0], "GET /client.json?v=1 HTTP/1.1");
    assertEquals(/^host: (.*)$/im.exec(got.request)?.[1], "localhost");
  }
});

Deno.test("pinnedGet() does not follow a redirect", async () => {
  const got = await fetchFrom(["HTTP/1.1 302 Found\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n"]);
  assertEquals(got.status, 302);
});

Deno.test({
  name:
    "pinnedGet() refuses a certificate of an unknown authority, with access to the network only",
  permissions: { net: true },
  async fn() {
    await assertRejects(() => fetchFrom([`${OK}\r\n{}`], { ca: null }), Error, "certificate");
  },
});
