import { assert, assertEquals } from "@std/assert";
import { startBankSandbox } from "../../../sandbox/bank.ts";
import { openKv } from "../../platform/kv/mod.ts";
import { valuesOf } from "../../platform/kv/testing/temp_kv.ts";
import { createTreasury } from "./treasury.ts";
import { type BankProvider, isBankError } from "./provider.ts";
import { providerOf } from "./providers/mod.ts";

Deno.test("no result and no stored value contains an account or routing number", async () => {
  await using bank = startBankSandbox();
  using kv = await openKv(":memory:");
  const numbers = bank.secretNumbers;
  assert(numbers.length >= 17, `${numbers.length}`);
  const raw = await fetch(`${bank.baseUrl}/api/v1/accounts`, {
    headers: { authorization: `Bearer ${bank.tokens.commercial}` },
  });
  const upstream = await raw.text();
  assert(
    numbers.some((number) => upstream.includes(number)),
    "the numbers are not in the upstream response",
  );

  const seen: unknown[] = [];
  for (const surface of ["foundation", "commercial"] as const) {
    const provider = providerOf("mercury", {
      baseUrl: bank.baseUrl,
      token: bank.tokens[surface],
      fetch,
    });
    const accounts = await provider.getAccounts();
    if (isBankError(accounts)) throw new Error(accounts.error);
    seen.push(accounts, await provider.getOrganization());
    for (const accountId of [undefined, bank.foundationAccountId, "not-yet"]) {
      const treasury = createTreasury({ provider, surface, accountId, kv, clock: Date.now });
      seen.push(
        await treasury.summary(),
        await treasury.accounts(),
        await treasury.refresh(),
        await treasury.history(),
        await treasury.latest(8),
      );
      for (const { id } of accounts) {
        seen.push(
          await provider.getAccount(id),
          await readAll(provider.getTransactions(id, { limit: 50 })),
          await treasury.transactions({ account_id: id, limit: 500, offset: 0 }),
        );
      }
    }
  }
  seen.push(await valuesOf(kv, "bank_cache"), await valuesOf(kv, "bank_daily"));
  const text = JSON.stringify(seen, (_, value) => typeof value === "bigint" ? `${value}` : value);
  assert(text.length > 1_000_000, `${text.length}`);
  assertEquals(numbers.filter((number) => text.includes(number)), []);
  assert(!/routing|accountNumber|secret-token/i.test(text));
});

const readAll = async (page: ReturnType<BankProvider["getTransactions"]>) => {
  const read = await page;
  return isBankError(read) ? read : read.transactions.map((sent) => sent.read());
};
