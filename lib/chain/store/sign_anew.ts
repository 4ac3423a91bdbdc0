import { transact } from "../../kv/mod.ts";
import { type Head, headOrigin, signHead } from "../head.ts";
import type { SigningKey } from "../keys.ts";

interface SignAnew {
  kv: Deno.Kv;
  clock: () => number;
  publisher: string;
  /** The key that signs from now on. */
  key: SigningKey;
}

/**
 * Gives every chain a head by this key and this publisher, where it has another one: after a key
 * was disclosed, and after the trust surface moved to another host (standard, "Changing keys"). The
 * events stay as they are. It may run beside a site that appends.
 *
 * @returns how many heads were signed
 */
export async function signAnew({ kv, clock, publisher, key }: SignAnew): Promise<number> {
  let signed = 0;
  for await (const { key: place } of kv.list<Head>({ prefix: ["chains"] })) {
    const origin = headOrigin(publisher, String(place[1]));
    const done = await transact(async () => {
      const entry = await kv.get<Head>(place);
      const old = entry.value;
      if (old === null || (old.kid === key.kid && old.origin === origin)) return { result: false };
      const now = new Date(clock()).toISOString();
      const at = now < old.at ? old.at : now;
      const head = await signHead({ origin, size: old.size, tip: old.tip, at }, key);
      return { result: true, commit: kv.atomic().check(entry).set(place, head) };
    });
    if (done) signed++;
  }
  return signed;
}
