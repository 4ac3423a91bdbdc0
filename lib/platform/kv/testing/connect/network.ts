/** Faults of the network in front of the KV Connect server of the tests, decided by a seed. */
import { createRandom } from "../../../../../sandbox/random.ts";

/** The faults of the network, for the requests of all clients. */
export interface Network {
  /** How much longer each request takes, in milliseconds. */
  delayMs: number;
  /** The share of commits after which a proxy responds 503, from 0 to 1. */
  unavailable: number;
  /** The share of commits after which the connection ends before the response. */
  dropped: number;
  /** The share of commits whose response breaks off after its headers. */
  cut: number;
  /** The share of commits whose response is late, by `lateMs`. */
  late: number;
  lateMs: number;
  /** The share of commits that arrive a second time, after the next commit. */
  repeated: number;
}

export const FAULTLESS: Readonly<Network> = {
  delayMs: 0,
  unavailable: 0,
  dropped: 0,
  cut: 0,
  late: 0,
  lateMs: 1_000,
  repeated: 0,
};

/**
 * Returns a network that loses a share of the responses to commits. For most, a proxy responds 503. For others, the
 * connection ends with all requests that are on their way, or the response breaks off.
 */
export const losing = (share: number): Pick<Network, "unavailable" | "dropped" | "cut"> => ({
  unavailable: share * 0.7,
  dropped: share * 0.2,
  cut: share * 0.1,
});

const FAULTS = ["unavailable", "dropped", "cut", "late", "repeated"] as const;

/**
 * The fate of a commit or of its response. The store has applied all but those that are `postponed`: they
 * are on their way while the client gets 503 and sends them again.
 */
export type Fate = "delivered" | typeof FAULTS[number] | "postponed";

/**
 * Returns a function that decides what happens to each commit. The same seed leads to the same decisions,
 * in the order in which commits arrive.
 *
 * @param network may change between two commits
 */
export function fates(network: Readonly<Network>, seed: string): () => Fate {
  const random = createRandom(seed);
  return () => {
    let drawn = random();
    for (const fault of FAULTS) {
      if (drawn < network[fault]) return fault;
      drawn -= network[fault];
    }
    return "delivered";
  };
}
