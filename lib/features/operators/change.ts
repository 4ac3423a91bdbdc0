/** One change of who may use a console. All of them happen one after another. */
import { fail, type Failure } from "../../base/result.ts";
import { apart, changeVersion, countIn } from "../../platform/kv/mod.ts";
import { type QueuedMail, transactAndMail } from "../../platform/mail/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { Actor, TeamDeps } from "./deps.ts";
import { teamVersion } from "./tables.ts";

/** Adds a change to its commit. It may run again. */
type Change<Result> = (
  commit: Deno.AtomicOperation,
  now: number,
) => Promise<{ result: Result | Failure; mails?: readonly QueuedMail[] }>;

/**
 * Changes the team of a console. Each change checks the team's version, so it sees the changes of all processes: if two
 * administrators remove each other at once, the second one no longer may.
 */
export function changeTeam<Result extends { ok: true }>(
  { kv, clock, mailer }: TeamDeps,
  organisation: OrganisationKey,
  change: Change<Result>,
): Promise<Result | Failure> {
  return transactAndMail<Result | Failure>(mailer, async () => {
    countIn(kv, teamVersion(organisation));
    const version = await kv.get(teamVersion(organisation));
    const commit = kv.atomic().check(version);
    const { result, mails } = await apart(
      "Every change of a team changes its version.",
      () => change(commit, clock()),
    );
    if (!result.ok) return { result };
    changeVersion(commit, version.key);
    return { result, commit, mails };
  });
}

/** Like {@link changeTeam}, for a change that only full administrators of the console may make. */
export const changeAsAdministrator = <Result extends { ok: true }>(
  deps: TeamDeps,
  { organisation, by }: Actor,
  change: Change<Result>,
): Promise<Result | Failure> =>
  changeTeam<Result>(deps, organisation, async (commit, now) => {
    if (await deps.operators.layerOf(by, organisation) === "L1") return await change(commit, now);
    return { result: fail("forbidden", { message: "You are no longer a full administrator." }) };
  });
