import { assert, assertEquals } from "@std/assert";
import { secretsOf } from "../../../base/secrets.ts";
import { openKv } from "../../../platform/kv/mod.ts";
import { createLinkCodes } from "./link_codes.ts";

const ASKER = { browser: "b".repeat(64), request: "c".repeat(64) };
const RECORD = "a".repeat(64);

Deno.test("a correct code is not used if a new link or a new code replaced it meanwhile, and once if nothing did", async () => {
  using kv = await openKv(":memory:");
  const clock = () => Date.parse("2026-03-01T10:00:00.000Z");
  const secrets = secretsOf(() => Promise.resolve([new Uint8Array(32)]));
  const codes = createLinkCodes({ kv, clock, secrets });

  async function show(): Promise<string> {
    const commit = kv.atomic();
    const digits = await codes.create(commit, ASKER, [RECORD], clock());
    assert((await commit.commit()).ok);
    return digits;
  }
  /** Enters the code that was shown, and then uses it. */
  async function enter(digits: string, meanwhile: () => Promise<unknown>) {
    const correct = await codes.check(ASKER, digits);
    if (!correct.ok) throw new Error(correct.error);
    await meanwhile();
    const use = async () => {
      const commit = kv.atomic();
      return await correct.use(commit) && (await commit.commit()).ok;
    };
    return [await use(), await use()];
  }

  await codes.reset(ASKER);
  assertEquals(await enter(await show(), () => codes.reset(ASKER)), [false, false], "a new link");
  assertEquals(await enter(await show(), show), [false, false], "a new code");
  assertEquals(await enter(await show(), () => Promise.resolve()), [true, false], "nothing");
});
