/** Renames and removes passkeys, whoever their owner is. */
import { z } from "zod";
import type { Failure } from "../../base/result.ts";
import { type QueuedMail, transactAndMail } from "../../platform/mail/mod.ts";
import type { Credential } from "./credential.ts";
import { belongsTo, type OwnerOf, type PasskeysOf } from "./kinds.ts";

const id = z.string("Choose a passkey.").regex(/^[\da-f]{64}$/, "Choose a passkey.");

/** Returns the forms that rename and remove a passkey. */
export const changeSchemas = <Name extends z.ZodType<string>>(name: Name) =>
  [
    z.object({ act: z.literal("rename"), id, name }),
    z.object({ act: z.literal("remove"), id }),
  ] as const;

/** Adds what the rules of an owner require to the commit of a change, or refuses it. */
type AddToChange<Row> = (
  commit: Deno.AtomicOperation,
  passkey: Row,
) => Promise<{ ok: true; mails?: readonly QueuedMail[] } | Failure>;

/** A change of a passkey. */
interface Change<Row extends Credential> {
  owner: OwnerOf<Row>;
  id: string;
  /** The new name; null to remove the passkey. */
  name: string | null;
  /** Reads what the owner's rules say about it now. */
  ask(now: number): Promise<AddToChange<Row> | Failure>;
}

/** Renames or removes a passkey, in one commit with what the rules of its owner add. */
export function changePasskey<Row extends Credential>(
  { kind, kv, clock, mailer }: PasskeysOf<Row>,
  { owner, id, name, ask }: Change<Row>,
): Promise<{ ok: true } | Failure> {
  return transactAndMail<{ ok: true } | Failure>(mailer, async () => {
    const now = clock();
    const [add, entry] = await Promise.all([ask(now), kind.table.get(kv, id)]);
    const passkey = entry.value;
    if (!belongsTo(passkey, owner)) return { result: kind.unknown };
    if (typeof add !== "function") return { result: add };
    const commit = kv.atomic().check(entry);
    if (name === null) kind.table.delete(commit, passkey);
    else commit.set(entry.key, { ...passkey, name });
    const added = await add(commit, passkey);
    return added.ok ? { result: { ok: true }, commit, mails: added.mails } : { result: added };
  });
}

/** Adds the removal of an owner's passkey to a commit. Returns null if the owner has no such one. */
export async function addRemoval<Row extends Credential>(
  { kind, kv }: Pick<PasskeysOf<Row>, "kind" | "kv">,
  commit: Deno.AtomicOperation,
  owner: OwnerOf<Row>,
  id: string,
): Promise<Row | null> {
  const entry = await kind.table.get(kv, id);
  const passkey = entry.value;
  if (!belongsTo(passkey, owner)) return null;
  kind.table.delete(commit.check(entry), passkey);
  return passkey;
}
