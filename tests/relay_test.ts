import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  closed,
  type RawOrigin,
  send,
  startRawOrigin,
} from "../lib/features/relay/testing/raw_origin.ts";
import {
  CLIENT_ID,
  CLIENT_SECRET,
  PREVIOUS_SLUG,
  serveRelay,
  SLUG,
} from "../lib/features/relay/testing/served_relay.ts";
import { heldTimers } from "../lib/testing/held_timers.ts";
import { HANG_MS, processorMs } from "../lib/testing/times.ts";
import { startOriginSandbox } from "../sandbox/origin.ts";
import { sendRaw } from "./site.ts";

/** A raw response with a two-byte body. */
const ok = (head: string) => `HTTP/1.1 ${head}\r\nContent-Length: 2\r\n\r\nok`;

/** Asserts the headers that every response has. */
function assertSealed(response: Response) {
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertEquals(response.headers.get("referrer-policy"), "no-referrer");
  assertEquals(response.headers.get("x-robots-tag"), "noindex");
  assertEquals(response.headers.get("set-cookie"), null);
  for (const name of response.headers.keys()) assert(!name.startsWith("edge-access-"), name);
}

async function assertRefused(response: Response, status: number, error: string) {
  assertEquals(response.status, status);
  assertEquals(response.headers.get("content-type"), "application/json");
  assertEquals(response.headers.get("x-content-type-options"), "nosniff");
  const body = await response.json();
  assertEquals(Object.keys(body), ["error", "message"]);
  assertEquals(body.error, error);
  assertSealed(response);
}

Deno.test("the right slug returns the origin's response to the service token", async () => {
  await using origin = startOriginSandbox();
  await using relay = serveRelay(origin);
  const response = await relay.get("/records.json?year=2026&b=%2F");
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("content-type"), "application/json");
  assertEquals((await response.json()).records, 1_284);
  assertSealed(response);
  assertEquals(origin.requests.map(({ path }) => path), ["/records.json?year=2026&b=%2F"]);
  assertEquals(relay.logged, []);
});

Deno.test("a wrong service token returns the origin's own 403", async () => {
  await using origin = startOriginSandbox();
  await using relay = serveRelay({ origin: origin.origin });
  const response = await relay.get("/");
  assertEquals(response.status, 403);
  assertStringIncludes(await response.text(), "Access required");
  assertSealed(response);
});

