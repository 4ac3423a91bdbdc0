import { connect } from "node:tls";
import { assertEquals, assertRejects } from "@std/assert";
import { AUTHORITY, CERTIFICATE, CERTIFICATE_KEY } from "../../testing/certificate.ts";
import { utf8 } from "../../base/encoding.ts";
import { HANG_MS } from "../../testing/times.ts";
import {
  isPinnable,
  type Network,
  pinnedFetch,
  PinnedFetchError,
  type PinnedRequest,
} from "./pinned_fetch.ts";

const OK = "HTTP/1.1 200 OK\r\n";

/** Fetches from a server that sends parts of text. `late` is the deadline. */
async function fetchFrom(
  parts: Iterable<string>,
  { ca = AUTHORITY, late = new AbortController(), options }: {
    ca?: string | null;
    late?: AbortController;
    options?: PinnedRequest;
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
  const timer = setTimeout(() => late.abort(), HANG_MS);
  const network: Network = {
    resolve: () => Promise.resolve(["93.184.215.14"]),
    connect: (_, servername) =>
      connect({ host: "127.0.0.1", port, servername, ca: ca ?? undefined }),
    deadline: () => late.signal,
  };
  try {
    const url = new URL("https://localhost/client.json?v=1");
    const { status, body } = await pinnedFetch(url, network, options);
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
  Deno.test(`pinnedFetch() fails without waiting for its deadline if the server sends ${what}`, async () => {
    const late = new AbortController();
    await assertRejects(() => fetchFrom(parts, { late }), Error);
    assertEquals(late.signal.aborted, false);
  });
}

Deno.test("pinnedFetch() sends the host, path and query, and reads a body up to its length or the end", async () => {
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

Deno.test("pinnedFetch() does not follow a redirect", async () => {
  const got = await fetchFrom(["HTTP/1.1 302 Found\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n"]);
  assertEquals(got.status, 302);
});

Deno.test({
  name:
    "pinnedFetch() refuses a certificate of an unknown authority, with access to the network only",
  permissions: { net: true },
  async fn() {
    await assertRejects(() => fetchFrom([`${OK}\r\n{}`], { ca: null }), Error, "certificate");
  },
});

Deno.test("pinnedFetch() posts a body with its length and headers", async () => {
  const body = `{"name":"Zoë"}`;
  const options = {
    method: "POST",
    body,
    headers: { "content-type": "application/json" },
  } as const;
  const { request } = await fetchFrom([`${OK}Content-Length: 0\r\n\r\n`], { options });
  assertEquals(request.split("\r\n")[0], "POST /client.json?v=1 HTTP/1.1");
  assertEquals(/^content-type: (.*)$/im.exec(request)?.[1], "application/json");
  assertEquals(/^content-length: (.*)$/im.exec(request)?.[1], "15");
  assertEquals(request.split("\r\n\r\n")[1], body);
});

Deno.test("pinnedFetch() with ignoreBody returns the status before a body that is too long or ends early", async () => {
  const bodies = [forever(`${OK}\r\n`, "a".repeat(1_000)), [`${OK}Content-Length: 3\r\n\r\n{}`]];
  for (const parts of bodies) {
    const { status, body } = await fetchFrom(parts, { options: { ignoreBody: true } });
    assertEquals({ status, body }, { status: 200, body: "" });
  }
});

Deno.test("pinnedFetch() says why there is no response", async () => {
  const cases: [addresses: string[], code: string][] = [
    [[], "no_address"],
    [["127.0.0.1"], "private_address"],
    [["93.184.215.14", "169.254.169.254"], "private_address"],
    [["::ffff:10.0.0.1"], "private_address"],
  ];
  for (const [addresses, code] of cases) {
    const network: Network = {
      resolve: () => Promise.resolve(addresses),
      connect: () => {
        throw new Error("must not connect");
      },
      deadline: () => new AbortController().signal,
    };
    const url = new URL("https://localhost/");
    const error = await assertRejects(() => pinnedFetch(url, network), PinnedFetchError);
    assertEquals([addresses, error.code], [addresses, code]);
  }
  const late = new AbortController();
  function* slowly() {
    yield "HTTP/1.1 200";
    late.abort();
  }
  const timedOut = await assertRejects(() => fetchFrom(slowly(), { late }), PinnedFetchError);
  assertEquals(timedOut.code, "timeout");
  const long = await assertRejects(
    () => fetchFrom([`${OK}\r\n${"a".repeat(6_000)}`]),
    PinnedFetchError,
  );
  assertEquals(long.code, "too_long");
  const refused = await assertRejects(() => fetchFrom([]), PinnedFetchError);
  assertEquals(refused.code, "connection_failed");
});

Deno.test("isPinnable() accepts https URLs with a host name on the default port only", () => {
  const cases: [url: string, pinnable: boolean][] = [
    ["https://college.example/hooks?a=b", true],
    ["https://college.example:443/", true],
    ["http://college.example/", false],
    ["https://college.example:8443/", false],
    ["https://a:b@college.example/", false],
    ["https://a@college.example/", false],
    ["https://college.example/#a", false],
    ["https://93.184.215.14/", false],
    ["https://0x7f.1/", false],
    ["https://2130706433/", false],
    ["https://[2606:4700::1]/", false],
    ["ftp://college.example/", false],
  ];
  for (const [url, pinnable] of cases) {
    assertEquals([url, isPinnable(new URL(url))], [url, pinnable]);
  }
});
