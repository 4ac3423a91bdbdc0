import { whenUnlocked } from "../kv/mod.ts";

const KEY = ["stats", "mail_failed"];

/** Counts one more failed mail (design, section 6: `["stats", name]`). */
export async function countMailFailure(kv: Deno.Kv): Promise<void> {
  await whenUnlocked(() => kv.atomic().sum(KEY, 1n).commit());
}

/** How many mails have failed, ever. */
export async function readMailFailures(kv: Deno.Kv): Promise<number> {
  const { value } = await kv.get<Deno.KvU64>(KEY);
  return Number(value?.value ?? 0n);
}