Deno.test("methods other than GET return 405 for any path", async () => {
  await using origin = startRawOrigin(ok("200 OK"));
  await using relay = serveRelay(origin);
  const methods = ["HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "FOO", "get"];
  const paths = [`/${SLUG}/a`, "/wrong/a", "/", `/${SLUG}/%2f`];
  for (const method of methods) {
    for (const path of paths) {
      const head = `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n`;
      const text = await sendRaw(relay.port, `${head}Content-Length: 2\r\n\r\n{}`);
      assertStringIncludes(text, "HTTP/1.1 405 ", `${method} ${path}`);
      assertStringIncludes(text, "\r\nallow: GET\r\n");
      assertStringIncludes(text, "\r\ncache-control: no-store\r\n");
      if (method !== "HEAD") assertStringIncludes(text, `"error":"method_not_allowed"`);
    }
  }
  assertEquals(origin.heads, []);
});

Deno.test("any other first segment returns the same 403", async () => {
  await using origin = startRawOrigin(ok("200 OK"));
  await using relay = serveRelay({ ...origin, previousSlug: PREVIOUS_SLUG });
  const wrong = [
    "",
    "wrong",
    SLUG.slice(0, -1),
    `${SLUG}0`,
    SLUG.toUpperCase(),
    SLUG.replace("docs", "%64ocs"),
    `${SLUG}%00`,
    `/${SLUG}`,
    "x".repeat(10_000),
  ];
  const responses = new Set<string>();
  for (const slug of wrong) {
    const response = await relay.get("/a%2f", { slug });
    const headers = [...response.headers].filter(([name]) => name !== "date");
    assertSealed(response);
    responses.add(JSON.stringify([response.status, headers, await response.text()]));
  }
  assertEquals(responses.size, 1);
  assertStringIncludes([...responses][0], "[403,");
  assertEquals(origin.heads, []);
});

Deno.test("encoded separators return 400 in the path, and are forwarded in the query", async () => {
  await using origin = startRawOrigin(ok("200 OK"));
  await using relay = serveRelay(origin);
  await assertRefused(await relay.get("/a%2fb"), 400, "invalid_request");
  assertEquals(origin.heads, []);
  assertEquals(await (await relay.get("/a?b=%2f%5c%00")).text(), "ok");
  assertStringIncludes(origin.heads[0], "GET /a?b=%2f%5c%00 HTTP/1.1\r\n");
});

Deno.test("the slug without a slash redirects to the slug with a slash", async () => {
  await using origin = startRawOrigin(ok("200 OK"));
  await using relay = serveRelay(origin);
  const response = await relay.get("?a=1");
  assertEquals(response.status, 308);
  assertEquals(response.headers.get("location"), `/${SLUG}/?a=1`);
  assertSealed(response);
});

const REQUEST_HEADERS: [name: string, value: string, forwarded: boolean][] = [
  ["Accept", "text/markdown", true],
  ["Accept-Language", "de, en;q=0.5", true],
  ["User-Agent", "reader/1.0", true],
  ["If-None-Match", '"a", W/"b"', true],
  ["If-Modified-Since", "Mon, 12 Jan 2026 08:00:00 GMT", true],
  ["Range", "bytes=0-4", true],
  ["If-Range", '"a"', true],
  ["Cookie", "app_session=1", false],
  ["Authorization", "Bearer x", false],
  ["Proxy-Authorization", "Basic x", false],
  ["Edge-Access-Client-Id", "mine", false],
  ["Edge-Access-Client-Secret", "mine", false],
  ["Edge-Access-Other", "mine", false],
  ["Forwarded", "for=10.0.0.1", false],
  ["X-Forwarded-For", "10.0.0.1", false],
  ["X-Forwarded-Host", "evil.example", false],
  ["Referer", "https://relay.example/docs-secret/a", false],
  ["Origin", "https://evil.example", false],
  ["Accept-Encoding", "gzip, br", false],
  ["X-Custom", "1", false],
  ["Via", "1.1 x", false],
  ["TE", "trailers", false],
  ["Upgrade", "websocket", false],
];

for (const [name, value, forwarded] of REQUEST_HEADERS) {
  Deno.test(`the request header ${name} is ${forwarded ? "" : "not "}forwarded`, async () => {
    await using origin = startRawOrigin(ok("200 OK"));
    await using relay = serveRelay(origin);
    const text = await sendRaw(
      relay.port,
      `GET /${SLUG}/a HTTP/1.1\r\nHost: relay.example\r\nConnection: close\r\n${name}: ${value}\r\n\r\n`,
    );
    assertStringIncludes(text, "HTTP/1.1 200 OK");
    const head = origin.heads[0].toLowerCase();
    const line = `\r\n${name}: ${value}\r\n`.toLowerCase();
    assertEquals(head.includes(line), forwarded, head);
    assertEquals(head.split(`\r\nedge-access-client-id: ${CLIENT_ID}\r\n`).length, 2);
    assertEquals(head.split(`\r\nedge-access-client-secret: ${CLIENT_SECRET}\r\n`).length, 2);
    assertEquals(head.split("edge-access-").length, 3);
    assertStringIncludes(head, "\r\naccept-encoding: identity\r\n");
    assertStringIncludes(head, `\r\nhost: ${new URL(origin.origin).host}\r\n`);
    assert(!head.includes(SLUG), "the slug is not sent");
  });
}

const SAME = Symbol("unchanged");
const RESPONSE_HEADERS: [name: string, value: string, sent: typeof SAME | null | string][] = [
  ["Content-Type", "application/pdf", SAME],
  ["Content-Language", "de", SAME],
  ["Content-Disposition", 'attachment; filename="a.pdf"', SAME],
  ["ETag", '"strong"', SAME],
  ["Last-Modified", "Mon, 12 Jan 2026 08:00:00 GMT", SAME],
  ["Vary", "accept-language", SAME],
  ["X-Frame-Options", "DENY", SAME],
  ["WWW-Authenticate", 'Bearer realm="docs"', SAME],
  ["Retry-After", "10", SAME],
  ["Cache-Control", "public, max-age=3600", "no-store"],
  ["CDN-Cache-Control", "max-age=3600", null],
  ["Example-CDN-Cache-Control", "max-age=3600", null],
  ["Surrogate-Control", "max-age=3600", null],
  ["Expires", "Mon, 12 Jan 2099 08:00:00 GMT", null],
  ["Pragma", "cache", null],
  ["Age", "12", null],
  ["Set-Cookie", "a=b; Path=/", null],
  ["Set-Cookie2", "a=b", null],
  ["Edge-Access-Client-Id", CLIENT_ID, null],
  ["Edge-Access-Client-Secret", CLIENT_SECRET, null],
  ["Edge-Access-Token", "x", null],
  ["X-Echo", `secret=${CLIENT_SECRET};`, null],
  ["X-Echo-Id", `<${CLIENT_ID}>`, null],
  ["Keep-Alive", "timeout=5", null],
  ["Proxy-Authenticate", "Basic", null],
  ["Proxy-Connection", "keep-alive", null],
  ["TE", "trailers", null],
  ["Trailer", "x-checksum", null],
  ["Upgrade", "h2c", null],
  ["Clear-Site-Data", '"*"', null],
  ["Strict-Transport-Security", "max-age=1; includeSubDomains", null],
  ["Alt-Svc", 'h3="evil.example:443"', null],
  ["Service-Worker-Allowed", "/", null],
  ["Public-Key-Pins", 'pin-sha256="x"; max-age=1', null],
  ["Expect-CT", "max-age=1", null],
  ["Report-To", "{}", null],
  ["Reporting-Endpoints", 'a="https://reports.example"', null],
  ["NEL", "{}", null],
  ["X-Accel-Redirect", "/etc/passwd", null],
  ["X-Sendfile", "/etc/passwd", null],
  ["X-Lighttpd-Send-File", "/etc/passwd", null],
  ["X-Reproxy-URL", "http://10.0.0.1/", null],
  ["Referrer-Policy", "unsafe-url", "no-referrer"],
  ["X-Robots-Tag", "all", "noindex"],
  ["Content-Security-Policy-Report-Only", "default-src 'self'", null],
  ["Content-Security-Policy", "default-src 'self'", SAME],
  [
    "Content-Security-Policy",
    "default-src 'self'; report-uri https://reports.example/r; img-src *",
    "default-src 'self';; img-src *",
  ],
  [
    "Content-Security-Policy",
    "report-uri /a, default-src 'self',report-uri https://reports.example/r",
    ", default-src 'self',",
  ],
  ["Content-Location", "/a.en.html", `/${SLUG}/a.en.html`],
  ["Content-Location", "https://elsewhere.example/a", SAME],
  [
    "Link",
    '</s.css>; rel=preload, <https://cdn.example/x>; rel="next"', // both in one
    `</${SLUG}/s.css>; rel=preload, <https://cdn.example/x>; rel="next"`,
  ],
  ["Refresh", "5; url=/next", `5; url=/${SLUG}/next`],
  ["Refresh", "5", SAME],
  ["Refresh", "0; url=https://evil.example/", null],
  ["Location", "https://elsewhere.example/", null],
];

for (const [name, value, sent] of RESPONSE_HEADERS) {
  const what = sent === SAME ? "unchanged" : sent === null ? "dropped" : "rewritten";
  Deno.test(`the response header ${name}: ${value.replace(CLIENT_SECRET, "…")} is ${what}`, async () => {
    await using origin = startRawOrigin(ok(`200 OK\r\n${name}: ${value}`));
    await using relay = serveRelay(origin);
    const response = await relay.get("/a/b");
    assertEquals(await response.text(), "ok");
    assertEquals(response.headers.get(name), sent === SAME ? value : sent);
    assertSealed(response);
  });
}

Deno.test("the time to rewrite a header is linear in its length", async () => {
  await using origin = startRawOrigin(ok(`200 OK\r\nLink: ${"<".repeat(200_000)}`));
  await using relay = serveRelay(origin);
  const ms = await processorMs(async () => {
    assertEquals(await (await relay.get("/")).text(), "ok");
  });
  assert(ms < 2_000, `${ms} ms`);
});

Deno.test("Connection and the headers that it lists are dropped", async () => {
  await using origin = startRawOrigin(
    ok("200 OK\r\nConnection: close, X-Hop ,x-other\r\nX-Hop: 1\r\nX-Other: 1\r\nX-End: 1"),
  );
  await using relay = serveRelay(origin);
  const { headers, body } = await relay.get("/");
  await body?.cancel();
  const passed = ["connection", "x-hop", "x-other", "x-end"].filter((name) => headers.has(name));
  assertEquals(passed, ["x-end"]);
});

const ORIGIN = "https://origin.example";
const REDIRECTS: [location: string, sent: string | null][] = [
  ["/x", "/x"],
  ["y?c=d#e", "/a/y?c=d#e"],
  ["../../../z", "/z"],
  ["?q=1", "/a/b?q=1"],
  ["", "/a/b?q=0"],
  [`${ORIGIN}/x`, "/x"],
  [`${ORIGIN}//evil.example/`, "//evil.example/"],
  [`${ORIGIN}`, "/"],
  ["/caf\xc3\xa9", "/caf%C3%A9"],
  ["https://login.access.example/?then=/x", null],
  ["//evil.example/x", null],
  ["/\\evil.example/x", null],
  ["\\\\evil.example", null],
  [`${ORIGIN}:81/x`, null],
  [`${ORIGIN}@evil.example/`, null],
  [`${ORIGIN}.evil.example/`, null],
  ["https://user@evil.example/", null],
  ["javascript:alert(1)", null],
  ["data:text/html,x", null],
  [`blob:${ORIGIN}/x`, null],
  ["http://", null],
  [`/x?${CLIENT_SECRET}`, null],
];

for (const [location, sent] of REDIRECTS) {
  const title = location.replace(CLIENT_SECRET, "<secret>");
  const outcome = sent === null ? "returns 502" : "stays below the slug";
  Deno.test(`a redirect to "${title}" ${outcome}`, async () => {
    await using origin: RawOrigin = startRawOrigin(async (connection) => {
      const value = location.replace(ORIGIN, origin.origin);
      const head = ok(`302 Found\r\nLocation: ${value}`);
      await connection.write(Uint8Array.from(head, (char) => char.charCodeAt(0)));
    });
    for (const slug of [SLUG, PREVIOUS_SLUG]) {
      await using relay = serveRelay({ ...origin, previousSlug: PREVIOUS_SLUG });
      const response = await relay.get("/a/b?q=0", { slug });
      assertSealed(response);
      if (sent === null) {
        await assertRefused(response, 502, "bad_gateway");
        assertEquals(response.headers.get("location"), null);
        assertEquals(relay.logged, [
          { level: "warn", event: "relay_led_out", relay: "docs", status: 502 },
        ]);
      } else {
        await response.body?.cancel();
        assertEquals(response.status, 302);
        assertEquals(response.headers.get("location"), `/${slug}${sent}`);
      }
    }
  });
}

for (const status of [201, 300, 301, 303, 307, 308]) {
  Deno.test(`with ${status} too, a Location at the origin is rewritten below the slug`, async () => {
    await using origin = startRawOrigin(ok(`${status} X\r\nLocation: /x`));
    await using relay = serveRelay(origin);
    const response = await relay.get("/a");
    await response.body?.cancel();
    assertEquals(response.status, status);
    assertEquals(response.headers.get("location"), `/${SLUG}/x`);
  });
}

for (const status of [200, 206, 400, 401, 403, 404, 410, 429, 451, 500, 503, 599]) {
  Deno.test(`${status} of the origin is returned with its body`, async () => {
    await using origin = startRawOrigin(ok(`${status} Word\r\nX-From: origin`));
    await using relay = serveRelay(origin);
    const response = await relay.get("/a");
    assertEquals([response.status, await response.text()], [status, "ok"]);
    assertEquals(response.headers.get("x-from"), "origin");
    assertSealed(response);
  });
}

for (const status of [204, 304]) {
  Deno.test(`${status} of the origin is returned without a body`, async () => {
    await using origin = startRawOrigin(`HTTP/1.1 ${status} X\r\nETag: "a"\r\n\r\n`);
    await using relay = serveRelay(origin);
    const request = `GET /${SLUG}/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
    const text = await sendRaw(relay.port, request);
    assertStringIncludes(text, `HTTP/1.1 ${status} `);
    assertStringIncludes(text, `\r\netag: "a"\r\n`);
    assert(text.endsWith("\r\n\r\n"));
  });
}

Deno.test("205 is returned, and an informational response is skipped", async () => {
  await using reset = startRawOrigin("HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n");
  await using first = serveRelay(reset);
  const response = await first.get("/");
  assertEquals([response.status, await response.text()], [205, ""]);
  await using hints = startRawOrigin(
    `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${ok("200 OK")}`,
  );
  await using second = serveRelay(hints);
  assertEquals(await (await second.get("/")).text(), "ok");
});

const UNUSABLE: [what: string, bytes: string][] = [
  ["an invalid status", ok("999 Odd")],
  ["101 Switching Protocols", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"],
  ["something other than HTTP", "SSH-2.0-x\r\n\r\n"],
  ["nothing", ""],
  ["half a head", "HTTP/1.1 200 OK\r\nContent-"],
  ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nok"],
];

for (const [what, bytes] of UNUSABLE) {
  Deno.test(`an origin that sends ${what} returns 502 without details`, async () => {
    await using origin = startRawOrigin(bytes);
    await using relay = serveRelay(origin);
    await assertRefused(await relay.get("/a"), 502, "bad_gateway");
    assertEquals(relay.logged.length, 1);
    assertEquals(relay.logged[0].status, 502);
  });
}

for (const head of ["302 Found\r\nLocation: https://login.access.example/", "999 Odd"]) {
  Deno.test(`a response of ${head.slice(0, 3)} that is not forwarded is cancelled`, async () => {
    const ended = Promise.withResolvers<string>();
    await using origin = startRawOrigin(async (connection) => {
      await send(connection, `HTTP/1.1 ${head}\r\nContent-Length: 10\r\n\r\nbegun`);
      await closed(connection);
      ended.resolve("by the relay");
    });
    await using relay = serveRelay(origin);
    await assertRefused(await relay.get("/a"), 502, "bad_gateway");
    const tooLate = setTimeout(() => ended.resolve("not at all"), HANG_MS);
    assertEquals(await ended.promise, "by the relay");
    clearTimeout(tooLate);
  });
}

Deno.test("an unreachable origin returns 502 without its name", async () => {
  const { origin, [Symbol.asyncDispose]: close } = startRawOrigin("");
  await close();
  await using relay = serveRelay({ origin });
  await assertRefused(await relay.get("/a?secret-query"), 502, "bad_gateway");
  assertEquals(relay.logged, [
    { level: "warn", event: "relay_unreachable", relay: "docs", status: 502 },
  ]);
});

Deno.test("a request on a pooled connection that the origin closes is sent again", async () => {
  const KEPT = 6;
  const allReceived = Promise.withResolvers<void>();
  await using origin = startRawOrigin(async (connection) => {
    const isKept = origin.heads.length <= KEPT;
    if (origin.heads.length === KEPT) allReceived.resolve();
    await allReceived.promise;
    await send(connection, ok("200 OK"));
    if (isKept) await connection.read(new Uint8Array(1024)); // the next request gets no response
  });
  await using relay = serveRelay(origin);
  const request = async () => {
    const response = await relay.get("/a");
    assertEquals([response.status, await response.text()], [200, "ok"]);
  };
  await Promise.all(Array.from({ length: KEPT }, request));
  await request();
  assertEquals([origin.heads.length, relay.logged], [KEPT + 1, []]);
});

Deno.test("a request to an origin that closes each connection is sent twice", async () => {
  await using origin = startRawOrigin("");
  await using relay = serveRelay(origin);
  await assertRefused(await relay.get("/a"), 502, "bad_gateway");
  assertEquals(origin.heads.length, 2);
});

Deno.test("a request whose headers are late returns 504 and is cancelled", async () => {
  const left = Promise.withResolvers<void>();
  const { schedule, end } = heldTimers();
  let requests = 0;
  await using origin = startRawOrigin(async (connection) => {
    requests++;
    end();
    await connection.read(new Uint8Array(1));
    left.resolve();
  });
  await using relay = serveRelay(origin, { schedule });
  await assertRefused(await relay.get("/a"), 504, "gateway_timeout");
  assertEquals(relay.logged, [
    { level: "warn", event: "relay_timed_out", relay: "docs", status: 504 },
  ]);
  await left.promise;
  assertEquals(requests, 1);
});

Deno.test("a body may take longer than the timeout, rewritten or not", async () => {
  await Promise.all([false, true].map(async (rewriteLinks) => {
    const proceed = Promise.withResolvers<void>();
    await using origin = startRawOrigin(async (connection) => {
      const head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 15\r\n\r\n";
      await send(connection, `${head}<p>one</p>`);
      await proceed.promise;
      await send(connection, "<br>2");
    });
    const { schedule, end } = heldTimers();
    await using relay = serveRelay({ ...origin, rewriteLinks }, { schedule });
    const response = await relay.get("/a");
    end();
    proceed.resolve();
    assertEquals(await response.text(), "<p>one</p><br>2");
  }));
});

Deno.test("ranges and conditions are forwarded in both directions", async () => {
  await using origin = startOriginSandbox();
  await using relay = serveRelay(origin);
  const whole = await relay.get("/register.txt");
  const text = await whole.text();
  const etag = whole.headers.get("etag")!;
  assertEquals(whole.headers.get("content-length"), `${text.length}`);
  assertEquals(whole.headers.get("accept-ranges"), "bytes");
  const cases: [headers: Record<string, string>, status: number, body: string][] = [
    [{ range: "bytes=0-9" }, 206, text.slice(0, 10)],
    [{ range: "bytes=2190-" }, 206, text.slice(2190)],
    [{ range: "bytes=99999-" }, 416, ""],
    [{ range: "bytes=0-9", "if-range": etag }, 206, text.slice(0, 10)],
    [{ range: "bytes=0-9", "if-range": '"old"' }, 200, text],
    [{ "if-none-match": etag }, 304, ""],
    [{ "if-none-match": '"old"' }, 200, text],
    [{ "if-modified-since": whole.headers.get("last-modified")! }, 304, ""],
  ];
  for (const [headers, status, body] of cases) {
    const response = await relay.get("/register.txt", { headers });
    assertEquals([response.status, await response.text()], [status, body], JSON.stringify(headers));
    assertEquals(response.headers.get("etag"), etag);
    assertEquals(response.headers.has("content-range"), status === 206 || status === 416);
    assertSealed(response);
  }
});

Deno.test("no response and no log contains a secret", async () => {
  await using sandbox = startOriginSandbox();
  await using relay = serveRelay({ ...sandbox, previousSlug: PREVIOUS_SLUG }, { timeoutMs: 200 });
  await using gone = startRawOrigin("");
  await using broken = serveRelay({ ...gone, previousSlug: PREVIOUS_SLUG });
  const secrets = [SLUG, PREVIOUS_SLUG, sandbox.clientId, sandbox.clientSecret, CLIENT_SECRET];
  for (const { get } of [relay, broken]) {
    for (const path of ["/%2f", "/moved", "/slow-headers", "/cookies", "/../x"]) {
      const response = await get(path);
      const text = JSON.stringify([...response.headers]) + await response.text();
      for (const secret of secrets) assert(!text.includes(secret), `${path}: ${text}`);
    }
  }
  // Not through the relay with the short timeout, because this needs a response.
  await using unlimited = serveRelay({ ...sandbox, previousSlug: PREVIOUS_SLUG });
  const echoed = await unlimited.get("/echo");
  const text = JSON.stringify([...echoed.headers]) + await echoed.text();
  assertStringIncludes(text, '"edge-access-client-secret":"(present)"');
  for (const secret of secrets) assert(!text.includes(secret), text);
  const logged = JSON.stringify([relay.logged, broken.logged]);
  assert(relay.logged.length >= 2 && broken.logged.length >= 2);
  for (const secret of [...secrets, "/moved", sandbox.origin]) assert(!logged.includes(secret));
});
