import { assertEquals } from "@std/assert";
import { parseConfig } from "../../app/config.ts";
import { openKv } from "../../platform/kv/mod.ts";
import { createSurfaces, type OrganisationKey } from "../../platform/surfaces/mod.ts";
import { createOperators } from "./access.ts";
import type { Layer } from "./layers.ts";
import { INVITATION_LIFETIME_MS, invitations, operators, operatorSettings } from "./tables.ts";

const ADA = "ada@example.org";
const BOB = "bob@example.org";
const CLEO = "cleo@example.org";
const NOW = Date.parse("2026-03-01T10:00:00.000Z");
const at = (ms: number) => new Date(NOW + ms).toISOString();

async function fixture(ops: { l1?: string[]; l2?: string[] } = {}) {
  const kv = await openKv(":memory:");
  const clock = { now: NOW };
  const store = async (add: (commit: Deno.AtomicOperation) => void) => {
    const commit = kv.atomic();
    add(commit);
    await commit.commit();
  };
  return {
    kv,
    clock,
    operators: createOperators({ kv, clock: () => clock.now, ops: { l1: [], l2: [], ...ops } }),
    add: (organisation: OrganisationKey, email: string, layer: Layer) =>
      store((commit) =>
        operators.put(commit, [organisation, email], {
          email,
          layer,
          sessions_from: at(0),
          added_at: at(0),
          invited_by: ADA,
        })
      ),
    invite: (organisation: OrganisationKey, email: string) =>
      store((commit) =>
        invitations.put(commit, [organisation, email], {
          email,
          layer: "L2",
          token: "hash",
          invited_by: ADA,
          sent_at: at(0),
          expires_at: at(INVITATION_LIFETIME_MS),
        }, NOW)
      ),
    choose: (organisation: OrganisationKey, email: string, digest: boolean) =>
      store((commit) => operatorSettings.put(commit, [organisation, email], { email, digest })),
    [Symbol.dispose]: () => kv.close(),
  };
}

Deno.test("an operator of one console has no layer in the other, and one from the environment has it in both", async () => {
  using site = await fixture({ l1: [ADA], l2: [ADA, CLEO] });
  await site.add("foundation", BOB, "L2");
  const layers = (email: string) =>
    Promise.all([
      site.operators.layerOf(email, "foundation"),
      site.operators.layerOf(email, "commercial"),
    ]);
  assertEquals(await layers(ADA), ["L1", "L1"]);
  assertEquals(await layers(BOB), ["L2", null]);
  assertEquals(await layers(CLEO), ["L2", "L2"]);
});

Deno.test("the environment decides the layer of an address that was also added in a console", async () => {
  using site = await fixture({ l2: [BOB] });
  await site.add("foundation", BOB, "L1");
  assertEquals(await site.operators.layerOf(BOB, "foundation"), "L2");
  assertEquals((await site.operators.list("foundation")).map(({ source }) => source), [
    "environment",
  ]);
});

Deno.test("a session that began before its operator was added has no layer", async () => {
  using site = await fixture({ l1: [ADA] });
  await site.add("foundation", BOB, "L1");
  const layer = async (email: string, created_at: string) =>
    (await site.operators.layerOfSession({ email, created_at }, "foundation")).layer;
  assertEquals(await layer(BOB, at(-1)), null);
  assertEquals(await layer(BOB, at(0)), "L1");
  assertEquals(await layer(ADA, at(-1)), "L1");
});

Deno.test("a console sends links to its operators and to invited people, until 72 hours have passed", async () => {
  using site = await fixture({ l1: [ADA] });
  const surfaces = createSurfaces(parseConfig({}));
  const may = (email: string, surface: "foundation-console" | "commercial-console" | "site") =>
    site.operators.maySignIn(email, surfaces.get(surface)!);
  await site.add("commercial", CLEO, "L2");
  await site.invite("foundation", BOB);
  assertEquals(await may(BOB, "foundation-console"), true);
  assertEquals(await may(BOB, "commercial-console"), false);
  assertEquals(await may(CLEO, "commercial-console"), true);
  assertEquals(await may(CLEO, "foundation-console"), false);
  assertEquals(await may("eve@example.org", "site"), true);
  site.clock.now += INVITATION_LIFETIME_MS;
  assertEquals(await may(BOB, "foundation-console"), false);
});

Deno.test("a list has everyone who may use the console once, and only L1 wants the digest without a choice", async () => {
  using site = await fixture({ l1: [CLEO], l2: [BOB] });
  await site.add("commercial", ADA, "L2");
  await site.add("commercial", CLEO, "L2");
  await site.add("foundation", "eve@example.org", "L1");
  const list = async () =>
    (await site.operators.list("commercial")).map(({ email, layer, source, mails }) =>
      [email, layer, source, mails.digest].join(" ")
    );
  assertEquals(await list(), [
    `${ADA} L2 console false`,
    `${BOB} L2 environment false`,
    `${CLEO} L1 environment true`,
  ]);
  await site.choose("commercial", CLEO, false);
  await site.choose("commercial", ADA, true);
  await site.choose("foundation", BOB, true);
  assertEquals((await list()).map((line) => line.endsWith("true")), [true, false, false]);
});
