import { assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { configFolder, folderMemory, MemoryError } from "./remembered_logs.ts";

Deno.test("a log is remembered in a folder, and a damaged file is an error instead of a fresh start", async () => {
  const folder = await Deno.makeTempDir();
  const memory = folderMemory(join(folder, "new"));
  const origin = "trust.localhost:8000/log";
  assertEquals(await memory.read(origin), null);
  const remembered = { checkpoint: null, keys: ["key"] };
  await memory.write(origin, remembered);
  assertEquals(await folderMemory(join(folder, "new")).read(origin), remembered);
  assertEquals(await memory.read("other.example/log"), null);
  const [file] = Array.from(Deno.readDirSync(join(folder, "new", "logs")));
  await Deno.writeTextFile(join(folder, "new", "logs", file.name), "{");
  await assertRejects(() => memory.read(origin), MemoryError, "is damaged");
  await Deno.remove(folder, { recursive: true });
});

Deno.test("configuration is in XDG_CONFIG_HOME, or in .config of the home directory", () => {
  const folder = (values: Record<string, string>) => configFolder((name) => values[name]);
  assertEquals(folder({ XDG_CONFIG_HOME: "/x", HOME: "/h" }), "/x/gatehouse");
  assertEquals(folder({ HOME: "/h" }), "/h/.config/gatehouse");
  assertEquals(folder({ USERPROFILE: "/u" }), "/u/.config/gatehouse");
});
