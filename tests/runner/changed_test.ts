import { assertEquals, assertNotEquals } from "@std/assert";
import { join } from "node:path";
import { PassedTests, SourceGraph } from "./changed.ts";

/** A checkout with two test files. */
const FILES: Record<string, string> = {
  "deno.json": "{}",
  "lib/own.ts": `import "./deep.ts";`,
  "lib/deep.ts": "export const deep = 1;",
  "lib/own_test.ts": `import "./own.ts";`,
  "lib/other_test.ts": "Deno.test('t', () => {});",
  "tests/child.ts": "console.log(1);",
  "tests/start_test.ts": `run("tests/child.ts"); read(new URL("../docs/", import.meta.url));`,
  "tests/named_test.ts": "run(`docs/${name}.md`); write('.data/passed.json');",
  ".data/passed.json": "{}",
  "tests/all_test.ts": `Deno.readDir(new URL("..", import.meta.url));`,
  "tests/site_test.ts": `import "./built_site.ts";`,
  "tests/built_site.ts": "",
  "routes/index.tsx": "",
  "docs/page.md": "text",
};
const TESTS = Object.keys(FILES).filter((path) => path.endsWith("_test.ts"));

Deno.test("a test file has changed if a file has that it imports, starts, reads or builds", async () => {
  const root = await Deno.makeTempDir();
  for (const [path, text] of Object.entries(FILES)) {
    await Deno.mkdir(join(root, path, ".."), { recursive: true });
    await Deno.writeTextFile(join(root, path), text);
  }
  const digests = () => {
    const graph = new SourceGraph(root);
    return new Map(TESTS.map((path) => [path, graph.digest(join(root, path))]));
  };
  /** Changes a file and returns the test files that have changed with it. */
  async function change(path: string): Promise<string[]> {
    const before = digests();
    await Deno.writeTextFile(join(root, path), `${FILES[path]}\n`);
    const after = digests();
    return TESTS.filter((test) => after.get(test) !== before.get(test));
  }
  const ALL = "tests/all_test.ts";
  assertEquals(await change("lib/deep.ts"), ["lib/own_test.ts", ALL]);
  assertEquals(await change("lib/other_test.ts"), ["lib/other_test.ts", ALL]);
  assertEquals(await change("tests/child.ts"), ["tests/start_test.ts", ALL]);
  assertEquals(await change("docs/page.md"), ["tests/start_test.ts", "tests/named_test.ts", ALL]);
  assertEquals(await change("routes/index.tsx"), [ALL, "tests/site_test.ts"]);
  assertEquals(await change(".data/passed.json"), []);
  assertEquals(await change("deno.json"), TESTS);
  const before = digests();
  await Deno.utime(join(root, "lib/deep.ts"), new Date(), new Date());
  assertEquals(digests(), before);
  await Deno.writeTextFile(join(root, "docs/new.md"), "");
  assertNotEquals(digests(), before);
  await Deno.remove(root, { recursive: true });
});

Deno.test("a test file that has failed has not passed, whatever was stored before", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "new/passed.json");
  new PassedTests(path).store({ a: "1", b: "1", c: "1" });
  new PassedTests(path).store({ a: "2", b: null });
  const passed = new PassedTests(path);
  assertEquals(
    [["a", "1"], ["a", "2"], ["b", "1"], ["c", "1"]].map(([file, digest]) =>
      passed.has(file, digest)
    ),
    [false, true, false, true],
  );
  await Deno.remove(folder, { recursive: true });
});
