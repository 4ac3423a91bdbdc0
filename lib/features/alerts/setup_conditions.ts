/** Two conditions that alerts follow until they end: invalid files of secrets and refused senders. */
import { ifWritable } from "../../platform/kv/mod.ts";
import { type OnSender, organisationOfMail } from "../../platform/mail/mod.ts";
import type { OrganisationKey, SenderKey, Surfaces } from "../../platform/surfaces/mod.ts";
import { type Condition, type Observation, observe } from "./condition.ts";
import { type NewAlert, readOpen } from "./store.ts";

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

const secretsInvalid: Condition = { kind: SECRETS_INVALID, reopens: true };
const senderRefused: Condition = { kind: SENDER_REFUSED, reopens: true };

/**
 * Reports in each console whether the files of secrets are valid.
 *
 * @param variables those whose files are not valid
 */
export async function reportSecrets(
  { surfaces, ...deps }: Deps & { surfaces: Surfaces },
  variables: readonly string[],
): Promise<void> {
  const observed: Observation = variables.length === 0
    ? { state: "ok" }
    : { state: "bad", details: { variables: variables.join(", ") } };
  for (const organisation of ["foundation", "commercial"] as const) {
    if (surfaces.get(`${organisation}-console`) === undefined) continue;
    const problem = { condition: secretsInvalid, organisation, problem: "secrets" };
    await ifWritable(() => observe(deps, problem, observed));
  }
}

/** Reports to a sender's organisation whether the mail server accepts the sender. */
export const reportSender =
  ({ alerts, ...deps }: Deps & { alerts: Storing }): OnSender => async (sender, refusal) => {
    const problem = senderProblem(sender);
    const report = (observed: Observation) =>
      observe(deps, { condition: senderRefused, ...problem }, observed);
    if (refusal === null) await ifWritable(() => report({ state: "ok" }));
    else {
      const details = { sender, reply: refusal };
      await alerts.storing([{ ...problem, details }], () => report({ state: "bad", details }));
    }
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
