/** Counts how often a request waits for the store, one call after another. */
import { AsyncLocalStorage } from "node:async_hooks";
import { holdKv, type KvCall } from "./slow_kv.ts";

/** The calls of a store that a request made at the same time. */
export type RoundTrip = readonly KvCall[];

interface Measured<Result> {
  result: Result;
  trips: RoundTrip[];
  /** The calls that the action did not wait for, to which it adds those that it makes after its end. */
  later: readonly KvCall[];
}

/** A store that counts the round trips of requests. */
export interface RoundTripKv {
  kv: Deno.Kv;
  /**
   * Runs an action, and returns the calls that it had to wait for, one after another. Calls that run at the same
   * time are one round trip.
   *
   * @param settledMs after this time without a new call, the action is waiting for those that it has made.
   * Default: 5
   * @param isBusy returns whether the action is waiting for something else, and may make another call then.
   * Default: never
   */
  measure<Result>(
    action: () => Promise<Result>,
    settledMs?: number,
    isBusy?: () => boolean,
  ): Promise<Measured<Result>>;
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
    kv: holdKv(
      real,
      (call) => scope.getStore()?.hold(call) ?? Promise.resolve(),
      () => scope.getStore()?.ended(),
    ),
    async measure(action, settledMs = 5, isBusy = () => false) {
      const measurement = new Measurement(settledMs, isBusy);
      try {
        const result = await scope.run(measurement, action);
        return { result, trips: [...measurement.trips], later: measurement.later };
      } finally {
        measurement.end();
      }
    },
  };
}

class Measurement {
  readonly trips: RoundTrip[] = [];
  readonly later: KvCall[] = [];
  readonly #settledMs: number;
  readonly #isBusy: () => boolean;
  #held: { call: KvCall; run: () => void }[] = [];
  /** The number of calls of the last round trip that have not ended. */
  #running = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended = false;

  constructor(settledMs: number, isBusy: () => boolean) {
    this.#settledMs = settledMs;
    this.#isBusy = isBusy;
  }

  hold(call: KvCall): Promise<void> {
    if (this.#ended) {
      this.later.push(call);
      return Promise.resolve();
    }
    this.#wait();
    return new Promise((run) => this.#held.push({ call, run }));
  }

  ended(): void {
    if (this.#ended) return;
    this.#running--;
    this.#wait();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    if (this.#running === 0) this.#timer = setTimeout(() => this.#run(), this.#settledMs);
  }

  #run(): void {
    if (this.#isBusy()) return this.#wait();
    const held = this.#held;
    if (held.length === 0) return;
    this.#held = [];
    this.#running = held.length;
    this.trips.push(held.map(({ call }) => call));
    for (const { run } of held) run();
  }

  /** Lets the calls run that the action did not wait for. */
  end(): void {
    clearTimeout(this.#timer);
    this.#ended = true;
    for (const { call, run } of this.#held) {
      this.later.push(call);
      run();
    }
  }
}

/** Describes a round trip for the message of a failed test. */
export const describeTrip = (trip: RoundTrip): string =>
  trip.map(({ name, keys }) => `${name} ${[...new Set(keys.map(([first]) => first))].join(" ")}`)
    .join(", ");
