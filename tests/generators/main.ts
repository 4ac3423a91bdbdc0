/**
 * `deno task test:generators [part of a name]…`: generates a client with each generator that is installed, compiles
 * it, and uses it: it checks, issues, lists, replaces, downloads and withdraws, and sends a batch. Responses have a
 * value that `openapi.json` does not list, which a client must read. It takes about ten minutes, and is not part of
 * `deno task ok`.
 *
 * @module
 */
import { addIssuer } from "../key_site.ts";
import { serveOnFreePort } from "../served_site.ts";
import { createSite } from "../site.ts";
import { type Generator, GENERATORS } from "./generators.ts";

const PROGRAMS = new URL("programs/", import.meta.url);

/** Serves a site whose responses have an unknown value. */
const served = await serveOnFreePort(async (env) => {
  const site = await createSite(env);
  const handler: typeof site.handler = async (req, info) => {
    const plain = new Headers(req.headers);
    plain.delete("accept-encoding");
    const response = await site.handler(new Request(req, { headers: plain }), info);
    if (!response.headers.get("content-type")?.startsWith("application/json")) return response;
    const text = await response.text();
    const { status, headers } = response;
    return new Response(text.replaceAll('"mail":"none"', '"mail":"postponed"'), {
      status,
      headers,
    });
  };
  return { site: { ...site, handler }, [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() };
});
const { services } = served.site;
// The surface that serves everything has one server for all operations.
const api = services.surfaces.url("workbench")!.replace(/\/$/, "");

/** Returns whether a command exists. */
const exists = (command: string): Promise<boolean> =>
  new Deno.Command("sh", { args: ["-c", `command -v ${command}`], stdout: "null" }).output()
    .then(({ success }) => success);

/** Runs a command, and throws its output if it fails. */
async function run(
  folder: string,
  env: Record<string, string>,
  [command, ...args]: readonly string[],
): Promise<void> {
  const { success, stdout, stderr } = await new Deno.Command(
    command.startsWith(".") || command.includes("/") && !command.startsWith("/")
      ? `${folder}/${command}`
      : command,
    { args, cwd: folder, env: { NO_COLOR: "1", ...env } },
  ).output();
  if (success) return;
  const output = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("");
  throw new Error(`${[command, ...args].join(" ")}\n${output.slice(-3_000)}`);
}

/** Generates, compiles and uses a client. Returns what happened. */
async function test({ name, needs, files, texts = {}, build, use }: Generator): Promise<string> {
  for (const [command, install] of Object.entries(needs)) {
    if (!await exists(command)) return `skipped: ${command} is missing (${install})`;
  }
  const folder = await Deno.makeTempDir({ prefix: "gatehouse-generator-" });
  try {
    const document = await (await fetch(`${api}/openapi.json`)).text();
    await Deno.writeTextFile(`${folder}/openapi.json`, document);
    for (const [file, text] of Object.entries(texts)) {
      await Deno.writeTextFile(`${folder}/${file}`, text);
    }
    const place = () =>
      Promise.all(
        Object.entries(files).map(([from, to]) =>
          Deno.copyFile(new URL(from, PROGRAMS), `${folder}/${to}`)
        ),
      );
    // Some programs go into folders that do not exist before the client is generated.
    await place().catch(() => {});
    await build(async (...line) => {
      await run(folder, {}, line);
      await place().catch(() => {});
    }, folder);
    const issuer = await addIssuer(served.site, name);
    const env = { GATEHOUSE_API: api, GATEHOUSE_API_KEY: await issuer.key("test") };
    await run(folder, env, use);
    return "ok";
  } catch (error) {
    return `FAILED\n${error instanceof Error ? error.message : error}`;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const wanted = GENERATORS.filter(({ name }) =>
  Deno.args.length === 0 || Deno.args.some((part) => name.includes(part))
);
let failed = 0;
for (const generator of wanted) {
  const result = await test(generator);
  if (result.startsWith("FAILED")) failed++;
  console.log(`${generator.name}: ${result}`);
}
console.log(`${wanted.length - failed} passed or skipped, ${failed} failed`);
await served[Symbol.asyncDispose]();
Deno.exit(failed === 0 ? 0 : 1);
