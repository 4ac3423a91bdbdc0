/**
 * The servers that `chain.ts` compares with load, each in its own process. The first argument names
 * the server, the second is the file of the store. It prints the port that it listens on.
 *
 * @module
 */
import { App } from "fresh";
import { writeChain } from "../lib/features/chain/testing/fixtures.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { createSite } from "../tests/site.ts";
import { CHAIN_HASH, CHAIN_PATH } from "./chain.ts";

const LENGTH = 1_000;

const [name, path] = Deno.args;
const kv = await openKv(path);
const site = await createSite({}, { kv });
const { publisher } = site.services.chains;
if ((await kv.get(["chains", CHAIN_HASH])).value === null) {
  await writeChain(kv, { hash: CHAIN_HASH, publisher, length: LENGTH });
}
const page = await site.request("api", CHAIN_PATH);
const text = await page.text();
const value = JSON.parse(text);
// A load generator sends no Accept-Encoding, so the page is not compressed.
const headers = Object.fromEntries(page.headers);

const servers: Record<string, () => Deno.ServeHandler> = {
  chain: () => site.handler,
  /** A route that converts the same value to JSON, behind one middleware. */
  route: () =>
    new App().use((ctx) => ctx.next())
      .get(CHAIN_PATH, () => new Response(JSON.stringify(value), { headers })).handler(),
  bare: () => () => new Response(text, { headers }),
};

Deno.serve(
  { port: 0, hostname: "127.0.0.1", onListen: ({ port }) => console.log(port) },
  servers[name](),
);
