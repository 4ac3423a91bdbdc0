/**
 * The differences of Deno Deploy. The documentation of the platform (docs.deno.com/deploy/reference) is
 * the source of its variables and limits.
 *
 * @module
 */
/**
 * Returns whether an environment is that of an instance on Deno Deploy, which sets both variables in every
 * context.
 */
export const isDenoDeploy = (
  { DENO_DEPLOY, DENO_DEPLOYMENT_ID }: Record<string, string | undefined>,
): boolean => DENO_DEPLOY?.trim() === "true" || Boolean(DENO_DEPLOYMENT_ID?.trim());

/** The version of Deno that the site is developed and tested with. */
const TESTED_DENO = "2.9.6";

/** The memory in MiB that `deno.json` asks for. */
const MEMORY_MIB = 1024;

/** A machine reports a little less memory than it was given. */
const REPORTED_SHARE = 0.9;

/** Returns a line for each variable that cannot be right there, apart from those of features. */
export function denoDeployProblems(
  values: { APP_ENV: string; KV_PATH?: string; STORE_REGION?: string },
): string[] {
  const lines: string[] = [];
  if (values.APP_ENV !== "production") lines.push("APP_ENV: should be production on Deno Deploy");
  if (values.KV_PATH !== undefined) {
    lines.push(
      "KV_PATH: should be unset on Deno Deploy, which keeps no files and lets nobody set the token of another " +
        "store; assign a database to the app",
    );
  }
  if (values.STORE_REGION === undefined) {
    lines.push(
      "STORE_REGION: should say on Deno Deploy where the app's database is, for example " +
        '"Virginia, United States (us-east4)", because /privacy has to say it',
    );
  }
  return lines;
}

/**
 * Returns what an operator has to accept there, a line each.
 *
 * @param streams whether pages may have open streams
 */
export function denoDeployWarnings({ streams }: { streams: boolean }): string[] {
  return [
    `memory: the site needs ${MEMORY_MIB} MB, which deno.json asks for and the app's plan must include`,
    `Deno: the platform chooses its version; the site was tested with ${TESTED_DENO} only`,
    "SIGINT: an instance is killed 5 seconds after it, so a longer upload or download may be cut off",
    "OTEL_TRACES_SAMPLER: the platform's traces cannot be switched off, and contain full URLs with sign-in " +
    "tokens, so whoever sees the app's traces can sign in as others",
    ...streams
      ? [
        "STREAM_CLIENT_LIMIT: not 0, so a page that is left open keeps an instance running, which is billed",
      ]
      : [],
  ];
}

/** The features of an instance. */
interface Instance {
  /** The version of Deno. */
  deno: string;
  /** The memory in bytes. */
  memory: number;
  /** True if `Deno.cron` exists. */
  cron: boolean;
}

export const thisInstance = (): Instance => ({
  deno: Deno.version.deno,
  memory: Deno.systemMemoryInfo().total,
  cron: typeof Deno.cron === "function",
});

/**
 * Compares an instance with what the site needs.
 *
 * @returns `problems`, with which it must not start, and `warnings`, a line each
 */
export function checkInstance(
  { deno, memory, cron }: Instance,
): { problems: string[]; warnings: string[] } {
  const mib = Math.round(memory / 1024 ** 2);
  return {
    problems: cron ? [] : [
      'deno.json: should have "cron" in "unstable", because nothing would be sent or deleted without it',
    ],
    warnings: [
      ...mib >= MEMORY_MIB * REPORTED_SHARE
        ? []
        : [`memory: ${mib} MB here, but the site needs ${MEMORY_MIB} MB`],
      ...deno === TESTED_DENO
        ? []
        : [`Deno: ${deno} here, but the site was tested with ${TESTED_DENO} only`],
    ],
  };
}
