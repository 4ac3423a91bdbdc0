import { assertEquals } from "@std/assert";
import { openKv } from "../../platform/kv/mod.ts";
import { limitKv } from "../../platform/kv/testing/limited_kv.ts";
import type { PaymentUpdate } from "./event.ts";
import { BY_WORD, type Payment, paymentRows } from "./rows.ts";
import { applyUpdate, paymentData } from "./store.ts";
import { findByWords } from "./words.ts";

const NOW = Date.UTC(2026, 5, 1);
const RECORD = "ab".repeat(32);
const OF = "commercial" as const;

const update = (id: string, changes: Partial<PaymentUpdate> = {}): PaymentUpdate => ({
  event: `event of ${id} ${changes.at ?? ""}`,
  type: "payment_intent.succeeded",
  at: "2026-05-01T00:00:00.000Z",
  payment: id,
  state: "succeeded",
  amount: 1_000,
  currency: "aud",
  refunded: null,
  created_at: "2026-05-01T00:00:00.000Z",
  description: "Annual certificate",
  record: RECORD,
  payer: { name: "Zoë O'Brien", email: "zoe@payer.example" },
  ...changes,
});

async function setup(...updates: PaymentUpdate[]) {
  const kv = limitKv(await openKv(":memory:"));
  for (const each of updates) await applyUpdate(kv, OF, each, NOW);
  return {
    kv,
    find: async (text: string) =>
      (await findByWords(kv, OF, text, NOW)).payments.map(({ id }) => id).sort(),
    indexed: () => Array.fromAsync(kv.list({ prefix: [BY_WORD] }), ({ key }) => String(key[2])),
    [Symbol.dispose]: () => kv.close(),
  };
}

Deno.test("payments are found by the beginnings of all words of the description and the payer", async () => {
  using payments = await setup(
    update("pi_1"),
    update("pi_2", { description: "Certificates", payer: { name: "Ada", email: null } }),
    update("pi_3", { description: null, payer: null }),
  );
  const cases: [text: string, ids: string[]][] = [
    ["certificate", ["pi_1", "pi_2"]],
    ["CERT", ["pi_1", "pi_2"]],
    ["certificate zoe", ["pi_1"]],
    ["zoë o'brien", ["pi_1"]],
    ["zoe@payer.example", ["pi_1"]],
    ["ada", ["pi_2"]],
    ["ada zoe", []],
    ["a", []],
    ["nothing", []],
    ["", []],
  ];
  for (const [text, ids] of cases) assertEquals([text, await payments.find(text)], [text, ids]);
  assertEquals((await findByWords(payments.kv, "foundation", "ada", NOW)).payments, []);
});

Deno.test("a payment with the longest description, payer and id is found by the first and last word of each, also after a change", async () => {
  const words = Array.from({ length: 50 }, (_, i) => `d${String(i).padStart(2, "0")}`).join(" ");
  const payer = { name: "Zoë O'Brien", email: `${"zoe.".repeat(40)}obrien@payer.example` };
  const id = "p".repeat(100);
  using payments = await setup(
    update(id, { description: words.replaceAll("d", "c"), payer }),
    update(id, { description: words, payer, at: "2026-05-02T00:00:00.000Z" }),
  );
  for (const text of ["zoe", "obrien", "example", "d00", "d49"]) {
    assertEquals([text, await payments.find(text)], [text, [id]]);
  }
  assertEquals(await payments.find("c00"), []);
});

Deno.test("a changed payment is found by its new words only, and one whose record is deleted by none", async () => {
  using payments = await setup(
    update("pi_1"),
    update("pi_1", {
      at: "2026-05-02T00:00:00.000Z",
      description: "Renewal",
      payer: { name: "Grace", email: null },
    }),
  );
  assertEquals(await payments.find("zoe"), []);
  assertEquals(await payments.find("grace renewal"), ["pi_1"]);
  await paymentData({ kv: payments.kv, clock: () => NOW }).deleteOf!(RECORD);
  assertEquals(await payments.indexed(), []);
});

Deno.test("among more payments with a word than are read, the newest are found, and the search says that it is incomplete", async () => {
  using payments = await setup();
  const { kv } = payments;
  for (let i = 0; i < 130; i++) {
    const created_at = new Date(NOW - i * 60_000).toISOString();
    const row = {
      ...update(`pi_${i}`),
      id: `pi_${i}`,
      created_at,
      set_by: {},
      expires_at: "2030-01-01T00:00:00.000Z",
    };
    const commit = kv.atomic();
    paymentRows.put(commit, [OF, created_at, row.id], row as unknown as Payment, NOW);
    await commit.commit();
  }
  const { payments: found, complete } = await findByWords(kv, OF, "certificate", NOW);
  assertEquals([found.length, found[0].id, complete], [100, "pi_0", false]);
});
