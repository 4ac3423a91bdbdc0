import { assertEquals } from "@std/assert";
import { fetchAccount } from "./account_client.ts";

const HREF = "/console/finance/a1?start=";

async function resultOf(response: Response | Error, redirected = false) {
  const requested: string[] = [];
  const result = await fetchAccount(HREF, new AbortController().signal, (url) => {
    requested.push(String(url));
    if (response instanceof Error) return Promise.reject(response);
    return Promise.resolve(Object.defineProperty(response, "redirected", { value: redirected }));
  });
  assertEquals(requested, [`${HREF}&format=json`]);
  return result.ok ? result.data : result.error;
}

Deno.test("fetchAccount() returns the page's data, whatever its status", async () => {
  const data = { typed: {}, error: "network_error" };
  assertEquals(await resultOf(Response.json(data)), data);
  assertEquals(await resultOf(Response.json(data, { status: 502 })), data);
});

Deno.test("fetchAccount() adds a query to an address that has none", async () => {
  const requested: unknown[] = [];
  await fetchAccount("/console/finance/a1", new AbortController().signal, (url) => {
    requested.push(url);
    return Promise.resolve(Response.json({ typed: {} }));
  });
  assertEquals(requested, ["/console/finance/a1?format=json"]);
});

Deno.test("fetchAccount() distinguishes a missing session, a refusal and no usable response", async () => {
  assertEquals(await resultOf(new Response("<html>"), true), "signed_out");
  assertEquals(await resultOf(Response.json({ error: "forbidden" }, { status: 403 })), "no_access");
  for (const response of [Response.json({ error: "x" }), new Response("<"), new Error("offline")]) {
    assertEquals(await resultOf(response), "unreachable");
  }
});
