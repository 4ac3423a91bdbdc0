/** How an administrator resets the passkeys of an operator who has lost them, with a code for a new one. */
import { z } from "zod";
import type { Secrets } from "../../../base/secrets.ts";
import type { Failure } from "../../../base/result.ts";
import { fail } from "../../../base/result.ts";
import { isoAfter } from "../../../platform/kv/mod.ts";
import { transactAndMail } from "../../../platform/mail/mod.ts";
import type { Device } from "../../../platform/http/device.ts";
import type { Surface } from "../../../platform/surfaces/mod.ts";
import { addAudit } from "../../audit/mod.ts";
import { endSessions } from "../../auth/mod.ts";
import { changeAccount, readAccount, resetSlot, type Whose } from "./accounts.ts";
import type { PasskeyDeps } from "./deps.ts";
import { CODE_LIFETIME_MS, operatorPasskeys, OPERATORS, type PasskeyAccountRow } from "./tables.ts";
import { tooMany } from "../failures.ts";

/** The code that an operator enters, as an administrator passes it on. */
export const codeSchema = z.string().max(40).optional();

/** How often a code can be entered. */
export const MAX_ATTEMPTS = 5;

type Permission = NonNullable<PasskeyAccountRow["permission"]>;

const PURPOSE = "operator-passkey-code";

const signed = ({ user_id, surface }: Whose, code: string) => `${surface} ${user_id} ${code}`;

/** Returns whether a code is the one of a permission, in constant time. */
export async function permits(
  secrets: Secrets,
  { code: stored, expires_at }: Permission,
  whose: Whose,
  code: string,
  now: number,
): Promise<boolean> {
  const digits = code.replaceAll(/\D/g, "");
  return await secrets.verify(PURPOSE, signed(whose, digits), stored) &&
    now < Date.parse(expires_at);
}

/** Eight random digits. */
const newCode = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(8)), (value) => value % 10).join("");

interface Reset {
  /** The operator who has lost the passkeys. */
  lost: { user_id: number; email: string };
  /** The administrator who permits new ones. */
  by: { user_id: number; email: string };
  surface: Surface;
  device: Device;
}

/**
 * Removes the passkeys of an operator who has lost them, and permits a new one to whoever signs in with
 * a mailed link and enters the code. The administrator passes it on in person or by phone, so that the
 * mailbox alone does not suffice. All sessions of the operator end.
 */
export async function resetPasskeys(
  { kv, clock, mailer, notices, secrets }: PasskeyDeps,
  { lost: { user_id, email }, by: administrator, surface, device }: Reset,
): Promise<{ ok: true; code: string; expiresAt: string } | Failure> {
  const { email: by } = administrator;
  if (email === by) {
    return fail("conflict", { message: "This is your own account. Ask another administrator." });
  }
  const whose = { user_id, email, surface: surface.name };
  const code = newCode();
  const result = await transactAndMail<{ ok: true; expiresAt: string } | Failure>(
    mailer,
    async () => {
      const now = clock();
      const [slot, account, passkeys] = await Promise.all([
        // Whoever reads the operator's mailbox must not be able to use up what helps the operator.
        resetSlot(kv, { user_id: administrator.user_id, surface: surface.name }, now),
        readAccount(kv, whose),
        OPERATORS.list(kv, whose),
      ]);
      if (slot.waitMs > 0) return { result: tooMany(slot.waitMs) };
      if (passkeys.length === 0 && !account.row.locked) {
        const message = "This operator has no passkey, and can add one after signing in.";
        return { result: fail("conflict", { message }) };
      }
      const commit = kv.atomic();
      slot.take(commit);
      for (const passkey of passkeys) operatorPasskeys.delete(commit, passkey);
      const expires_at = isoAfter(now, CODE_LIFETIME_MS);
      const permission = {
        code: await secrets.sign(PURPOSE, signed(whose, code)),
        ...{ attempts: 0, by, expires_at },
      };
      const used_from = isoAfter(now, 1);
      const { organisation } = surface;
      const change = { passkeys: 0, locked: true, used_from, permission };
      changeAccount(commit, organisation, account, change, now);
      const object = { operator: email };
      addAudit(commit, { organisation, by, action: "passkeys_reset", object }, now);
      const mails = await notices.add(commit, { kind: "reset", whose, by, surface, device }, now);
      return { result: { ok: true, expiresAt: expires_at }, commit, mails };
    },
  );
  if (!result.ok) return result;
  await endSessions({ kv, clock }, whose);
  return { ...result, code: `${code.slice(0, 4)} ${code.slice(4)}` };
}
