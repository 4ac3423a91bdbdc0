/** The reload of secrets from their files, without a restart. */
import { isDeepStrictEqual } from "node:util";
import { SECOND_MS } from "../base/time.ts";
import { ConfigError } from "../platform/config/error.ts";
import type { SecretFiles } from "../platform/config/secret_files.ts";

interface SecretReloadOptions {
  /** The contents of the files when the process started. */
  first: SecretFiles;
  read: () => SecretFiles;
  /**
   * Validates what was read, and puts all of it into use at once.
   *
   * @throws {ConfigError} if something is not valid; then nothing was replaced
   */
  apply: (files: SecretFiles) => void;
  /** Reports which variables are not valid; none if all are. */
  report: (variables: readonly string[]) => Promise<void>;
  log: (entry: Record<string, unknown>) => void;
  /** Waits between two readings. */
  pause: (ms: number) => Promise<void>;
}

/**
 * Reads the files of secrets, and uses their contents if they have changed. Calls at the same time share
 * one run.
 *
 * @param isAsked true if a person waits for a line in the log
 */
export type SecretReload = (isAsked?: boolean) => Promise<void>;

/**
 * How long files must stay the same before they are used: programs write a file in several steps, and
 * several files one after another.
 */
const SETTLE_MS = SECOND_MS;
/** How often changing files are read. The next event or minute tries again. */
const MOST_READINGS = 30;

/** Creates the function that reads the files of secrets again while the process runs. */
export function createSecretReload(
  { first, read, apply, report, log, pause }: SecretReloadOptions,
): SecretReload {
  let inUse = first;
  /** The last contents that were tried. */
  let last = first;
  /** The variables that were not valid then. */
  let invalid: readonly string[] = [];
  let isAsked = false;
  let running = Promise.resolve();
  let next: Promise<void> | undefined;

  /** Reads until two readings are equal, so that a file is not used before it is complete. */
  async function readSettled(found: SecretFiles): Promise<SecretFiles | null> {
    for (let i = 0; i < MOST_READINGS; i++) {
      await pause(SETTLE_MS);
      const again = read();
      if (isDeepStrictEqual(again, found)) return again;
      found = again;
    }
    return null;
  }

  async function run(): Promise<void> {
    const asked = isAsked;
    isAsked = false;
    const found = read();
    const files = isDeepStrictEqual(found, last) ? found : await readSettled(found);
    if (files === null) return log({ level: "warn", event: "secrets_unsettled" });
    const isNew = !isDeepStrictEqual(files, last);
    if (isNew) use(files);
    else if (asked) log({ level: "info", event: "secrets_unchanged", invalid });
    // Another process may have resolved the report while files here are still not valid.
    if (isNew || invalid.length > 0) await report(invalid);
  }

  function use(files: SecretFiles): void {
    last = files;
    const variables = Object.keys(files.values)
      .filter((name) => files.values[name] !== inUse.values[name]);
    try {
      apply(files);
    } catch (error) {
      const problems = error instanceof ConfigError ? error.lines : variables;
      invalid = [...new Set(problems.map((line) => line.split(":", 1)[0]))];
      return log({ level: "error", event: "secrets_invalid", problems });
    }
    inUse = files;
    invalid = [];
    log(
      variables.length === 0
        ? { level: "info", event: "secrets_unchanged", invalid }
        : { level: "info", event: "secrets_replaced", variables },
    );
  }

  return (asked = false) => {
    isAsked ||= asked;
    return next ??= running.then(() => {
      next = undefined;
      return running = run().catch((error) =>
        log({ level: "error", event: "secrets_reload_failed", error: error.name })
      );
    });
  };
}
