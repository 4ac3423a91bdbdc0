/** Finds the first checkpoint that has an entry and enough countersignatures. */
import { type Policy, satisfiesQuorum } from "../../../../packages/proof/mod.ts";
import type { Witness } from "./ask_witness.ts";
import { ANYBODY, lineOf, logCheckpoints } from "./tables.ts";

/** How much a checkpoint's countersignatures show, the least first. */
const GRADES = ["published", "countersigned", "independent", "quorum"] as const;

type Grade = typeof GRADES[number];

/** The first checkpoint that has an entry. */
interface FirstCheckpoint {
  size: number;
  /**
   * True if no later checkpoint can be better, by the log's configuration. Then only a change of an
   * older one can change which one is the first.
   */
  isFinal: boolean;
}

/** How many checkpoints are tried that only some of the quorum have countersigned. */
const MOST_TRIED = 100;

/** The prefix of the index of the sizes that each key has countersigned. */
const [COUNTERSIGNED] = logCheckpoints.indexes;

/**
 * Creates the function that finds the first checkpoint from a size on that satisfies the log's quorum, else one
 * that an independent witness has countersigned, else one that anybody has, else any.
 *
 * @param options.policy the log's own, with its quorum
 */
export function createFirstCheckpoint(
  { kv, policy, witnesses }: {
    kv: Deno.Kv;
    policy: Policy;
    witnesses(): Promise<readonly Witness[]>;
  },
) {
  async function firstIn(prefix: Deno.KvKey, from: number): Promise<number> {
    const selector = { prefix, start: [...prefix, from] };
    const [first] = await Array.fromAsync(kv.list(selector, { limit: 1 }));
    return first === undefined ? Infinity : Number(first.key.at(-1));
  }

  const signedBy = ({ key }: Pick<Witness, "key">, from: number) =>
    firstIn([COUNTERSIGNED, lineOf(key)], from);

  /** Returns the first size that enough of the quorum have countersigned; Infinity if there is none. */
  async function firstQuorate(
    asked: readonly Witness[],
    next: Map<string, number>,
  ): Promise<number> {
    for (let tried = 0; tried < MOST_TRIED; tried++) {
      // No smaller size can do, because too few have countersigned any up to it.
      const size = quorumSize(policy, next);
      if (size === Infinity) return Infinity;
      const names = asked.filter(({ name }) => next.get(name) === size).map(({ name }) => name);
      if (satisfiesQuorum(policy, new Set(names))) return size;
      await Promise.all(
        asked.filter(({ name }) => next.get(name)! < size)
          .map(async (witness) => next.set(witness.name, await signedBy(witness, size))),
      );
    }
    return Infinity;
  }

  return async (from: number): Promise<FirstCheckpoint | null> => {
    const asked = await witnesses();
    const sizes = await Promise.all(asked.map((witness) => signedBy(witness, from)));
    const least = (of: (witness: Witness) => boolean) =>
      Math.min(...sizes.filter((_, i) => of(asked[i])));
    const found: Record<Grade, () => number | Promise<number>> = {
      quorum: () =>
        policy.quorum === null
          ? Infinity
          : firstQuorate(asked, new Map(asked.map(({ name }, i) => [name, sizes[i]]))),
      independent: () => least(({ own }) => !own),
      countersigned: () => firstIn([COUNTERSIGNED, ANYBODY], from),
      published: () => firstIn([logCheckpoints.prefix], from),
    };
    const best: Grade = policy.quorum !== null
      ? "quorum"
      : asked.some(({ own }) => !own)
      ? "independent"
      : asked.length > 0
      ? "countersigned"
      : "published";
    for (const grade of GRADES.toReversed()) {
      const size = await found[grade]();
      if (size !== Infinity) {
        return { size, isFinal: GRADES.indexOf(grade) >= GRADES.indexOf(best) };
      }
    }
    return null;
  };
}

/**
 * Returns the size up to which enough of the quorum have countersigned a checkpoint each, not necessarily the same
 * one.
 *
 * @param next the next size that each witness has countersigned, by its name
 */
function quorumSize({ groups, quorum }: Policy, next: ReadonlyMap<string, number>): number {
  const sizeOf = (name: string): number => {
    const group = groups.find((each) => each.name === name);
    if (group === undefined) return next.get(name) ?? Infinity;
    return group.members.map(sizeOf).sort((a, b) => a - b)[group.threshold - 1];
  };
  return sizeOf(quorum!);
}
