import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { openKv } from "./open.ts";

const PERMISSIONS = { ignore: Deno.build.os === "windows" };

Deno.test("a missing file is created with its folder and keeps what was written", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "new", "deep", "some name.kv");
  {
    using kv = await openKv(path);
    await kv.set(["a"], 1);
  }
  {
    using kv = await openKv(path);
    assertEquals((await kv.get(["a"])).value, 1);
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test({
  name: "only the owner can access a new folder and the store's files",
  ...PERMISSIONS,
  async fn() {
    const temp = await Deno.makeTempDir();
    const folder = join(temp, "new");
    const warnings: string[] = [];
    using kv = await openKv(join(folder, "a.kv"), (message) => warnings.push(message));
    await kv.set(["a"], 1);
    assertEquals(modeOf(folder), 0o700);
    const files = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    assertEquals(files, ["a.kv", "a.kv-shm", "a.kv-wal"]);
    for (const name of files) assertEquals([name, modeOf(join(folder, name))], [name, 0o600]);
    assertEquals(warnings, []);
    await Deno.remove(temp, { recursive: true });
  },
});

Deno.test({
  name: "an existing folder that others can access is reported and not changed",
  ...PERMISSIONS,
  async fn() {
    const folder = await Deno.makeTempDir();
    for (const mode of [0o755, 0o710, 0o704]) {
      await Deno.chmod(folder, mode);
      const warnings: string[] = [];
      using _kv = await openKv(join(folder, `${mode}.kv`), (message) => warnings.push(message));
      assertEquals(warnings.length, 1);
      assertStringIncludes(warnings[0], `chmod 700 ${folder}`);
      assertEquals(modeOf(folder), mode);
    }
    await Deno.remove(folder, { recursive: true });
  },
});

const modeOf = (path: string) => Deno.statSync(path).mode! & 0o777;

Deno.test("openKv(':memory:') opens a new store each time", async () => {
  using one = await openKv(":memory:");
  using other = await openKv(":memory:");
  await one.set(["a"], 1);
  assertEquals((await other.get(["a"])).value, null);
});
