import { assert, assertEquals } from "@std/assert";
import {
  EXAMPLE_API,
  type Language,
  LANGUAGES,
  OPERATIONS,
  PROGRAMS,
  regionsOf,
} from "../lib/features/api/mod.ts";
import { openHttpsServer } from "../lib/platform/http/testing/https_server.ts";
import { API_TYPES, apiTypes } from "../tools/api_types.ts";
import { addIssuer } from "./key_site.ts";
import { serveOnFreePort } from "./served_site.ts";
import { createSite } from "./site.ts";

const ROOT = new URL("..", import.meta.url).pathname;
const FOLDER = `${ROOT}docs/issuing`;

/** The operations for issuers, those with fixed paths first. */
const ISSUING = OPERATIONS.filter(({ keyScope }) => keyScope !== undefined)
  .toSorted((a, b) => a.path.split(":").length - b.path.split(":").length)
  .map(({ id, method, path }) => ({ id, method, pattern: new URLPattern({ pathname: path }) }));

/** A served site with an issuer, which records the operations that succeed. */
async function samplesSite() {
  const receiver = openHttpsServer(() => new Response(null, { status: 204 }));
  const calls: string[] = [];
  const { site, ...served } = await serveOnFreePort(async (env) => {
    const site = await createSite(env, { network: receiver.network });
    const handler: typeof site.handler = async (req, info) => {
      const { method, url } = req;
      const response = await site.handler(req, info);
      const operation = ISSUING.find(({ pattern, ...operation }) =>
        operation.method === method.toLowerCase() && pattern.test(url)
      );
      assert(operation !== undefined, url);
      if (response.ok) calls.push(operation!.id);
      // So that a program which sends an event finds its delivery.
      await site.services.webhooks.flush();
      return response;
    };
    return { site: { ...site, handler }, [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() };
  });
  const issuer = await addIssuer(site);
  const api = site.services.surfaces.url("workbench")!;
  return {
    site,
    /** Runs a program with a new key for tests, and returns what it printed and which operations it called. */
    async run(command: string, args: string[]) {
      const env = {
        GATEHOUSE_API: api,
        GATEHOUSE_API_KEY: await issuer.key("test"),
        NO_COLOR: "1",
        PYTHONDONTWRITEBYTECODE: "1",
      };
      calls.length = 0;
      const output = await new Deno.Command(command, { args, env, cwd: ROOT }).output();
      const [out, problem] = [output.stdout, output.stderr].map((bytes) =>
        new TextDecoder().decode(bytes)
      );
      assertEquals(output.code, 0, `${out}\n${problem}`);
      return { out, calls: [...calls] };
    },
    api,
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

const site = await samplesSite();
Deno.test.afterAll(() => site[Symbol.asyncDispose]());

/** How to run a program in each language. */
const RUNS: Readonly<Record<Language, (program: string) => [string, string[]]>> = {
  sh: (name) => {
    const program = PROGRAMS.find((program) => program.name === name)!;
    return ["sh", ["-ec", program.sh.replaceAll(EXAMPLE_API, site.api)]];
  },
  ts: (name) => [
    Deno.execPath(),
    [
      "run",
      "--no-prompt",
      "--allow-env",
      "--allow-net",
      "--allow-read",
      "--frozen",
      "--lock=dev.lock",
      `${FOLDER}/${name}.ts`,
    ],
  ],
  py: (name) => ["python3", [`${FOLDER}/${name}.py`]],
};

const exists = (command: string): Promise<boolean> =>
  new Deno.Command(command, { args: ["--version"], stdout: "null", stderr: "null" }).output()
    .then(({ success }) => success, () => false);
const NEEDED: Readonly<Record<Language, string>> = {
  sh: "curl",
  ts: Deno.execPath(),
  py: "python3",
};

for (const [language, title] of Object.entries(LANGUAGES) as [Language, string][]) {
  const ignore = !await exists(NEEDED[language]);
  if (ignore) {
    console.log(`The samples for ${title} do not run: ${NEEDED[language]} is not installed.`);
  }
  Deno.test({
    name: `the samples for ${title} run in order, and each calls its operation`,
    ignore,
    async fn() {
      for (const program of PROGRAMS) {
        const { calls } = await site.run(...RUNS[language](program.name));
        const regions = regionsOf(program[language]).map(({ operation }) => operation);
        assertEquals(withoutRepetitions(calls), withoutRepetitions(regions), program.name);
      }
    },
  });
}

/** A program may ask several times until something has happened. */
const withoutRepetitions = (ids: readonly string[]) => ids.filter((id, i) => id !== ids[i - 1]);

Deno.test("every operation for issuers has samples in all languages, with the same titles", () => {
  const titles = PROGRAMS.map((program) =>
    (Object.keys(LANGUAGES) as Language[]).map((language) =>
      regionsOf(program[language]).map(({ operation, title }) => `${operation}: ${title}`)
    )
  );
  for (const [sh, ts, py] of titles) {
    assertEquals(ts, sh);
    assertEquals(py, sh);
  }
  const shown = new Set(PROGRAMS.flatMap(({ sh }) => regionsOf(sh).map((each) => each.operation)));
  assertEquals(ISSUING.filter(({ id }) => !shown.has(id)).map(({ id }) => id), []);
});

Deno.test("the types of the client are those of openapi.json, and the samples have no type errors", async () => {
  const hint = "Run `deno task api:types`.";
  assertEquals(await Deno.readTextFile(API_TYPES) === await apiTypes(), true, hint);
  const files = PROGRAMS.map(({ name }) => `${FOLDER}/${name}.ts`);
  const args = ["check", "--quiet", "--frozen", "--lock=dev.lock", ...files];
  const { code, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd: ROOT }).output();
  assertEquals(code, 0, new TextDecoder().decode(stderr));
});
