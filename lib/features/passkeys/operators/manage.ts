import { z } from "zod";
import type { Failure } from "../../base/result.ts";
import { fail } from "../../base/result.ts";
import { isoAfter } from "../../platform/kv/mod.ts";
import { transactAndMail } from "../../platform/mail/mod.ts";
import { addAudit } from "../audit/mod.ts";
import { endSessions } from "../auth/mod.ts";
import { tooMany } from "../webauthn/mod.ts";
import { changeAccount, operatorSlot, readAccount } from "./accounts.ts";
import type { PasskeyDeps } from "./deps.ts";
import { UNKNOWN } from "./failures.ts";
import type { OperatorRequest } from "./registration.ts";
import { type OperatorPasskey, operatorPasskeys } from "./tables.ts";

const id = z.string("Choose a passkey.").regex(/^[\da-f]{64}$/, "Choose a passkey.");
const name = z.string("Enter a name.").trim().min(1, "Enter a name.")
  .max(60, "Use at most 60 characters.").regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, "Use one line of text.");

/** The body of `POST /console/team/passkeys`. */
export const passkeyFormSchema = z.discriminatedUnion("act", [
  z.object({ act: z.literal("rename"), id, name }),
  z.object({ act: z.literal("remove"), id }),
  z.object({ act: z.literal("reset"), user: z.coerce.number().int().positive() }),
], "Choose what to do.");

const LAST = fail("conflict", {
  message: "This is your only passkey, and this console requires one. Add another one first.",
});

/** Renames a passkey of an operator. */
export function renamePasskey(
  deps: PasskeyDeps,
  request: OperatorRequest,
  id: string,
  name: string,
): Promise<{ ok: true } | Failure> {
  return change(deps, request, id, {
    kind: "renamed",
    apply: (commit, passkey) => {
      operatorPasskeys.set(commit, { ...passkey, name });
      return {};
    },
  }, { name });
}

/**
 * Removes a passkey of an operator. What its use opened is closed in all sessions, and the other
 * sessions end.
 *
 * @param required true if operators of this deployment need a passkey, so that the last one stays
 */
export async function removePasskey(
  deps: PasskeyDeps,
  request: OperatorRequest,
  id: string,
  required: boolean,
): Promise<{ ok: true } | Failure> {
  const removed = await change(deps, request, id, {
    kind: "removed",
    apply: (commit, passkey, passkeys, now) => {
      if (required && passkeys === 1) return LAST;
      operatorPasskeys.delete(commit, passkey);
      return { passkeys: passkeys - 1, used_from: isoAfter(now, 1) };
    },
  });
  if (!removed.ok) return removed;
  const { session, surface } = request;
  await endSessions(deps.kv, deps.clock, {
    user_id: session.user_id,
    surface: surface.name,
    only: (each) => each !== session.id,
  });
  return removed;
}

interface Change {
  kind: "renamed" | "removed";
  /** Adds the change to the commit, and returns that of the account's row. */
  apply(
    commit: Deno.AtomicOperation,
    passkey: OperatorPasskey,
    passkeys: number,
    now: number,
  ): { passkeys?: number; used_from?: string } | Failure;
}

/** Changes a passkey of an operator in one commit with the audit log and the mails. */
function change(
  { kv, clock, mailer, notices }: PasskeyDeps,
  { session: { user_id, email }, surface, device }: OperatorRequest,
  id: string,
  { kind, apply }: Change,
  named?: { name: string },
): Promise<{ ok: true } | Failure> {
  const whose = { user_id, email, surface: surface.name };
  return transactAndMail<{ ok: true } | Failure>(mailer, async () => {
    const now = clock();
    const [slot, account, entry] = await Promise.all([
      operatorSlot(kv, whose, "changes", now),
      readAccount(kv, whose),
      operatorPasskeys.get(kv, id),
    ]);
    const passkey = entry.value;
    if (passkey?.user_id !== user_id || passkey.surface !== surface.name) {
      return { result: UNKNOWN };
    }
    if (slot.waitMs > 0) return { result: tooMany(slot.waitMs) };
    const commit = kv.atomic().check(entry);
    const changed = apply(commit, passkey, account.row.passkeys, now);
    if ("ok" in changed) return { result: changed };
    slot.take(commit);
    changeAccount(commit, account, changed, now);
    const { organisation } = surface;
    addAudit(commit, { organisation, by: email, action: `passkey_${kind}` }, now);
    const about = { kind, whose, surface, passkey: named ?? passkey, device };
    return { result: { ok: true }, commit, mails: await notices.add(commit, about, now) };
  });
}
