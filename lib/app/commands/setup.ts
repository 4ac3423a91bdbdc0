/**
 * `deno task setup [--root <folder>] [--container]`: asks six questions, and writes what a new installation needs:
 * the file of variables with generated secrets, the file of the proxy, and the folders. Flags answer questions
 * (`--domain=records.org`), and the lines of the standard input the others. `--root` writes everything below a folder
 * instead of `/`; `--container` writes `gatehouse.env` here, and no folders. Files that exist are never overwritten:
 * then nothing is written, and the command exits with 2, as it does if an answer is missing.
 *
 * @module
 */
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import process from "node:process";
import { parseArgs } from "node:util";
import { randomBytes } from "node:crypto";
import type { z } from "zod";
import { generatePrivateJwk } from "../../../packages/proof/mod.ts";
import { environment } from "../config.ts";
import { checkConfig } from "./check_config.ts";
import { type CommandIo, refuse, startCommand } from "./command.ts";
import { configOrExit } from "./command_store.ts";
import { environmentText, proxyFiles, QuotingError, type Section } from "./setup/files.ts";
import { type Question, QUESTIONS, type Variables } from "./setup/questions.ts";

type Lines = AsyncIterator<string>;

/** The command; the module says what it does. */
export async function main(
  { args, log, error }: CommandIo,
  lines: Lines = standardInput(),
): Promise<number> {
  const { root: folder, container = false, ...given } = readArguments(args);
  const root = folder ?? "/";
  const at = (path: string) => container ? path : join(resolve(root), path);
  const settings = container ? resolve(folder ?? ".", "gatehouse.env") : at("/etc/gatehouse.env");
  await refuseExisting([settings]);

  const answers = { proxy: "" };
  const answered: Section[] = [];
  for (const question of QUESTIONS) {
    const { answer, variables } = await ask(question, given[question.name], lines, log);
    Object.assign(answers, { [question.name]: answer });
    answered.push({ comment: question.comment, variables });
  }
  const folders = ["/var/lib/gatehouse", "/var/lib/gatehouse/backups", "/var/lib/gatehouse-anchor"];
  const sections = [
    {
      comment:
        "Written by `deno task setup`. .env.example describes these variables and all others.",
      variables: {
        APP_ENV: "production",
        HOST: container ? "0.0.0.0" : "127.0.0.1",
        KV_PATH: at("/var/lib/gatehouse/gatehouse.kv"),
        LOG_ANCHOR: at("/var/lib/gatehouse-anchor/log"),
      },
    },
    ...answered.filter(({ variables }) => Object.keys(variables).length > 0),
    {
      comment: "Generated. Keep copies of the first three in a safe place.",
      variables: await newSecrets(),
    },
    {
      comment: "For the first start. Then replace it with STORE_ID, which the site prints.",
      variables: { ALLOW_EMPTY_STORE: "1" },
    },
  ];
  const variables = Object.assign({}, ...sections.map((section) => section.variables));
  const { surfaceHosts } = configOrExit(variables);
  const files = [
    { path: settings, text: textOf(sections), mode: 0o600 },
    ...(await proxyFiles(answers.proxy, Object.values(surfaceHosts).flat()))
      .map(({ path, text }) => ({ path: join(resolve(root), path), text, mode: 0o644 })),
  ];
  await refuseExisting(files.map(({ path }) => path));

  try {
    for (const folder of container ? [] : folders) {
      await Deno.mkdir(dirname(at(folder)), { recursive: true }); // others may read these
      await Deno.mkdir(at(folder), { recursive: true, mode: 0o700 });
    }
    for (const { path, text, mode } of files) {
      await Deno.mkdir(dirname(path), { recursive: true });
      await Deno.writeTextFile(path, text, { createNew: true, mode });
      log(`Written: ${path}`);
    }
  } catch (problem) {
    if (!(problem instanceof Error)) throw problem;
    refuse(`${problem.message}. Run setup as root, or with --root and a folder of your own.`);
  }
  log(`Check the hosts and addresses in ${settings}.`);
  for (const { text } of files) {
    const [, certificate, key] = /ssl_certificate (\S+);\s+ssl_certificate_key (\S+);/.exec(text) ??
      [];
    if (certificate !== undefined) {
      log(`Put the certificate at ${certificate}, and its key at ${key}.`);
    }
  }
  return await checkConfig(variables, { log, error });
}

const USAGE = `Usage: deno task setup [--root <folder>] [--container] ${
  QUESTIONS.map(({ name }) => `[--${name} <answer>]`).join(" ")
}`;

function readArguments(
  args: readonly string[],
): Partial<Record<Question["name"] | "root", string>> & { container?: boolean } {
  const text = { type: "string" } as const;
  const options = {
    root: text,
    container: { type: "boolean" },
    domain: text,
    organisations: text,
    mail: text,
    proxy: text,
    administrators: text,
    bank: text,
  } as const;
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch {
    return refuse(USAGE);
  }
}

/** Returns the answer of a flag or of the next valid line, and its variables. */
async function ask(
  question: Question,
  given: string | undefined,
  lines: Lines,
  log: CommandIo["log"],
): Promise<{ answer: string; variables: Variables }> {
  const { name, text, otherwise = "" } = question;
  if (given !== undefined) {
    const variables = variablesOf(question, given);
    return typeof variables === "string" ? refuse(variables) : { answer: given.trim(), variables };
  }
  for (;;) {
    log(`${text}:`);
    const { value, done } = await lines.next();
    if (done) refuse(`There is no answer to the question for the ${name}, so nothing was written.`);
    const answer = value.trim() || otherwise;
    const variables = variablesOf(question, answer);
    if (typeof variables !== "string") return { answer, variables };
    log(variables);
  }
}

/** Returns the variables of an answer, or a line that says what it should be. */
function variablesOf({ name, form, variables }: Question, answer: string): Variables | string {
  const values = variables(answer.trim());
  const schemas: Record<string, z.ZodType> = environment.shape;
  const isValid = values !== null &&
    Object.entries(values).every(([key, value]) => schemas[key].safeParse(value).success);
  return isValid ? values : `The answer for the ${name} should be ${form}.`;
}

async function newSecrets(): Promise<Variables> {
  const [chain, log] = await Promise.all([generatePrivateJwk(), generatePrivateJwk()]);
  return {
    APP_SECRET: randomBytes(32).toString("base64url"),
    CHAIN_SIGNING_KEY: JSON.stringify(chain),
    LOG_SIGNING_KEY: JSON.stringify(log),
    METRICS_TOKEN: randomBytes(16).toString("hex"),
  };
}

function textOf(sections: readonly Section[]): string {
  try {
    return environmentText(sections);
  } catch (error) {
    if (!(error instanceof QuotingError)) throw error;
    return refuse(error.message);
  }
}

/** Ends the command with status 2 if a file exists. */
async function refuseExisting(paths: readonly string[]): Promise<void> {
  const exists = await Promise.all(
    paths.map((path) => Deno.lstat(path).then(() => true, () => false)),
  );
  const existing = paths.filter((_, i) => exists[i]);
  if (existing.length === 0) return;
  refuse(
    `${
      existing.join(" and ")
    } exists already, and setup overwrites nothing. Nothing was written; ` +
      "move the existing files away, or write elsewhere with --root.",
  );
}

/** Reads the lines of the standard input, once the first is asked for. */
async function* standardInput(): AsyncGenerator<string, undefined> {
  yield* createInterface({ input: process.stdin });
}

if (import.meta.main) await startCommand(main);
