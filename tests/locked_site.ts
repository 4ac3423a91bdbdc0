/**
 * The site as a process of its own, in production and with the permissions of the container.
 *
 * @module
 */
import { relative } from "node:path";
import denoJson from "../deno.json" with { type: "json" };
import { freshConfig } from "../fresh.config.ts";
import { builtSite } from "./built_site.ts";

const { root } = freshConfig;
const { read, write } = denoJson.permissions.site;

/** The command that the container, the unit and `deno task serve:locked` run, without "deno". */
export const COMMAND = denoJson.tasks["serve:locked"].split(" ").slice(1);

/** The least that production needs. */
const PRODUCTION = {
  APP_ENV: "production",
  APP_SECRET: new Uint8Array(32).toBase64({ alphabet: "base64url", omitPadding: true }),
  SURFACE_HOSTS: JSON.stringify({
    "site": ["qualpack.test"],
    "foundation": ["foundation.test"],
    "foundation-mcp": ["mcp.foundation.test"],
    "trust": ["trust.test"],
    "api": ["api.test"],
  }),
  CHAIN_SIGNING_KEY: JSON.stringify({
    kty: "OKP",
    crv: "Ed25519",
    x: "6_12AqCBg3aMvtKAwi62SsgwvG0aOTyBWQWHXAy1-ek",
    d: "kU4mA-Evwa_Jr9DPuW46aeBpHV_m6_AQU6ff8-UsXFY",
  }),
  LOG_SIGNING_KEY: JSON.stringify({
    kty: "OKP",
    crv: "Ed25519",
    x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    d: "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
  }),
  MAIL_TRANSPORT: "smtp",
  SMTP_URL: "smtp://127.0.0.1:1",
  FOUNDATION_NAME: "Records Trust",
  FOUNDATION_CONTACT_EMAIL: "hello@foundation.test",
  FOUNDATION_CODE_HOST_URL: "https://code.foundation.test",
  COMMERCIAL_NAME: "Gatehouse Works",
  COMMERCIAL_CONTACT_EMAIL: "hello@commercial.test",
  COMMERCIAL_CODE_HOST_URL: "https://code.commercial.test",
  ALLOW_EMPTY_STORE: "1",
};

interface LockedSite extends AsyncDisposable {
  port: number;
  process: Deno.ChildProcess;
}

/**
 * Runs a module with the command and environment of production. Only paths differ: the store's
 * folder, the build's and Deno's cache are where the tests have them.
 *
 * @param script the module to run instead of the site's, with its arguments
 * @param store the folder of the store
 */
export async function lockedProcess(
  [script, ...args]: string[],
  store: string,
  env: Record<string, string> = {},
): Promise<Deno.ChildProcess> {
  const { folder } = await builtSite();
  const moved: Record<string, string> = {
    "./_fresh": folder,
    "./.deno/npm": new URL("../../..", import.meta.resolve("pdfjs-dist")).pathname,
    "/var/lib/gatehouse": store,
  };
  const paths = (all: string[]) => all.map((path) => moved[path] ?? path).join(",");
  const flags = COMMAND.slice(1, -1);
  return new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      ...flags,
      `--config=${root}/deno.json`,
      `--allow-read=${paths(read)}`,
      `--allow-write=${paths(write)}`,
      script,
      ...args,
    ],
    cwd: root,
    clearEnv: true,
    env: {
      ...PRODUCTION,
      HOST: "127.0.0.1",
      PORT: "0",
      KV_PATH: `${store}/gatehouse.kv`,
      HOME: Deno.env.get("HOME") ?? "/",
      ...Deno.env.has("DENO_DIR") && { DENO_DIR: Deno.env.get("DENO_DIR")! },
      NO_COLOR: "1",
      ...env,
    },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** Starts the site and waits until it listens. */
export async function lockedSite(
  store: string,
  env: Record<string, string> = {},
): Promise<LockedSite> {
  const { folder } = await builtSite();
  const script = `${folder}/serve.ts`;
  await Deno.writeTextFile(script, serveScript(folder));
  const process = await lockedProcess([script], store, env);
  const errors = new Response(process.stderr).text();
  const output = process.stdout.pipeThrough(new TextDecoderStream());
  let printed = "";
  for await (const text of output.values({ preventCancel: true })) {
    printed += text;
    const port = printed.match(/ is listening on 127\.0\.0\.1:(\d+)/)?.[1];
    if (port === undefined) continue;
    return {
      port: Number(port),
      process,
      async [Symbol.asyncDispose]() {
        try {
          process.kill("SIGTERM");
        } catch {
          // It has stopped already.
        }
        await Promise.all([process.status, errors, output.cancel()]);
      },
    };
  }
  throw new Error(`The site did not start: ${printed}${await errors}`);
}

/** `serve.ts` for a build in another folder than `_fresh`. */
const serveScript = (folder: string) => `
import { freshConfig } from "${import.meta.resolve("../fresh.config.ts")}";
import { serveBuild, startOrExit } from "${import.meta.resolve("../lib/app/serve_build.ts")}";
freshConfig.outDir = ${JSON.stringify(relative(root, folder))};
await startOrExit(() => serveBuild(() => import("./server.js")));
`;
