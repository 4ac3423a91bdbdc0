import { assert, assertEquals, assertMatch } from "@std/assert";
import { billOfMaterials, packagesOf, refusedLicences } from "./bill_of_materials.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

Deno.test("every package and font that is shipped has a licence on the list, and so has every package of the tests", async () => {
  const { components } = await billOfMaterials(ROOT);
  assert(components.length > 100);
  assertEquals(refusedLicences([...components, ...await packagesOf(`${ROOT}dev.lock`)]), []);
});

Deno.test("a licence that is not on the list is refused, and so is a package without one", () => {
  const component = { type: "library", "bom-ref": "a@1", name: "a" } as const;
  assertEquals(
    refusedLicences([
      { ...component, licenses: [{ expression: "MIT" }] },
      { ...component, licenses: [{ expression: "AGPL-3.0-only" }] },
      component,
    ]),
    ["a: AGPL-3.0-only", "a: no licence"],
  );
});

Deno.test("the bill of materials names each package with its version, hash and what it depends on", async () => {
  const { components, dependencies, metadata } = await billOfMaterials(ROOT);
  assertEquals(metadata.component.name, "gatehouse");
  const signals = components.find(({ name }) => name === "@preact/signals")!;
  assertMatch(signals.purl!, /^pkg:npm\/%40preact\/signals@\d+\.\d+\.\d+$/);
  assertMatch(signals.hashes![0].content, /^[0-9a-f]{128}$/);
  const { dependsOn } = dependencies.find(({ ref }) => ref === signals["bom-ref"])!;
  assert(dependsOn.some((ref) => ref.startsWith("preact@")), dependsOn.join());
  const refs = new Set(components.map((component) => component["bom-ref"]));
  assertEquals(refs.size, components.length);
  assertEquals(
    dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.has(ref)),
    [],
  );
});
