/**
 * The whole site as a process of its own, with real providers at the addresses in its environment. It
 * adds an issuer with a key and a webhook, tells them to `MADE_URL`, prints `ready`, and stops when its
 * input ends.
 */
import { newEndpointSchema } from "../lib/features/webhooks/mod.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { openHttpsServer } from "../lib/platform/http/testing/https_server.ts";
import { serve } from "../lib/platform/http/serve.ts";
import { startTelemetry } from "../lib/platform/telemetry/mod.ts";
import { addIssuer } from "./key_site.ts";
import { createSite } from "./site.ts";

await using receiver = openHttpsServer(() => new Response("", { status: 500 }));
const site = await createSite(Deno.env.toObject(), {
  print: console.log,
  network: receiver.network,
});
const { config, jobs, webhooks } = site.services;
startTelemetry(site.services);
const server = serve({ hostname: "127.0.0.1", port: config.port }, site.handler);
jobs.start();
const { issuer, key } = await addIssuer(site).then(async (added) => ({
  issuer: added.issuer.id,
  key: await added.key("live"),
}));
const input = newEndpointSchema.parse({ url: "https://localhost/hook?token=webhook-url-5ecret" });
const { endpoint, secret } = unwrap(
  await webhooks.create({ issuer, mode: "live", key: "none" }, input),
);
await fetch(Deno.env.get("MADE_URL")!, {
  method: "POST",
  body: JSON.stringify({ key, secret, webhook: endpoint.id }),
}).then((response) => response.body?.cancel());
console.log("ready");
await Deno.stdin.read(new Uint8Array(1));
await server.shutdown();
await site[Symbol.asyncDispose]();
