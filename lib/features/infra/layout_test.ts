import { assert, assertEquals } from "@std/assert";
import { layOut, shorten } from "./layout.ts";
import type { InfraMap, InfraNode, NodeGroup } from "./map.ts";

/** A map with as many nodes of each group as given. */
function mapOf(counts: Partial<Record<NodeGroup, number>>): InfraMap {
  const nodes = Object.entries(counts).flatMap(([group, count]) =>
    Array.from({ length: count }, (_, i): InfraNode => ({
      id: `${group}:${i}`,
      name: "Certification Infrastructure",
      role: "",
      group: group as NodeGroup,
      state: "up",
      checked_at: null,
      latency_ms: null,
    }))
  );
  const of = (group: NodeGroup) => nodes.filter((node) => node.group === group);
  return {
    organisation: "commercial",
    nodes,
    edges: [
      ...of("surfaces").map(({ id }) => ({ from: id, to: "process:0" })),
      ...of("services").map(({ id }) => ({ from: "process:0", to: id })),
      ...of("relays").map(({ id }, i) => ({ from: id, to: `origins:${i}` })),
    ],
  };
}

Deno.test("boxes never overlap, stay inside the picture, and each edge has a line", () => {
  const cases = [
    { process: 1, services: 6 },
    { surfaces: 8, process: 1, services: 6, relays: 2, origins: 2 },
    { surfaces: 2, process: 1, services: 7, relays: 20, origins: 20 },
  ];
  for (const counts of cases) {
    const map = mapOf(counts);
    const { width, height, boxes, lines } = layOut(map);
    assertEquals([boxes.length, lines.length], [map.nodes.length, map.edges.length]);
    for (const [i, a] of boxes.entries()) {
      assert(a.x >= 0 && a.y >= 0 && a.x + a.width <= width && a.y + a.height <= height);
      for (const b of boxes.slice(i + 1)) {
        const apart = a.x + a.width < b.x || b.x + b.width < a.x || a.y + a.height < b.y ||
          b.y + b.height < a.y;
        assert(apart, `${a.node.id} ${b.node.id}`);
      }
    }
  }
});

Deno.test("a relay is in one row with its origin", () => {
  const { boxes } = layOut(mapOf({ surfaces: 3, process: 1, services: 2, relays: 2, origins: 2 }));
  const y = (id: string) => boxes.find(({ node }) => node.id === id)!.y;
  for (const i of [0, 1]) assertEquals(y(`relays:${i}`), y(`origins:${i}`));
});

Deno.test("a name that is too wide is cut between letters, whose widths are counted", () => {
  assertEquals(shorten("Signing key", 22), "Signing key");
  assertEquals(shorten("Attest Certification Infrastructure", 22), "Attest Certification Infra…");
  assertEquals(shorten("記録の検証と証明のための組織です", 22), "記録の検証と証明のた…");
  assertEquals(shorten("👩‍🔬".repeat(20), 5), "👩‍🔬👩‍🔬…");
});
