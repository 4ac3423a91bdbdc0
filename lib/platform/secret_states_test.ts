import { assertEquals } from "@std/assert";
import { DAY_MS, MINUTE_MS } from "../base/time.ts";
import type { ConfiguredSecret } from "./config/secret_files.ts";
import { openKv } from "./kv/mod.ts";
import { createSecrets } from "./secrets.ts";
import { createSecretStates } from "./secret_states.ts";

Deno.test("each secret has the time since when it is in use, who uses an older value, and which process has another one", async () => {
  using kv = await openKv(":memory:");
  const clock = { now: Date.parse("2026-03-01T09:00:00.000Z") };
  const hook = (...values: string[]): ConfiguredSecret => ({
    ...{ variable: "MAIL_WEBHOOK_SECRET", source: "file", values },
  });
  const process = (instance: string) => {
    const configured = { list: [hook("whsec_old")] };
    const secrets = createSecrets({ kv, given: [new Uint8Array(32)] });
    const options = { kv, clock: () => clock.now, schedule: () => () => {}, secrets, instance };
    return Object.assign(configured, {
      states: createSecretStates({ ...options, configured: () => configured.list }),
    });
  };
  const [one, two] = [process("one"), process("two")];
  await one.states.report();
  await two.states.report();
  const [{ current: old, differs, older }] = await one.states.read();
  assertEquals([old.since, differs, older], ["2026-03-01T09:00:00.000Z", [], []]);

  // A day later, one process has the new secret first, and the provider still signs with the old one.
  clock.now += DAY_MS;
  one.list = [hook("whsec_new", "whsec_old")];
  await one.states.report();
  await two.states.report();
  await one.states.noteUse("MAIL_WEBHOOK_SECRET", "whsec_old");
  const [state] = await one.states.read();
  assertEquals(state.current.since, "2026-03-02T09:00:00.000Z");
  assertEquals(state.older, [{
    ...{ id: old.id, since: "2026-03-01T09:00:00.000Z", usedAt: "2026-03-02T09:00:00.000Z" },
  }]);
  assertEquals(state.differs, [{ process: "two", id: old.id }]);

  // A process that has ended is not named any more, and no row contains a value.
  clock.now += 4 * MINUTE_MS;
  assertEquals((await one.states.read())[0].differs, []);
  const rows = await Array.fromAsync(kv.list({ prefix: [] }));
  assertEquals(JSON.stringify(rows).includes("whsec"), false);
});
