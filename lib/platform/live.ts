/** Replaces secrets of a running process, and with them everything that was built from them. */
import { isDeepStrictEqual } from "node:util";

/**
 * Builds something from a part of the configuration, and builds it again when that part is replaced.
 * Call the returned function at each use, once per operation, so that no operation uses both an old and
 * a new value.
 *
 * @param read reads the part from the configuration
 * @param end ends what was built before, once everything has been replaced
 *
 * @example
 * ```ts
 * const provider = live(() => config.bank, createProvider);
 * const accounts = await provider().getAccounts();
 * ```
 */
export type Live = <Part, Built>(
  read: () => Part,
  build: (part: Part, old?: Built) => Built,
  end?: (old: Built, current: Built) => void,
) => () => Built;

/** The configuration of a running process, whose secrets can be replaced. */
export interface LiveConfig<Config> {
  /** Each member is always the current one. */
  config: Config;
  live: Live;
  /**
   * Replaces the configuration and everything that was built from it, all at once.
   *
   * @throws if something cannot be built; then nothing was replaced
   */
  replace(next: Config): void;
}

export function createLiveConfig<Config extends object>(initial: Config): LiveConfig<Config> {
  let current = initial;
  /** Each builds its new part and returns the function that puts it into use. */
  const rebuilds: (() => { swap: () => void; end: () => void } | null)[] = [];

  const live: Live = (read, build, end) => {
    let part = read();
    let built = build(part);
    rebuilds.push(() => {
      const nextPart = read();
      if (isDeepStrictEqual(nextPart, part)) return null;
      const [old, next] = [built, build(nextPart, built)];
      return {
        swap: () => [part, built] = [nextPart, next],
        end: () => end?.(old, next),
      };
    });
    return () => built;
  };

  function buildFrom(next: Config) {
    const before = current;
    current = next;
    try {
      return rebuilds.flatMap((rebuild) => rebuild() ?? []);
    } catch (error) {
      current = before;
      throw error;
    }
  }

  return {
    config: Object.defineProperties(
      {} as Config,
      Object.fromEntries(
        Object.keys(initial).map((name) => [
          name,
          { enumerable: true, get: () => current[name as keyof Config] },
        ]),
      ),
    ),
    live,
    replace(next) {
      const rebuilt = buildFrom(next);
      for (const { swap } of rebuilt) swap();
      for (const { end } of rebuilt) end();
    },
  };
}
