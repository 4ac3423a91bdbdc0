import { assertEquals } from "@std/assert";
import { allowedBy, consentPolicy, destinationOf, requestTokenOf } from "./consent.ts";
import type { StoredRequest } from "./decisions.ts";

const requestTo = (redirect_uri: string) =>
  ({ issuer: "https://mcp.example/oauth", redirect_uri }) as StoredRequest;

Deno.test("a page's policy names the MCP host and the redirect, and does not upgrade to TLS", () => {
  const policy = "default-src 'self'; form-action 'self' https://api.example; " +
    "frame-ancestors 'none'; upgrade-insecure-requests";
  const cases: [redirect: string, sources: string][] = [
    ["https://app.example/cb", "https://mcp.example https://app.example"],
    ["http://127.0.0.1:9/cb", "https://mcp.example http://127.0.0.1:*"],
    ["http://[::1]:9/cb", "https://mcp.example"],
    ["cursor://x/cb", "https://mcp.example cursor:"],
  ];
  for (const [redirect, sources] of cases) {
    assertEquals(
      consentPolicy(requestTo(redirect))(policy),
      `default-src 'self'; form-action 'self' ${sources}; frame-ancestors 'none'`,
    );
  }
});

Deno.test("a redirect leads to a site, this computer, or the app of a scheme", () => {
  const cases = [
    ["https://app.example:444/cb", { kind: "site", host: "app.example:444" }],
    ["https://xn--80ak6aa92e.example/cb", { kind: "site", host: "xn--80ak6aa92e.example" }],
    ["http://localhost:9/cb", { kind: "computer", host: "localhost:9" }],
    ["http://[::1]:9/cb", { kind: "computer", host: "[::1]:9" }],
    ["com.example.app:/cb", { kind: "scheme", scheme: "com.example.app:" }],
  ] as const;
  for (const [uri, expected] of cases) {
    assertEquals(destinationOf(requestTo(uri)), expected as ReturnType<typeof destinationOf>);
  }
});

Deno.test("each scope is a sentence, and without a record nothing can be read", () => {
  const startsOf = (texts: string[]) => texts.map((text) => text.split(" ")[0]);
  const request: Pick<StoredRequest, "scopes"> = { scopes: ["mcp", "record", "offline_access"] };
  assertEquals(startsOf(allowedBy(request, true)), ["Use", "Read", "Stay"]);
  assertEquals(startsOf(allowedBy(request, false)), ["Use", "Stay"]);
  assertEquals(startsOf(allowedBy({ scopes: ["record"] }, true)), ["Use", "Read"]);
});

Deno.test("the token of a request has 43 characters of base64url", () => {
  assertEquals(requestTokenOf("a-_".repeat(14) + "a"), "a-_".repeat(14) + "a");
  for (const value of [undefined, null, 7, "", "a".repeat(42), `${"a".repeat(42)}"`]) {
    assertEquals(requestTokenOf(value), null);
  }
});
