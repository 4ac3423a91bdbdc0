/** Renames and removes an operator's own passkeys on a console. */
import { z } from "zod";
import { isVisible, trimmed } from "../../../base/pasted.ts";
import { fail, type Failure } from "../../../base/result.ts";
import { isoAfter } from "../../../platform/kv/mod.ts";
import { addAudit } from "../../audit/mod.ts";
import { endSessions } from "../../auth/mod.ts";
import { changePasskey, changeSchemas } from "../change.ts";
import { tooMany } from "../failures.ts";
import { changeAccount, changeSlot, readAccount } from "./accounts.ts";
import type { OperatorRequest } from "./addition.ts";
import type { PasskeyDeps } from "./deps.ts";

const name = z.string("Enter a name.").overwrite(trimmed).refine(isVisible, "Enter a name.")
  .max(60, "Use at most 60 characters.").regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, "Use one line of text.");

/** The body of `POST /console/team/passkeys`. */
export const passkeyFormSchema = z.discriminatedUnion("act", [
  ...changeSchemas(name),
  z.object({ act: z.literal("reset"), user: z.coerce.number().int().positive() }),
], "Choose what to do.");

const LAST = fail("conflict", {
  message: "This is your only passkey, and this console requires one. Add another one first.",
});

/** Renames a passkey of an operator. */
export const renamePasskey = (
  deps: PasskeyDeps,
  request: OperatorRequest,
  id: string,
  name: string,
): Promise<{ ok: true } | Failure> => change(deps, request, { id, name });

/**
 * Removes a passkey of an operator. Everything that its use opened is closed in all sessions, and the
 * other sessions end. An operator who needs a passkey keeps the last passkey.
 */
export async function removePasskey(
  deps: PasskeyDeps,
  request: OperatorRequest,
  id: string,
): Promise<{ ok: true } | Failure> {
  const removed = await change(deps, request, { id, name: null, keepLast: deps.required });
  if (!removed.ok) return removed;
  const { session, surface } = request;
  await endSessions(deps, {
    user_id: session.user_id,
    surface: surface.name,
    only: (each) => each !== session.id,
  });
  return removed;
}

/** Changes a passkey of an operator in one commit with the audit log and the mails. */
function change(
  deps: PasskeyDeps,
  { session: { user_id, email }, surface, device }: OperatorRequest,
  { id, name, keepLast = false }: { id: string; name: string | null; keepLast?: boolean },
): Promise<{ ok: true } | Failure> {
  const { kv, notices } = deps;
  const owner = { user_id, surface: surface.name };
  const whose = { ...owner, email };
  const kind = name === null ? "removed" : "renamed";
  return changePasskey(deps, {
    ...{ owner, id, name },
    async ask(now) {
      const [slot, account] = await Promise.all([
        changeSlot(kv, owner, now),
        readAccount(kv, whose),
      ]);
      return async (commit, passkey) => {
        const { passkeys } = account.row;
        if (slot.waitMs > 0) return tooMany(slot.waitMs);
        if (keepLast && passkeys === 1) return LAST;
        slot.take(commit);
        const fewer = { passkeys: passkeys - 1, used_from: isoAfter(now, 1) };
        const { organisation } = surface;
        changeAccount(commit, organisation, account, name === null ? fewer : {}, now);
        addAudit(commit, { organisation, by: email, action: `passkey_${kind}` }, now);
        const about = { name: name ?? passkey.name };
        const notice = { kind, whose, surface, passkey: about, device } as const;
        return { ok: true, mails: await notices.add(commit, notice, now) };
      };
    },
  });
}
