import { AsyncLocalStorage } from "node:async_hooks";
import { holdKv, type KvCall } from "./slow_kv.ts";

/** The calls of a store that a request made at the same time. */
export type RoundTrip = readonly KvCall[];

/** A store that counts the round trips of requests. */
export interface RoundTripKv {
  kv: Deno.Kv;
  /**
   * Runs an action, and returns the calls that it had to wait for, one after another. Calls that run at the same
   * time are one round trip.
   *
   * @param settledMs after this time without a new call, the action is waiting for those that it has made.
   * Default: 5
   */
  measure<Result>(
    action: () => Promise<Result>,
    settledMs?: number,
  ): Promise<{ result: Result; trips: RoundTrip[] }>;
}

/**
 * Returns a store that holds the calls of a measured action until it makes no more, and then runs all of
 * them. A busy machine may delay a call so much that it gets a round trip of its own, so the smallest of
 * several counts is the right one: a call that depends on another one never shares its round trip.
 *
 * @param real closed together with the returned store
 */
export function countRoundTrips(real: Deno.Kv): RoundTripKv {
  const scope = new AsyncLocalStorage<Measurement>();
  return {
    kv: holdKv(real, (call) => scope.getStore()?.hold(call) ?? Promise.resolve()),
    async measure(action, settledMs = 5) {
      const measurement = new Measurement(settledMs);
      try {
        const result = await scope.run(measurement, action);
        return { result, trips: [...measurement.trips] };
      } finally {
        measurement.end();
      }
    },
  };
}

class Measurement {
  readonly trips: RoundTrip[] = [];
  readonly #settledMs: number;
  #held: { call: KvCall; run: () => void }[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended = false;

  constructor(settledMs: number) {
    this.#settledMs = settledMs;
  }

  hold(call: KvCall): Promise<void> {
    if (this.#ended) return Promise.resolve();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#run(), this.#settledMs);
    return new Promise((run) => this.#held.push({ call, run }));
  }

  #run(): void {
    const held = this.#held;
    this.#held = [];
    this.trips.push(held.map(({ call }) => call));
    for (const { run } of held) run();
  }

  /** Lets the calls run that the action did not wait for. */
  end(): void {
    clearTimeout(this.#timer);
    this.#ended = true;
    for (const { run } of this.#held) run();
  }
}

/** Describes a round trip for the message of a failed test. */
export const describeTrip = (trip: RoundTrip): string =>
  trip.map(({ name, keys }) => `${name} ${[...new Set(keys.map(([first]) => first))].join(" ")}`)
    .join(", ");
