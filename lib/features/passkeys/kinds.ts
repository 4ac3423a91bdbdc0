/** The differences between the passkeys of holders and of operators: their owner, tables, limits and failures. */
import type { Failure } from "../../base/result.ts";
import type { Mailer } from "../../platform/mail/mod.ts";
import { type Table, unchecked } from "../../platform/kv/mod.ts";
import type { Surface } from "../../platform/surfaces/mod.ts";
import { type Challenges, createChallenges } from "./challenges.ts";
import { type Credential, summaryOf } from "./credential.ts";
import type { KindLimits } from "./limits.ts";
import type { RelyingParty } from "./relying_party.ts";
import type { PasskeyAccount, PasskeySummary } from "./schemas.ts";

/** The largest number of passkeys of one owner. A correction may join those of two records. */
export const MAX_PASSKEYS = 20;

/** The columns of a passkey that name its owner. */
export type OwnerOf<Row extends Credential> = Omit<Row, keyof Credential>;

interface KindOptions<Row extends Credential> {
  table: Pick<Table<Row, readonly [string], never>, "get" | "delete"> & {
    set(commit: Deno.AtomicOperation, row: Row): void;
  };
  /** Reads the passkeys of an owner from the index that lists them. */
  find(kv: Deno.Kv, owner: OwnerOf<Row>): Promise<Deno.KvEntry<Row>[]>;
  /** The prefix of the table of challenges. */
  challenges: string;
  limits: KindLimits;
  /** Identifies an owner whose requests are counted. */
  limitOf(owner: OwnerOf<Row>): Deno.KvKey;
  /** The failure if the owner has {@link MAX_PASSKEYS}. */
  full: Failure;
  /** The failure if the owner does not have a passkey. */
  unknown: Failure;
}

/** A kind of owner, holders or operators, with what differs between their passkeys. */
export interface Kind<Row extends Credential>
  extends Omit<KindOptions<Row>, "challenges" | "find"> {
  challenges: Challenges;
  /** Returns the passkeys of an owner, oldest first. */
  list(kv: Deno.Kv, owner: OwnerOf<Row>): Promise<Row[]>;
}

export const createKind = <Row extends Credential>(
  { challenges, find, ...options }: KindOptions<Row>,
): Kind<Row> => ({
  ...options,
  challenges: createChallenges(challenges),
  async list(kv, owner) {
    const found = await find(kv, owner);
    unchecked("Adding or removing one changes the row of its owner.", ...found);
    return found.map(({ value }) => value).sort((a, b) => a.created_at - b.created_at);
  },
});

/** Returns whether a passkey has an owner with these columns. */
export const belongsTo = <Row extends Credential>(
  passkey: Row | null,
  owner: Partial<OwnerOf<Row>>,
): passkey is Row =>
  passkey !== null &&
  Object.entries(owner).every(([name, value]) => passkey[name as keyof Row] === value);

/** The dependencies of the passkeys of one kind of owner. */
export interface PasskeysOf<Row extends Credential> {
  kind: Kind<Row>;
  kv: Deno.Kv;
  clock: () => number;
  mailer: Mailer;
  log: (entry: Record<string, unknown>) => void;
  /** Returns a surface as authenticators know it. */
  partyOf(surface: Surface): RelyingParty;
}

/** The passkeys of an owner, for the page of one surface that lists them. */
export interface PasskeyList {
  passkeys: PasskeySummary[];
  /** True if no more can be added. */
  full: boolean;
  account: PasskeyAccount;
}

/** Returns passkeys as their owner sees them on a surface. */
export function listFor<Row extends Credential>(
  { partyOf }: Pick<PasskeysOf<Row>, "partyOf">,
  surface: Surface,
  passkeys: readonly Row[],
  account: Pick<PasskeyAccount, "userId" | "name">,
): PasskeyList {
  const rpId = partyOf(surface).id;
  const credentialIds = passkeys.filter(({ rp_id }) => rp_id === rpId)
    .map(({ credential_id }) => credential_id);
  return {
    passkeys: passkeys.map(summaryOf),
    full: passkeys.length >= MAX_PASSKEYS,
    account: { rpId, ...account, credentialIds },
  };
}
