import { ifWritable, transact } from "../../platform/kv/mod.ts";
import { type OnSender, organisationOfMail } from "../../platform/mail/mod.ts";
import type { OrganisationKey, SenderKey, Surfaces } from "../../platform/surfaces/mod.ts";
import { addAlert, type NewAlert, readOpen, setAlertState } from "./store.ts";

export const SECRETS_INVALID = "secrets_invalid";
export const SENDER_REFUSED = "sender_refused";

interface Storing {
  /** Runs the write that stores problems, and remembers urgent ones that the store does not accept. */
  storing(problems: readonly NewAlert[], write: () => Promise<unknown>): Promise<void>;
}

interface Deps {
  kv: Deno.Kv;
  clock: () => number;
}

/**
 * Opens the alert of a condition that lasts, unless it is open, or marks it as done. Processes may report
 * the same condition again and again.
 *
 * @param details null if the condition has ended
 */
export async function reportCondition(
  ...condition: Parameters<typeof writeCondition>
): Promise<void> {
  await ifWritable(() => writeCondition(...condition));
}

const writeCondition = (
  { kv, clock }: Deps,
  problem: Pick<NewAlert, "organisation" | "kind" | "problem">,
  details: NewAlert["details"] | null,
): Promise<void> =>
  transact(async () => {
    const now = clock();
    const { entry } = await readOpen(kv, problem, now);
    if ((entry === null) === (details === null)) return { result: undefined };
    const commit = kv.atomic();
    if (details !== null) await addAlert(kv, commit, { ...problem, details }, now);
    else await setAlertState(kv, commit, problem, { state: "done", by: null, now });
    return { result: undefined, commit };
  });

/**
 * Reports in each console whether the files of secrets are valid.
 *
 * @param variables those whose files are not valid
 */
export async function reportSecrets(
  { surfaces, ...deps }: Deps & { surfaces: Surfaces },
  variables: readonly string[],
): Promise<void> {
  const details = variables.length === 0 ? null : { variables: variables.join(", ") };
  for (const organisation of ["foundation", "commercial"] as const) {
    if (surfaces.get(`${organisation}-console`) === undefined) continue;
    const problem = { organisation, kind: SECRETS_INVALID, problem: "secrets" };
    await reportCondition(deps, problem, details);
  }
}

/** Reports to a sender's organisation whether the mail server accepts the sender. */
export const reportSender =
  ({ alerts, ...deps }: Deps & { alerts: Storing }): OnSender => async (sender, refusal) => {
    const problem = senderProblem(sender);
    const details = refusal === null ? null : { sender, reply: refusal };
    const report = () => writeCondition(deps, problem, details);
    if (details === null) await ifWritable(report);
    else await alerts.storing([{ ...problem, details }], report);
  };

/**
 * Returns the mail server's reply to the sender of an organisation that it refuses; null if it accepts
 * them, as far as is known.
 */
export async function readSenderRefusal(
  { kv, clock }: Deps,
  organisation: OrganisationKey,
): Promise<string | null> {
  const senders = SENDERS.filter((sender) => organisationOfMail(sender) === organisation);
  const open = await Promise.all(
    senders.map((sender) => readOpen(kv, senderProblem(sender), clock())),
  );
  const refused = open.find(({ entry }) => entry !== null)?.entry;
  return refused ? String(refused.value.reports[0].details.reply ?? "") : null;
}

const SENDERS = ["product", "foundation", "commercial"] as const satisfies SenderKey[];

const senderProblem = (sender: SenderKey) => ({
  organisation: organisationOfMail(sender),
  kind: SENDER_REFUSED,
  problem: sender,
});
