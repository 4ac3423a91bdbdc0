import { assertEquals } from "@std/assert";
import { type ChainEvent, generatePrivateJwk, type Head, verifyChain } from "../lib/chain/mod.ts";
import { openKv } from "../lib/kv/mod.ts";
import { PERSON, statusOf } from "./contact_site.ts";
import { recordFixture } from "./record_site.ts";

Deno.test("replacing APP_SECRET and CHAIN_SIGNING_KEY interrupts nobody", async () => {
  const kv = await openKv(":memory:");
  const secrets = [1, 2].map((byte) => new Uint8Array(32).fill(byte));
  const keys = await Promise.all([generatePrivateJwk(), generatePrivateJwk()]);
  /** A process of the site with some of the secrets, the current one first. */
  const start = (appSecrets: Uint8Array<ArrayBuffer>[], signingKey: typeof keys[0]) =>
    recordFixture({}, {
      kv,
      configure: (config) => ({
        ...config,
        appSecrets,
        chain: { ...config.chain, signingKey },
      }),
    });
  const [old, current] = secrets;

  await using before = await start([old], keys[0]);
  const { hash, cookie } = await before.holder();
  const waiting = await before.register(personOf(2));
  const [{ link }] = await before.mails();
  const headBefore = await chainOf(before, hash);

  // The processes are restarted one after another, so both run for a while.
  const during = await start([current, old], keys[1]);
  await during.site.services.migrate();
  for (const process of [before, during]) {
    assertEquals(await statusOf(process.fetch("/my-record", { cookie })), 200);
  }
  const token = new URL(link!).searchParams.get("token")!;
  assertEquals((await during.site.services.contact.confirm(token)).ok, true);
  const inFlight = await during.holder(personOf(3));
  assertEquals(await statusOf(before.fetch("/my-record", { cookie: inFlight.cookie })), 200);

  const after = await start([current], keys[1]);
  assertEquals(await statusOf(after.fetch("/my-record", { cookie })), 200);
  for (const record of [hash, waiting, inFlight.hash]) {
    const { head, events } = await chainOf(after, record);
    assertEquals(await verifies(record, head, events), true, record);
  }
  // A head that somebody saved before.
  assertEquals(await verifies(hash, headBefore.head, headBefore.events), true);

  async function chainOf({ site }: typeof before, record: string) {
    return await (await site.request("api", `/api/chain/${record}`)).json();
  }

  async function verifies(recordHash: string, head: Head, events: ChainEvent[]): Promise<boolean> {
    const keySet = await after.site.request("trust", "/.well-known/chain-keys.json");
    const { keys } = await keySet.json();
    const publisher = new URL(after.site.services.surfaces.url("trust")!).host;
    const result = await verifyChain({ recordHash, head, events, publisher, keys });
    return result.ok && result.signedSize === result.size;
  }
});

const personOf = (n: number) => ({
  ...PERSON,
  email: `person${n}@example.org`,
  mobile: { country: "AU", number: `0412 345 67${n}` },
});
