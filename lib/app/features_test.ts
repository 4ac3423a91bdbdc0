import { assertEquals } from "@std/assert";
import type { LinkedData } from "../features/records/mod.ts";
import { HOUR_MS, MINUTE_MS } from "../base/time.ts";
import { createSite } from "../../tests/site.ts";
import { FEATURES } from "./features.ts";

/** The hooks that exist. A function for any other one would never be called. */
const HOOKS = ["beforeMail", "onEvent", "onGrantEnd", "onLostMail", "recordData"];

Deno.test("every hook of a feature is one that a feature or the platform calls", () => {
  const names = FEATURES.flatMap(({ hooks = {} }) => Object.keys(hooks));
  assertEquals([...new Set(names)].sort(), HOOKS);
});

Deno.test("features take part in the deletion of records where tables do not delete rows", async () => {
  await using site = await createSite();
  const data: LinkedData[] = site.services.hooks.recordData();
  assertEquals(data.filter(({ deleteOf }) => deleteOf).map(({ name }) => name).sort(), [
    "access requests",
    "agents",
    "alerts",
    "codes",
    "documents",
    "payments",
  ]);
});

Deno.test("mails are sent although those that a dead process left cannot be prepared", async () => {
  const lines: Record<string, unknown>[] = [];
  let now = Date.UTC(2026, 2, 1);
  await using site = await createSite({}, {
    clock: () => now,
    log: (line) => void lines.push(line),
  });
  const { hooks, jobs, kv, mailer, outbox } = site.services;
  hooks.beforeMail = () => [(() => Promise.reject(new TypeError("broken"))) as never];
  const commit = kv.atomic();
  const mail = {
    sender: "product",
    to: "a@example.org",
    subject: "S",
    text: "t",
    html: "",
  } as const;
  const expiresAt = now + HOUR_MS;
  await mailer.add(commit, mail, { expiresAt, about: "", kind: "notice" });
  await commit.commit();
  now += 2 * MINUTE_MS;
  await jobs.run("mail");
  assertEquals(outbox!.list().length, 1);
  assertEquals(lines.map(({ event }) => event), ["mail_preparation_failed"]);
});
