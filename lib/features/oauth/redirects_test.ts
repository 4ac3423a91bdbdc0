import { assertEquals } from "@std/assert";
import { formActionOf, isRedirectUri, matchesRedirect, redirectHost } from "./redirects.ts";

Deno.test("clients may register https, loopback and private-use redirects, and no others", () => {
  const cases: [uri: string, allowed: boolean][] = [
    ["https://claude.ai/api/mcp/auth_callback", true],
    ["https://chatgpt.com/connector/oauth/abc_123", true],
    ["http://127.0.0.1:33418/", true],
    ["http://127.0.0.1/callback", true],
    ["http://[::1]:9/callback", true],
    ["http://localhost/callback", true],
    ["http://localhost:8123/callback?x=1", true],
    ["cursor://anysphere.cursor-mcp/oauth/callback", true],
    ["com.example.app:/callback", true],
    ["http://app.example/callback", false],
    ["http://127.0.0.1.evil.example/", false],
    ["http://localhost.evil.example/", false],
    ["http://localhost@evil.example/", false],
    ["https://user:pass@app.example/", false],
    ["https://app.example/#fragment", false],
    ["https://*.app.example/callback", false],
    ["https://app.example\\@evil.example/", false],
    ["https://app.example/\ncallback", false],
    ["https://app.example/call back", false],
    ["https://app.example/ü", false],
    ["javascript:alert(1)", false],
    ["JavaScript:alert(1)", false],
    ["data:text/html,x", false],
    ["file:///etc/passwd", false],
    ["blob:https://app.example/1", false],
    ["about:blank", false],
    ["vbscript:x", false],
    ["mailto:person@app.example", false],
    ["/callback", false],
    ["", false],
    [`https://app.example/${"x".repeat(2_000)}`, false],
  ];
  for (const [uri, allowed] of cases) assertEquals([uri, isRedirectUri(uri)], [uri, allowed]);
});

Deno.test("a redirect matches exactly, except for the port of a loopback address", () => {
  const cases: [given: string, registered: string, matches: boolean][] = [
    ["https://app.example/cb", "https://app.example/cb", true],
    ["https://app.example/cb/", "https://app.example/cb", false],
    ["https://app.example/cb?x=1", "https://app.example/cb", false],
    ["https://app.example:444/cb", "https://app.example/cb", false],
    ["https://APP.example/cb", "https://app.example/cb", false],
    ["http://127.0.0.1:50123/cb", "http://127.0.0.1/cb", true],
    ["http://127.0.0.1:50123/cb", "http://127.0.0.1:33418/cb", true],
    ["http://localhost:50123/callback", "http://localhost/callback", true],
    ["http://[::1]:50123/cb", "http://[::1]/cb", true],
    ["http://127.0.0.1:50123/cb", "http://localhost/cb", false],
    ["http://127.0.0.1:50123/other", "http://127.0.0.1/cb", false],
    ["http://127.0.0.1:50123/cb?x=1", "http://127.0.0.1/cb", false],
    ["https://127.0.0.1:50123/cb", "http://127.0.0.1/cb", false],
    ["http://user@127.0.0.1:1/cb", "http://127.0.0.1/cb", false],
    ["http://127.0.0.1:1/cb#x", "http://127.0.0.1/cb", false],
    ["http://127.0.0.1.evil.example/cb", "http://127.0.0.1/cb", false],
    ["cursor://anysphere.cursor-mcp/cb", "cursor://anysphere.cursor-mcp/cb", true],
    ["cursor://other/cb", "cursor://anysphere.cursor-mcp/cb", false],
  ];
  for (const [given, registered, matches] of cases) {
    const actual = matchesRedirect(given, registered);
    assertEquals([given, registered, actual], [given, registered, matches]);
  }
});

Deno.test("form-action names only the redirect's origin or scheme", () => {
  assertEquals(formActionOf("https://app.example/cb?x=1"), "https://app.example");
  assertEquals(formActionOf("http://127.0.0.1:50123/cb"), "http://127.0.0.1:*");
  assertEquals(formActionOf("http://localhost:50123/cb"), "http://localhost:*");
  assertEquals(formActionOf("cursor://anysphere.cursor-mcp/cb"), "cursor:");
  assertEquals(formActionOf("https://app.example:444/cb"), "https://app.example:444");
  assertEquals(formActionOf("http://[::1]:50123/cb"), null);
  assertEquals(formActionOf("https://x;sandbox/cb"), null);
  assertEquals(formActionOf("https://x,script-src/cb"), null);
  assertEquals(redirectHost("http://localhost:50123/cb"), "localhost:50123");
  assertEquals(redirectHost("cursor://anysphere.cursor-mcp/cb"), "cursor:");
});
