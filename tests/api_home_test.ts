import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createSite } from "./site.ts";

Deno.test("the API's home page contains the response to its first request, without scripts", async () => {
  await using site = await createSite({ CONTACT_CLIENT_LIMIT: "7" });
  const html = await (await site.request("api", "/")).text();
  const text = (html: string) =>
    html.replaceAll(/<[^>]*>/g, "").replaceAll("&quot;", '"').replaceAll("&amp;", "&")
      .replaceAll("&#39;", "'");
  const path = /curl '[^']*:8000([^']*)'/.exec(text(html))![1];
  const response = await site.request("api", path);
  const listing = await response.json();
  const shown = /<pre[^>]*aria-label="Result"[^>]*>([^]*?)<\/pre>/.exec(html)![1];
  assertEquals(JSON.parse(text(shown)), listing);
  assert(listing.total > 0);
  assertStringIncludes(html, "7 an hour");
  assertStringIncludes(html, "idempotency_mismatch");
});
