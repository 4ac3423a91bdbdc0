/**
 * `deno task check-config`: checks the environment variables without starting the site. It prints all
 * problems, and exits with 1 if the site would refuse to start with them. Warnings do not stop the
 * site.
 *
 * @module
 */
import { isLoopback } from "../../base/loopback.ts";
import { anchorProblem } from "../../features/log/mod.ts";
import { signingKeyProblems } from "../signing_keys.ts";
import { ConfigError } from "../../platform/config/error.ts";
import { denoDeployWarnings, isDenoDeploy } from "../../platform/config/deno_deploy.ts";
import { unknownVariables } from "../../platform/config/unknown.ts";
import { type Config, environment, parseConfig } from "../config.ts";
import { NAME_AND_VERSION, startCommand } from "./command.ts";

type Environment = Record<string, string>;

/**
 * Prints the problems of an environment, and returns the exit status.
 *
 * @returns 1 if the site would not start, otherwise 0
 */
export async function checkConfig(
  env: Environment,
  output: Pick<Console, "log" | "error"> = console,
): Promise<0 | 1> {
  const { config, problems } = await read(env);
  const warnings = [
    ...warningsOf(env),
    ...config === null ? [] : await proxyAndLogWarnings(config),
  ];
  if (problems.length > 0) output.error("Invalid configuration:");
  for (const line of problems) output.error(`  ${line}`);
  if (warnings.length > 0) output.error("Warnings:");
  for (const line of warnings) output.error(`  ${line}`);
  if (problems.length > 0) return 1;
  const region = env.STORE_REGION?.trim();
  if (region) output.log(`/privacy says that the database is in ${region}.`);
  output.log(
    `${NAME_AND_VERSION}. The configuration is valid${
      warnings.length > 0 ? ", see the warnings" : ""
    }.`,
  );
  return 0;
}

/** Returns the configuration, null if it is invalid, and its problems. */
async function read(env: Environment): Promise<{ config: Config | null; problems: string[] }> {
  try {
    const config = parseConfig(env);
    return { config, problems: await signingKeyProblems(config) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { config: null, problems: error.lines };
  }
}

async function proxyAndLogWarnings(config: Config): Promise<string[]> {
  if (config.env !== "production") return [];
  const lines: string[] = [];
  if (config.trustProxy === 0 && isLoopback(config.host)) lines.push(UNTRUSTED_PROXY);
  if (config.surfaceHosts.trust === undefined) return lines;
  const { anchor, policy } = config.log;
  if (anchor === undefined && policy.witnesses.length === 0) lines.push(NO_MEMORY);
  const problem = anchor === undefined ? null : await anchorProblem(anchor);
  if (problem !== null) {
    lines.push(`LOG_ANCHOR: cannot be written (${problem}), so the log would publish nothing`);
  }
  return lines;
}

function warningsOf(env: Environment): string[] {
  const lines = unknownVariables(Object.keys(env), Object.keys(environment.shape));
  if (env.APP_ENV?.trim() !== "production") return lines;
  const isSet = (name: string) => Boolean(env[name]?.trim() || env[`${name}_FILE`]?.trim());
  if (!isSet("METRICS_TOKEN")) {
    lines.push("METRICS_TOKEN: not set, so there are no metrics, and no alert rules work");
  }
  if (!isSet("REVISION") && !isDenoDeploy(env)) {
    lines.push("REVISION: not set, so /readyz and the console cannot say which build runs");
  }
  if (isDenoDeploy(env)) {
    lines.push(...denoDeployWarnings({ streams: env.STREAM_CLIENT_LIMIT?.trim() !== "0" }));
  }
  const secondFactor = env.OPS_REQUIRE_PASSKEY?.trim() === "1";
  if (!secondFactor) lines.push(NO_PASSKEY);
  const administrators = new Set(
    (env.OPS_L1_EMAILS ?? "").split(",").map((email) => email.trim().toLowerCase()).filter(Boolean),
  );
  if (administrators.size === 0) lines.push(NOBODY);
  if (administrators.size === 1) lines.push(SINGLE);
  if (!isSet("HEARTBEAT_URL")) {
    lines.push(
      "HEARTBEAT_URL: not set, so nobody is told when the site cannot send email or has stopped",
    );
  }
  if (isSet("MAIL_RETURN_PATH") && !isSet("MAIL_WEBHOOK_SECRET")) lines.push(UNREPORTED);
  if (/^https?:/.test(env.KV_PATH?.trim() ?? "") && !env.DENO_KV_ACCESS_TOKEN?.trim()) {
    lines.push("DENO_KV_ACCESS_TOKEN: not set, so the site cannot read from the server at KV_PATH");
  }
  if (env.ALLOW_EMPTY_STORE?.trim() === "1" && !isSet("STORE_ID")) lines.push(EMPTY_STORE);
  return lines;
}

const NO_PASSKEY =
  "OPS_REQUIRE_PASSKEY: not set, so an emailed link alone opens a console for an operator without a passkey, " +
  "and everything but sensitive pages for one with a passkey";
const UNREPORTED =
  "MAIL_RETURN_PATH: without MAIL_WEBHOOK_SECRET, the site accepts no bounce reports from " +
  "there, so it never learns of email that bounces later";
const EMPTY_STORE =
  "ALLOW_EMPTY_STORE: set without STORE_ID, so the site also starts with an empty store in place of its own. After " +
  "the first start, set STORE_ID instead";
const NOBODY =
  "OPS_L1_EMAILS: names nobody, so nobody can sign in to the consoles of a new store, urgent alerts reach " +
  "nobody while the store cannot be read, and everybody can be locked out of the consoles";
const UNTRUSTED_PROXY =
  "TRUST_PROXY: 0, although only a proxy on this machine reaches HOST, so limits treat all clients as one. Set " +
  "the number of proxies, once each replaces or extends X-Forwarded-For";
const NO_MEMORY =
  "LOG_ANCHOR: not set, and neither is LOG_WITNESSES, so nothing notices if an older store is " +
  "restored, and the log would start a second history";
const SINGLE =
  "OPS_L1_EMAILS: names one administrator. Unless the Team page lists another one, nobody " +
  "can give that person a new passkey in the console; `deno task sign-in-link <email> <surface>` does it on the server, or from " +
  "another machine with the store's KV Connect URL in KV_PATH";

if (import.meta.main) await startCommand(({ env, log, error }) => checkConfig(env, { log, error }));
