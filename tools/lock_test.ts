import { assert, assertEquals } from "@std/assert";
import denoJson from "../deno.json" with { type: "json" };
import { partOf, siteLock } from "./lock.ts";

const readLock = async () =>
  JSON.parse(await Deno.readTextFile(new URL("../deno.lock", import.meta.url)));

Deno.test("deno.lock lists what the site imports, in the versions of dev.lock", async () => {
  assertEquals(await readLock(), JSON.parse(await siteLock()), "Run: deno task lock");
});

Deno.test("deno.lock lists no package of tests, benchmarks and tools", async () => {
  const packages = Object.keys((await readLock()).npm).join("\n");
  for (const name of ["@sparticuz/", "playwright", "axe-core", "typescript", "@napi-rs/"]) {
    assert(!packages.includes(name), name);
  }
});

Deno.test("every task that runs a module names a lock file and does not change it", () => {
  for (const [name, task] of Object.entries(denoJson.tasks)) {
    for (const command of task.split(" && ")) {
      if (!/^deno (run|test|check|cache) /.test(command) || name === "lock") continue;
      assert(/ --frozen --lock=(deno|dev)\.lock /.test(`${command} `), `${name}: ${command}`);
    }
  }
});

Deno.test("a part of a lock file has the dependencies of its packages, with versions where there are several, and all of JSR", () => {
  const all = {
    specifiers: {
      "jsr:@x/y@1": "1.0.0",
      "npm:a@1": "1.0.0",
      "npm:b@1": "1.0.0",
      "npm:c@2": "2.0.0",
    },
    jsr: { "@x/y@1.0.0": { dependencies: ["npm:a"] } },
    npm: {
      "a@1.0.0": { dependencies: ["c@1.0.0", "d"], optionalDependencies: ["@napi-rs/canvas"] },
      "b@1.0.0": { dependencies: ["c@2.0.0"] },
      "c@1.0.0": {},
      "c@2.0.0": {},
      "d@1.0.0_c@1.0.0": {},
      "@napi-rs/canvas@1.0.0": {},
    },
  };
  assertEquals(
    partOf(all, new Set(["a@1.0.0"])),
    {
      specifiers: { "jsr:@x/y@1": "1.0.0", "npm:a@1": "1.0.0" },
      jsr: { "@x/y@1.0.0": { dependencies: ["npm:a"] } },
      npm: {
        "a@1.0.0": { dependencies: ["c", "d"] },
        "c@1.0.0": {},
        "d@1.0.0_c@1.0.0": {},
      },
    } as typeof all,
  );
});
