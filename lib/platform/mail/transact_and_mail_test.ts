import { assertEquals } from "@std/assert";
import { apart, openKv } from "../kv/mod.ts";
import type { Mailer, QueuedMail } from "./mailer.ts";
import { transactAndMail } from "./transact_and_mail.ts";

Deno.test("transactAndMail() sends the mails of the attempt that succeeded, and no others", async () => {
  using kv = await openKv(":memory:");
  const sent: unknown[] = [];
  const mailer = { send: (mails: unknown) => void sent.push(mails) } as unknown as Mailer;
  let attempts = 0;
  const result = await transactAndMail(mailer, async () => {
    const entry = await kv.get(["row"]);
    if (++attempts === 1) {
      await apart("Another request writes.", () => kv.set(["row"], "changed in the meantime"));
    }
    const mails = [`mail ${attempts}`] as unknown as QueuedMail[];
    return { result: attempts, commit: kv.atomic().check(entry).set(["row"], attempts), mails };
  });
  assertEquals([result, sent], [2, [["mail 2"]]]);
  assertEquals(await transactAndMail(mailer, () => Promise.resolve({ result: "none" })), "none");
  assertEquals(sent.at(-1), []);
});
