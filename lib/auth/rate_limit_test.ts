import { assert, assertEquals } from "@std/assert";
import { openKv } from "../kv/mod.ts";
import { valuesOf } from "../kv/testing/temp_kv.ts";
import { type Auth, createAuth } from "./mod.ts";
import { addressWindow, clientWindow } from "./rate_limit.ts";
import { stageOf } from "./testing/sign_in.ts";

const HOUR = 3_600_000;

const ask = async (auth: Auth, email: string, clientAddress = "192.0.2.1") => {
  const asked = await auth.requestLink({ email, clientAddress, surface: "site" });
  if (asked.ok) return "sent";
  return asked.error === "rate_limited" ? asked.retryAfterSeconds : asked.error;
};

Deno.test("an address gets three links in any hour, to the second on both sides of it", async () => {
  using kv = await openKv(":memory:");
  const { auth, clock } = stageOf(kv);
  const start = clock.now;
  const steps: [after: number, answer: string | number][] = [
    [0, "sent"],
    [60_000, "sent"],
    [120_000, "sent"],
    [120_000, 3_480],
    [120_001, 3_480],
    [121_000, 3_479],
    [HOUR - 1_000, 1],
    [HOUR - 1, 1],
    [HOUR, "sent"],
    [HOUR, 60],
    [HOUR + 1_000, 59],
    [HOUR + 60_000, "sent"],
    [HOUR + 60_000, 60],
    [2 * HOUR + 60_000 - 1, "sent"],
    [2 * HOUR + 60_000, "sent"],
    [2 * HOUR + 60_000, "sent"],
    [2 * HOUR + 60_000, 3_600],
  ];
  for (const [after, answer] of steps) {
    clock.now = start + after;
    assertEquals(await ask(auth, "ada@example.org"), answer, `after ${after} ms`);
  }
});

Deno.test("the answers are the same for a known and an unknown address", async () => {
  using kv = await openKv(":memory:");
  const { auth, clock } = stageOf(kv);
  await ask(auth, "known@example.org");
  clock.now += HOUR;
  const answers = async (email: string) => {
    const all = [];
    for (let i = 0; i < 5; i++) all.push(await ask(auth, email));
    return all;
  };
  assertEquals(await answers("known@example.org"), ["sent", "sent", "sent", 3_600, 3_600]);
  assertEquals(await answers("unknown@example.org"), await answers("third@example.org"));
});

Deno.test("one address is one address, however it is written; a tag makes another", async () => {
  using kv = await openKv(":memory:");
  const { auth } = stageOf(kv);
  for (const email of ["ada@example.org", " ADA@example.org", "ａｄａ@example.org"]) {
    assertEquals(await ask(auth, email), "sent");
  }
  assertEquals(await ask(auth, "Ada@Example.org"), 3_600);
  assertEquals(await ask(auth, "ada+1@example.org"), "sent");
});

Deno.test("a malformed address is refused and uses nothing up", async () => {
  using kv = await openKv(":memory:");
  const { auth } = stageOf(kv, 1);
  for (let i = 0; i < 5; i++) assertEquals(await ask(auth, "ada"), "invalid_request");
  assertEquals((await valuesOf(kv)).length, 0);
  assertEquals(await ask(auth, "ada@example.org"), "sent");
});

Deno.test("a client has a limit over all addresses; who is refused leaves nothing behind", async () => {
  using kv = await openKv(":memory:");
  const { auth, clock } = stageOf(kv, 5);
  for (let i = 0; i < 5; i++) assertEquals(await ask(auth, `a${i}@example.org`), "sent");
  clock.now += 1_000;
  assertEquals(await ask(auth, "new@example.org"), 3_599);
  assertEquals((await auth.stats()).users, 5);
  assertEquals((await valuesOf(kv, "magic_tokens")).length, 5);
  assertEquals(await ask(auth, "new@example.org", "192.0.2.2"), "sent");

  // The refused address has all its three, and the refused client is free when its hour is over.
  clock.now += HOUR - 1_000;
  assertEquals(await ask(auth, "new@example.org"), "sent");
});

Deno.test("where both limits are reached, it is the longer wait that is told", async () => {
  using kv = await openKv(":memory:");
  const { auth, clock } = stageOf(kv, 3);
  await ask(auth, "ada@example.org", "192.0.2.1");
  clock.now += 600_000;
  for (const client of ["192.0.2.2", "192.0.2.2"]) await ask(auth, "ada@example.org", client);
  await ask(auth, "eve@example.org", "192.0.2.2");
  assertEquals(await ask(auth, "ada@example.org", "192.0.2.2"), 3_600);
  assertEquals(await ask(auth, "ada@example.org", "192.0.2.3"), 3_000);
});

Deno.test("a client's limit of 0 is none", async () => {
  using kv = await openKv(":memory:");
  const { auth } = stageOf(kv, 0);
  for (let i = 0; i < 40; i++) assertEquals(await ask(auth, `a${i}@example.org`), "sent");
});

Deno.test("keys tell neither the address nor the client, and an IPv6 client is its network", () => {
  const keys = JSON.stringify([addressWindow("ada@example.org"), clientWindow("192.0.2.1", 30)]);
  assert(!keys.includes("ada") && !keys.includes("192"));
  assertEquals(clientWindow("2001:db8::1", 1).key, clientWindow("2001:db8:0:0:ffff::2", 1).key);
  assert(`${clientWindow("2001:db8::1", 1).key}` !== `${clientWindow("2001:db8:0:1::1", 1).key}`);
});

Deno.test("many requests at once get three links for an address, and the client its limit", async () => {
  using kv = await openKv(":memory:");
  const clock = Date.now();
  // Two of them, as two processes would be: nothing in one process keeps them in turn.
  const auths = [0, 1].map(() => createAuth({ kv, clock: () => clock, clientLimit: 10 }));
  const one = await Promise.all(
    Array.from({ length: 40 }, (_, i) => ask(auths[i % 2], "a@example.org")),
  );
  assertEquals(one.filter((answer) => answer === "sent").length, 3);
  const many = await Promise.all(
    Array.from({ length: 40 }, (_, i) => ask(auths[i % 2], `b${i}@example.org`)),
  );
  assertEquals(many.filter((answer) => answer === "sent").length, 7);
  assertEquals((await valuesOf(kv, "magic_tokens")).length, 10);
});
