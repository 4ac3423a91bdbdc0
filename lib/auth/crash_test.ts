import { assert, assertEquals } from "@std/assert";
import { spawnChild } from "../kv/testing/spawn_child.ts";
import { tempKv, valuesOf } from "../kv/testing/temp_kv.ts";
import type { MagicToken } from "./magic_tokens.ts";
import { createFixture } from "./testing/fixture.ts";

const CHILD = import.meta.resolve("./testing/child.ts");

interface Said {
  token: string;
  /** Once the sign-in was acknowledged. */
  sessionId?: string;
}

/** Signs people in until some were acknowledged, then SIGKILL; all that was said up to the end. */
async function signInUntilKilled(path: string, prefix: string, enough: number): Promise<Said[]> {
  await using child = await spawnChild(CHILD, path, "sign-in", prefix);
  await child.go();
  const said: Said[] = [];
  for (let line; (line = await child.next<Said>()) !== undefined;) {
    said.push(line);
    if (said.length === enough) child.kill();
  }
  return said;
}

Deno.test("killed in the middle of sign-ins, three times: no session is lost, no used token works again", async () => {
  await using store = await tempKv();
  const said: Said[] = [];
  for (const [prefix, enough] of [["a", 40], ["b", 91], ["c", 137]] as const) {
    said.push(...await signInUntilKilled(store.path, prefix, enough));
  }
  const acknowledged = said.filter(({ sessionId }) => sessionId !== undefined);
  const done = new Set(acknowledged.map(({ token }) => token));
  const open = said.filter(({ token }) => !done.has(token));
  assert(acknowledged.length > 100, `${acknowledged.length}`);

  const { auth, session } = createFixture(store.kv);
  for (const { token, sessionId } of acknowledged) {
    assert(await session(sessionId!), "an acknowledged session is lost");
    assertEquals(await auth.verify(token, "site"), null, "a used token works again");
  }

  // Whatever the kills cut off is whole or not there at all.
  const tokens = await valuesOf<MagicToken>(store.kv, "magic_tokens");
  const used = tokens.filter((token) => token.used === 1);
  assertEquals((await valuesOf(store.kv, "sessions")).length, used.length);
  assert(used.length >= acknowledged.length);
  assertEquals((await valuesOf(store.kv, "users")).length, tokens.length);
  assertEquals((await auth.stats()).users, tokens.length);

  // A link that was sent and not yet taken still signs in, once.
  let late = 0;
  for (const { token } of open) if (await auth.verify(token, "site")) late++;
  for (const { token } of open) assertEquals(await auth.verify(token, "site"), null);
  assertEquals((await valuesOf(store.kv, "sessions")).length, used.length + late);
});
