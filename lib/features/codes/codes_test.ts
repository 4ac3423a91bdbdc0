import { assert, assertEquals, assertFalse, assertMatch } from "@std/assert";
import { openKv } from "../../platform/kv/mod.ts";
import { createSecrets } from "../../platform/secrets.ts";
import { type CodeRow, createCodeStore } from "./codes.ts";
import { SEGMENT, smsText, spokenText } from "./messages.ts";

/** The characters of GSM-7 (3GPP TS 23.038) that our texts may use. */
const GSM_7 = /^[A-Za-z0-9 \n@#.,:'-]*$/;

Deno.test("an SMS is one segment and ends with the line that binds the code to the host", () => {
  for (const host of ["a.example", "trust.localhost", `${"a".repeat(56)}.example`]) {
    const text = smsText("747723", { host, name: "Trust" });
    assertEquals(text.split("\n").at(-1), `@${host} #747723`);
    assertEquals(text.length <= SEGMENT && GSM_7.test(text), true, text);
  }
  assertEquals(
    smsText("747723", { host: "trust.example", name: "Trust" }),
    "747723 is your code for trust.example. It is valid for 10 minutes. Nobody will ask you for this code.\n\n@trust.example #747723",
  );
});

Deno.test("a call names the site and says the digits one by one", () => {
  assertEquals(
    spokenText("747723", "confirm_number", { host: "trust.example", name: "Attest & Co" }),
    "Hello, this is Attest & Co. Your code to confirm the number of your record is: 7. 4. 7. 7. 2. 3. Nobody will ask you for this code.",
  );
});

Deno.test("two concurrent uses of a correct code consume it once", async () => {
  using kv = await openKv(":memory:");
  const now = Date.now();
  const secrets = createSecrets({ kv, given: [new Uint8Array(32)] });
  const codes = createCodeStore({ kv, clock: () => now, secrets });
  const commit = kv.atomic();
  const purpose = "sign_in";
  const number = { number: "+61491570006", channel: "sms", contactHash: null } as const;
  const created = await codes.create(commit, { purpose, browserId: "b", ...number }, now);
  await commit.commit();
  const digits = created.ok ? created.digits : "";
  const all = await Promise.all([0, 1].map(() => codes.check(purpose, "b", digits)));
  const consumed: boolean[] = [];
  for (const correct of all) {
    const use = kv.atomic();
    consumed.push(correct.ok && await codes.consume(use, correct, now) && (await use.commit()).ok);
  }
  assertEquals(consumed, [true, false]);
});

Deno.test("a row has neither the digits of its code nor the number in plain text", async () => {
  using kv = await openKv(":memory:");
  const now = Date.now();
  const secrets = createSecrets({ kv, given: [new Uint8Array(32)] });
  const commit = kv.atomic();
  const code = { purpose: "sign_in", browserId: "b", number: "+61491570006" } as const;
  const created = await createCodeStore({ kv, clock: () => now, secrets })
    .create(commit, { ...code, channel: "sms", contactHash: null }, now);
  await commit.commit();
  const [{ value }] = await Array.fromAsync(kv.list<CodeRow>({ prefix: ["otp_codes"] }));
  assert(created.ok);
  assertMatch(value.code, /^[\w-]{43}$/);
  assertFalse(new TextDecoder().decode(value.number).includes(code.number));
});

Deno.test("attempts with a code from before APP_SECRET was replaced count for the next one", async () => {
  using kv = await openKv(":memory:");
  const now = Date.now();
  const [old, current] = [1, 2].map((byte) => new Uint8Array(32).fill(byte));
  const create = async (...given: Uint8Array<ArrayBuffer>[]) => {
    const codes = createCodeStore({ kv, clock: () => now, secrets: createSecrets({ kv, given }) });
    const commit = kv.atomic();
    const request = { purpose: "sign_in", browserId: "b", contactHash: null } as const;
    const code = { ...request, number: "+61491570006", channel: "sms" } as const;
    const created = await codes.create(commit, code, now);
    await commit.commit();
    return { codes, created };
  };
  const { codes } = await create(old);
  for (let i = 0; i < 4; i++) await codes.check("sign_in", "b", "000000");
  const next = await create(current, old);
  assertEquals(next.created.ok, true);
  assertEquals((await Array.fromAsync(kv.list({ prefix: ["otp_codes"] }))).length, 1);
  await next.codes.check("sign_in", "b", "000000");
  assertEquals((await create(current, old)).created.ok, false);
});
