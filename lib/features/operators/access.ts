/** The people who may use each console, and their layers. */
import { changeVersion, createDerivedValues, isLive } from "../../platform/kv/mod.ts";
import type { OrganisationKey, Surface } from "../../platform/surfaces/mod.ts";
import type { Layer } from "./layers.ts";
import {
  invitations,
  OPERATOR_MAILS,
  type OperatorMail,
  operators,
  operatorSettings,
  teamVersion,
} from "./tables.ts";
import type { OpsConfig } from "./variables.ts";

/** An operator of one console. */
export interface Operator {
  email: string;
  layer: Layer;
  /** Operators from the environment cannot be changed in a console. */
  source: "environment" | "console";
  /** True for each kind of mail that the operator gets. Default: true for L1. */
  mails: Record<OperatorMail, boolean>;
}

/** A session, as far as layers depend on it. */
interface OperatorSession {
  email: string;
  created_at: string;
}

/**
 * The people who may use the consoles, and their layers (spec 5.1). The environment names operators of both
 * consoles, and the store has those who accepted an invitation to one of them.
 *
 * The layer that decides what a request may do is read for that request, so every change takes effect at
 * once. Lists of addresses, with their layers, are kept until the team changes.
 */
export interface Operators {
  /**
   * Returns the layer of an address in a console; null if it has none. The environment takes
   * precedence, and an address on both of its lists is L1. Reads at most one row.
   *
   * @param email normalised, as in sessions
   */
  layerOf(email: string, organisation: OrganisationKey): Promise<Layer | null>;
  /**
   * Like {@link Operators.layerOf}, with the row that gives the layer, as it was read. The layer is null
   * for a session that began before its operator was added.
   */
  layerOfSession(
    session: OperatorSession,
    organisation: OrganisationKey,
  ): Promise<{ layer: Layer | null; row: Deno.AtomicCheck | null }>;
  /** Returns whether an address may get a sign-in link: on consoles, operators and invited people. */
  maySignIn(email: string, surface: Surface): Promise<boolean>;
  /** Returns whether an address is an operator of any console. */
  isOperator(email: string): Promise<boolean>;
  /** Returns the operators of a console, by address. */
  list(organisation: OrganisationKey): Promise<Operator[]>;
  /** Returns the addresses of the operators of a console, in order. By default those of all layers. */
  emails(organisation: OrganisationKey, layer?: Layer): Promise<string[]>;
}

const ORGANISATIONS: readonly OrganisationKey[] = ["foundation", "commercial"];

/**
 * Deletes everything that is stored about an operator or an invited person, for all consoles, with the
 * invitations that the operator sent.
 */
export async function forgetOperator(kv: Deno.Kv, email: string): Promise<void> {
  for (const organisation of ORGANISATIONS) {
    const commit = kv.atomic();
    for await (const { value } of invitations.list(kv, [organisation])) {
      if (value.email !== email && value.invited_by !== email) continue;
      invitations.deleteAt(commit, [organisation, value.email], value);
    }
    commit.delete(operators.key(organisation, email));
    commit.delete(operatorSettings.key(organisation, email));
    await changeVersion(commit, teamVersion(organisation)).commit();
  }
}

const mailsOf = (
  chosen: Partial<Record<OperatorMail, boolean>> | undefined,
  layer: Layer,
): Operator["mails"] =>
  Object.fromEntries(
    OPERATOR_MAILS.map((mail) => [mail, chosen?.[mail] ?? layer === "L1"]),
  ) as Operator["mails"];

/** Returns the layer that the environment gives to an address. */
function environmentLayer(email: string, { l1, l2 }: OpsConfig): Layer | null {
  if (l1.includes(email)) return "L1";
  return l2.includes(email) ? "L2" : null;
}

/** Creates the look-ups of operators, from the environment and the store. */
export function createOperators(
  { kv, clock, ops }: { kv: Deno.Kv; clock: () => number; ops: OpsConfig },
): Operators {
  const derived = createDerivedValues({ clock });

  async function layerOf(email: string, organisation: OrganisationKey): Promise<Layer | null> {
    const given = environmentLayer(email, ops);
    return given ?? (await operators.get(kv, organisation, email)).value?.layer ?? null;
  }

  async function isInvited(email: string, organisation: OrganisationKey): Promise<boolean> {
    const { value } = await invitations.get(kv, organisation, email);
    return value !== null && isLive(value, clock());
  }

  /** Returns the layers of the operators that the store has for a console, by address. */
  const readStored = async (organisation: OrganisationKey): Promise<[string, Layer][]> =>
    await Array.fromAsync(
      operators.list(kv, [organisation]),
      ({ value: { email, layer } }) => [email, layer],
    );

  /** Adds the operators that the environment names. */
  const withNamed = (stored: readonly [string, Layer][]): Map<string, Layer> =>
    new Map([
      ...stored,
      ...[...ops.l1, ...ops.l2].map((email) => [email, environmentLayer(email, ops)!] as const),
    ]);

  return {
    layerOf,
    async layerOfSession({ email, created_at: began }, organisation) {
      const given = environmentLayer(email, ops);
      if (given !== null) return { layer: given, row: null };
      const { key, value, versionstamp } = await operators.get(kv, organisation, email);
      if (value === null || began < value.sessions_from) return { layer: null, row: null };
      return { layer: value.layer, row: { key, versionstamp } };
    },
    async maySignIn(email, { signIn, organisation }) {
      if (signIn === null) return false;
      return !signIn.operatorsOnly || await layerOf(email, organisation) !== null ||
        await isInvited(email, organisation);
    },
    async isOperator(email) {
      if (environmentLayer(email, ops) !== null) return true;
      const rows = await operators.getMany(kv, ORGANISATIONS.map((each) => [each, email]));
      return rows.length > 0;
    },
    async list(organisation) {
      const [stored, chosen] = await Promise.all([
        readStored(organisation),
        Array.fromAsync(operatorSettings.list(kv, [organisation]), ({ value }) => value),
      ]);
      const choices = new Map(chosen.map((each) => [each.email, each]));
      const named = new Set([...ops.l1, ...ops.l2]);
      return Array.from(withNamed(stored), ([email, layer]) => ({
        email,
        layer,
        source: named.has(email) ? "environment" as const : "console" as const,
        mails: mailsOf(choices.get(email), layer),
      })).sort((a, b) => a.email < b.email ? -1 : 1);
    },
    async emails(organisation, layer) {
      const { versionstamp } = await kv.get(teamVersion(organisation));
      const stored = await derived.get(
        organisation,
        versionstamp,
        async () => ({ value: await readStored(organisation) }),
      );
      return [...withNamed(stored)].filter(([, its]) => layer === undefined || its === layer)
        .map(([email]) => email).sort();
    },
  };
}
