import { assertEquals } from "@std/assert";
import { openKv } from "../../platform/kv/mod.ts";
import type { Surfaces } from "../../platform/surfaces/mod.ts";
import { reportSecrets, reportSender } from "./setup_conditions.ts";
import { createAlerts } from "./mod.ts";
import { alertRows } from "./store.ts";

Deno.test("a condition has one open alert, which is done once it ends, in the consoles that it concerns", async () => {
  using kv = await openKv(":memory:");
  const deps = { kv, clock: () => Date.parse("2026-03-01T10:00:00Z") };
  const read = async () =>
    (await Array.fromAsync(kv.list({ prefix: [alertRows.prefix] }), ({ value }) => {
      const { organisation, kind, state, by, count, reports } = value as never as {
        [key: string]: unknown;
        reports: { details: unknown }[];
      };
      return [organisation, kind, state, by, count, reports[0].details];
    })).sort();

  const sender = reportSender({ ...deps, alerts: createAlerts(deps) });
  await sender("foundation", null);
  assertEquals(await read(), []);
  for (let i = 0; i < 3; i++) await sender("foundation", "550 5.7.1");
  const details = { sender: "foundation", reply: "550 5.7.1" };
  assertEquals(await read(), [["foundation", "sender_refused", "unread", null, 1, details]]);
  await sender("product", null);
  await sender("foundation", null);
  assertEquals(await read(), [["foundation", "sender_refused", "done", null, 1, details]]);

  const surfaces = {
    get: (name: string) => name === "commercial-console" ? {} : undefined,
  } as never as Surfaces;
  await reportSecrets({ ...deps, surfaces }, ["RELAYS_FILE", "SMTP_URL_FILE"]);
  const variables = { variables: "RELAYS_FILE, SMTP_URL_FILE" };
  assertEquals((await read())[0], ["commercial", "secrets_invalid", "unread", null, 1, variables]);
  await reportSecrets({ ...deps, surfaces }, []);
  assertEquals((await read())[0], ["commercial", "secrets_invalid", "done", null, 1, variables]);
});
