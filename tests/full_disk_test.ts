import { assert, assertEquals } from "@std/assert";
import { verifyChain } from "../packages/proof/mod.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { contactFixture, PERSON } from "./contact_site.ts";

const folder = await Deno.makeTempDir();

/** Mounting needs root, or a machine that allows it to others. */
const mounted = await run("mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", folder);

async function run(command: string, ...args: string[]): Promise<boolean> {
  return await new Deno.Command(command, { args, stderr: "null" }).output()
    .then(({ success }) => success, () => false);
}

Deno.test.afterAll(async () => {
  if (mounted) await run("umount", folder);
  await Deno.remove(folder);
});

Deno.test({
  name:
    "on a full disk, writes return 503, /readyz says so, reads work, and writes work again when there is space",
  ignore: !mounted,
  async fn() {
    const events: string[] = [];
    const path = `${folder}/gatehouse.kv`;
    const kv = await openKv(path);
    await using fixture = await contactFixture({ KV_PATH: path }, {
      kv,
      log: ({ event }) => void events.push(String(event)),
    });
    const register = (n: number) => fixture.send({ ...PERSON, email: `person${n}@example.org` });
    const hashes: string[] = [];
    async function accepted(response: Response): Promise<boolean> {
      const body = await response.json();
      if (response.status === 201) hashes.push(body.hash);
      else assertEquals([response.status, body.error], [503, "read_only"]);
      return response.status === 201;
    }

    const ready = async () => {
      const response = await fixture.site.request("trust", "/readyz");
      const { status, checks } = await response.json();
      return [response.status, status, checks.store];
    };

    assert(await accepted(await register(0)));
    assertEquals(await ready(), [200, "ready", "ok"]);
    fillDisk();
    // Even if nothing has been written since.
    assertEquals(await ready(), [200, "read_only", "disk_full"]);
    let n = 1;
    while (await accepted(await register(n))) n++;
    // Several at once, which the store would accept in part.
    for (const response of await Promise.all([1, 2, 3, 4].map((i) => register(n + i)))) {
      await accepted(response);
    }
    assertEquals(events.filter((event) => event === "disk_full").length, 1);
    assert(!events.includes("internal"), events.join());
    assertEquals(await ready(), [200, "read_only", "disk_full"]);
    // Nobody has to open a page to learn of it, and the mail is sent although it cannot be noted.
    await fixture.site.services.alertWatch.tick();
    const [mail] = fixture.site.services.devOutbox!.list();
    assertEquals([mail.to, mail.subject], ["admin@example.org", "Act now: Disk full"]);
    for (const path of ["/", "/terms", "/verify"]) {
      const response = await fixture.site.request("trust", path);
      assertEquals(response.status, 200, path);
      await response.body?.cancel();
    }
    assertEquals(await verifyAll(), hashes.length);

    Deno.removeSync(`${folder}/filler`);
    assert(await accepted(await register(n + 5)));
    assertEquals(await ready(), [200, "ready", "ok"]);
    assertEquals(await verifyAll(), hashes.length);
    for (const prefix of ["contacts", "contacts_by_time", "chains", "chain_events"]) {
      assertEquals(await fixture.count(prefix), hashes.length, prefix);
    }

    /** Returns how many of the registered chains verify. */
    async function verifyAll(): Promise<number> {
      const publisher = new URL(fixture.site.services.surfaces.url("trust")!).host;
      const keySet = await fixture.site.request("trust", "/.well-known/chain-keys.json");
      const { keys } = await keySet.json();
      let verified = 0;
      for (const recordHash of hashes) {
        const response = await fixture.site.request("api", `/api/chain/${recordHash}`);
        const { head, events } = await response.json();
        const result = await verifyChain({ recordHash, head, events, publisher, keys });
        if (result.ok && result.size === result.signedSize) verified++;
      }
      return verified;
    }
  },
});

function fillDisk(): void {
  using file = Deno.openSync(`${folder}/filler`, { create: true, write: true });
  const page = new Uint8Array(4096);
  try {
    for (;;) file.writeSync(page);
  } catch {
    // It is full.
  }
}
