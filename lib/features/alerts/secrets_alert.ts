import { ifWritable, transact } from "../../platform/kv/mod.ts";
import type { Surfaces } from "../../platform/surfaces/mod.ts";
import { addAlert, readOpen, setAlertState } from "./store.ts";

export const SECRETS_INVALID = "secrets_invalid";

/**
 * Reports in each console that files of secrets are not valid, unless that is reported already, or marks
 * the report as done.
 *
 * @param variables the variables that name the files; none if all files are valid
 */
export async function reportSecrets(
  { kv, clock, surfaces }: { kv: Deno.Kv; clock: () => number; surfaces: Surfaces },
  variables: readonly string[],
): Promise<void> {
  const served = (["foundation", "commercial"] as const)
    .filter((organisation) => surfaces.get(`${organisation}-console`) !== undefined);
  for (const organisation of served) {
    const problem = { organisation, kind: SECRETS_INVALID, problem: "secrets" };
    await ifWritable(() =>
      transact(async () => {
        const now = clock();
        const commit = kv.atomic();
        const { entry } = await readOpen(kv, problem, now);
        if ((entry === null) === (variables.length === 0)) return { result: undefined };
        if (entry === null) {
          const details = { variables: variables.join(", ") };
          await addAlert(kv, commit, { ...problem, details }, now);
        } else {
          await setAlertState(kv, commit, problem, { state: "done", by: null, now });
        }
        return { result: undefined, commit };
      })
    );
  }
}
