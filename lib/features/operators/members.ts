/** Changing the layer of operators, and removing them. */
import { fail, type Failure } from "../../base/result.ts";
import { forgetDeliveries } from "../../platform/jobs/mod.ts";
import { asSite, isoAfter } from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { addAudit } from "../audit/mod.ts";
import { changeAsAdministrator, changeTeam } from "./change.ts";
import { type Actor, signOut, type TeamDeps, userIdOf } from "./deps.ts";
import { addWithdrawals } from "./invitations.ts";
import type { Layer } from "./layers.ts";
import { addNotices } from "./mails.ts";
import { type OperatorMail, operators as storedOperators, operatorSettings } from "./tables.ts";

/** Changes the layer of an operator who was added in this console. Lowering it ends their sessions. */
export async function changeLayer(
  deps: TeamDeps,
  { organisation, by }: Actor,
  { email, layer }: { email: string; layer: Layer },
): Promise<{ ok: true } | Failure> {
  const { kv } = deps;
  let lowered = false;
  let withdrawn: string[] = [];
  const changed = await changeAsAdministrator(deps, { organisation, by }, async (commit, now) => {
    const entry = await storedOperators.get(kv, organisation, email);
    if (entry.value === null) return { result: NO_OPERATOR };
    if (entry.value.layer === layer) return { result: { ok: true } };
    lowered = layer === "L2";
    if (lowered && !await remainsAdministered(deps, organisation, email)) return { result: LAST };
    const sessions_from = lowered ? isoAfter(now, 0) : entry.value.sessions_from;
    storedOperators.replace(commit, entry, { ...entry.value, layer, sessions_from });
    const about = { object: { operator: email }, detail: `${entry.value.layer} to ${layer}` };
    addAudit(commit, { organisation, by, action: "operator_layer_changed", ...about }, now);
    if (lowered) {
      withdrawn = await addWithdrawals(deps, commit, { organisation, by, of: email }, now);
    }
    const user_id = await userIdOf(deps, email);
    const notice = { organisation, whose: { email, user_id }, layer, by };
    const title = "The layer of an operator was changed";
    return {
      result: { ok: true },
      mails: await addNotices(deps, commit, { ...notice, title }, now),
    };
  });
  if (changed.ok && lowered) {
    // The change is committed, so it is completed even if its author loses their authority now.
    await asSite(async () => {
      await signOut(deps, { organisation, email });
      for (const about of withdrawn) await forgetDeliveries(kv, about);
    });
  }
  return changed;
}

/**
 * Removes an operator who was added in this console, ends their sessions, and erases what other features
 * have of them, such as passkeys. An operator may leave without being an administrator.
 */
export async function removeOperator(
  deps: TeamDeps,
  actor: Actor,
  email: string,
): Promise<{ ok: true } | Failure> {
  const { kv } = deps;
  const { organisation, by } = actor;
  let withdrawn: string[] = [];
  const remove: Parameters<typeof changeTeam<{ ok: true }>>[2] = async (commit, now) => {
    const entry = await storedOperators.get(kv, organisation, email);
    if (entry.value === null) return { result: NO_OPERATOR };
    const { layer } = entry.value;
    if (layer === "L1" && !await remainsAdministered(deps, organisation, email)) {
      return { result: LAST };
    }
    commit.check(entry).delete(entry.key).delete(operatorSettings.key(organisation, email));
    const about = { object: { operator: email }, detail: layer };
    addAudit(commit, { organisation, by, action: "operator_removed", ...about }, now);
    withdrawn = await addWithdrawals(deps, commit, { organisation, by, of: email }, now);
    const user_id = await userIdOf(deps, email);
    const notice = { organisation, whose: { email, user_id }, layer, by };
    const title = "An operator was removed from the console";
    return {
      result: { ok: true },
      mails: await addNotices(deps, commit, { ...notice, title }, now),
    };
  };
  const removed = by === email
    ? await changeTeam(deps, organisation, remove)
    : await changeAsAdministrator(deps, actor, remove);
  if (removed.ok) {
    // The change is committed, so it is completed even if its author loses their authority now.
    await asSite(async () => {
      await signOut(deps, { organisation, email });
      for (const each of deps.operatorData()) await each.erase?.({ organisation, email });
      for (const about of withdrawn) await forgetDeliveries(kv, about);
    });
  }
  return removed;
}

/** Sets whether an operator gets a kind of mail. One full administrator has to get those about alerts. */
export const setMail = (
  deps: TeamDeps,
  { organisation, by }: Actor,
  { mail, wanted }: { mail: OperatorMail; wanted: boolean },
): Promise<{ ok: true } | Failure> =>
  changeTeam(deps, organisation, async (commit, now) => {
    const entry = await operatorSettings.get(deps.kv, organisation, by);
    if (!wanted && mail !== "digest" && !await othersGet(deps, organisation, { mail, by })) {
      return { result: LAST_READER };
    }
    operatorSettings.replace(commit, entry, { ...entry.value, email: by, [mail]: wanted });
    const detail = `${mail} ${wanted ? "on" : "off"}`;
    addAudit(commit, { organisation, by, action: "mails_changed", detail }, now);
    return { result: { ok: true } };
  });

/** Returns whether other full administrators get a kind of mail. */
const othersGet = async (
  { operators }: TeamDeps,
  organisation: OrganisationKey,
  { mail, by }: { mail: OperatorMail; by: string },
): Promise<boolean> =>
  (await operators.list(organisation)).some(({ email, layer, mails }) =>
    layer === "L1" && email !== by && mails[mail]
  );

/** Returns whether a console keeps a full administrator without its own row of an address. */
const remainsAdministered = async (
  { operators }: TeamDeps,
  organisation: OrganisationKey,
  without: string,
): Promise<boolean> =>
  (await operators.list(organisation)).some(({ email, layer, source }) =>
    layer === "L1" && (email !== without || source === "environment")
  );

const NO_OPERATOR = fail("not_found", {
  message: "This operator is not in the console’s own list, or was removed.",
});
const LAST = fail("conflict", {
  message: "This is the last full administrator. Add another one first.",
});
const LAST_READER = fail("conflict", {
  message: "Nobody else gets this email. Another full administrator has to turn it on first.",
});
