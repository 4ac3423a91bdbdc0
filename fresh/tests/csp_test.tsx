import { App, csp, type CSPOptions } from "fresh";
import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { clientOf } from "./client.ts";

const page = (
  <html>
    <head>
      <style>{"p { color: red }"}</style>
    </head>
    <body>
      <script src="/own.js" />
      <script nonce="given">1</script>
    </body>
  </html>
);

function client(options?: CSPOptions) {
  return clientOf(
    new App().use(csp(options)).get("/", (ctx) => ctx.render(page, {}, { skipAppWrapper: true }))
      .get("/plain", (ctx) => ctx.render(<p>plain</p>)).get("/json", (ctx) => ctx.json({}))
      .get("/redirect", () => Response.redirect("http://localhost/x")),
  );
}

const HEADER = "content-security-policy";
const directives = (policy: string | null) =>
  new Map(
    policy?.split("; ").map((line) => [line.split(" ")[0], line]),
  );

Deno.test("csp(): the default policy", async () => {
  const { headers } = await client()("/");
  assertEquals(headers.get(HEADER)?.split("; "), [
    "default-src 'self'",
    "script-src 'self' 'unsafe-inline'",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self'",
    "img-src 'self' data:",
    "media-src 'self' data: blob:",
    "worker-src 'self' blob:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "upgrade-insecure-requests",
  ]);
  assertEquals(headers.has("content-security-policy-report-only"), false);
});

Deno.test("csp(): one's own directives are added, or replace the default of that name", async () => {
  const { headers } = await client({ csp: ["img-src *", "require-trusted-types-for 'script'"] })(
    "/",
  );
  const found = directives(headers.get(HEADER));
  assertEquals(found.get("img-src"), "img-src *");
  assertEquals(found.get("require-trusted-types-for"), "require-trusted-types-for 'script'");
  assertEquals(found.get("font-src"), "font-src 'self'");
  assertEquals(headers.get(HEADER)!.match(/img-src/g)!.length, 1);
});

Deno.test("csp(): reportOnly and reportTo", async () => {
  const { headers } = await client({ reportOnly: true, reportTo: "/reports" })("/");
  assertEquals(headers.has(HEADER), false);
  const found = directives(headers.get("content-security-policy-report-only"));
  assertEquals(found.get("report-to"), "report-to csp-endpoint");
  assertEquals(found.get("report-uri"), "report-uri /reports");
  assertEquals(headers.get("reporting-endpoints"), 'csp-endpoint="/reports"');
});

Deno.test("csp(): with useNonce, the page's scripts and styles carry the header's nonce", async () => {
  const get = client({ useNonce: true });
  const response = await get("/");
  const nonce = /script-src 'self' 'nonce-([\w+/=-]{22,})'(?:;|$)/.exec(
    response.headers.get(HEADER)!,
  )?.[1];
  assert(nonce);
  const found = directives(response.headers.get(HEADER));
  assertEquals(found.get("style-src"), `style-src 'self' 'nonce-${nonce}'`);
  const html = await response.text();
  assertMatch(html, new RegExp(`<style[^>]* nonce="${nonce}"`));
  assertMatch(html, new RegExp(`<script src="/own.js" nonce="${nonce}"`));
  assertMatch(html, /<script nonce="given">/);
  const again = (await get("/")).headers.get(HEADER);
  assertNotEquals(again, response.headers.get(HEADER));
});

Deno.test("csp(): with useNonce, an answer without inline parts allows none", async () => {
  for (const path of ["/plain", "/json", "/redirect"]) {
    const policy = (await client({ useNonce: true })(path)).headers.get(HEADER);
    assertEquals(directives(policy).get("script-src"), "script-src 'self'", path);
  }
});
