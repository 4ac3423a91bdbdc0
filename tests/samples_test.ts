import { assert, assertEquals } from "@std/assert";
import {
  EXAMPLE_API,
  type Language,
  LANGUAGES,
  OPERATIONS,
  PROGRAMS,
  regionsOf,
} from "../lib/features/api/mod.ts";
import { KEY_PATTERN } from "../lib/features/issuers/mod.ts";
import { PDFDocument } from "@cantoo/pdf-lib";
import { openHttpsServer } from "../lib/platform/http/testing/https_server.ts";
import { API_TYPES, apiTypes } from "../tools/api_types.ts";
import { addIssuer } from "./key_site.ts";
import { serveOnFreePort } from "./served_site.ts";
import { createSite } from "./site.ts";

const ROOT = new URL("..", import.meta.url).pathname;
const FOLDER = `${ROOT}docs/issuing`;

/** The operations for issuers, those with fixed paths first. */
const ISSUING = OPERATIONS.filter(({ id, keyScope }) =>
  keyScope !== undefined || id === "revokeKey"
)
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
      // So that a program which has sent an event or a batch finds its outcome.
      if (method === "POST") await site.services.jobs.run("batches");
      await site.services.webhooks.flush();
      return response;
    };
    return { site: { ...site, handler }, [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() };
  });
  const folder = await Deno.makeTempDir({ prefix: "gatehouse-samples-" });
  await Deno.writeFile(`${folder}/transcript.pdf`, await transcript());
  await Deno.copyFile(`${FOLDER}/graduates.csv`, `${folder}/graduates.csv`);
  let runs = 0;
  const api = site.services.surfaces.url("workbench")!;
  return {
    site,
    folder,
    /** Runs a program as a new issuer in test mode, and returns which operations it called. */
    async run(command: string, args: string[]): Promise<Run> {
      const issuer = await addIssuer(site, `College ${++runs}`);
      const env = {
        GATEHOUSE_API: api,
        GATEHOUSE_API_KEY: await issuer.key("test"),
        LEAKED_KEY: await issuer.key("test"),
        NO_COLOR: "1",
        PYTHONDONTWRITEBYTECODE: "1",
      };
      async function runOnce(): Promise<string[]> {
        calls.length = 0;
        const output = await new Deno.Command(command, { args, env, cwd: folder }).output();
        const [out, problem] = [output.stdout, output.stderr].map((bytes) =>
          new TextDecoder().decode(bytes)
        );
        assertEquals(output.code, 0, `${out}\n${problem}`);
        return [...calls];
      }
      return {
        calls: await runOnce(),
        again: runOnce,
        async read(path) {
          const response = await issuer.call(await issuer.key("test"), { path });
          return (await response.json()).data;
        },
      };
    },
    api,
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

interface Run {
  calls: string[];
  /** Runs the program once more, with the same key. */
  again(): Promise<string[]>;
  /** Reads a list of the program's issuer. */
  read(path: string): Promise<Record<string, unknown>[]>;
}

/** Returns a PDF that a sample issues. */
async function transcript(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  pdf.addPage().drawText("Record of results");
  return await pdf.save();
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
      `--allow-write=${site.folder}`,
      "--frozen",
      `--lock=${ROOT}dev.lock`,
      `--config=${ROOT}deno.json`,
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

/** Programs that print the error of a call. */
const PROXIED: Readonly<Record<string, [command: string, args: string[]]>> = {
  TypeScript: [Deno.execPath(), [
    "eval",
    `--config=${ROOT}deno.json`,
    `--lock=${ROOT}dev.lock`,
    `import { dataOf, gatehouse } from "${FOLDER}/gatehouse.ts";
    await gatehouse.GET("/api/documents").then(dataOf)
      .catch(({ code, message }) => console.log(code, message));`,
  ]],
  Python: ["python3", [
    "-c",
    `import gatehouse
try:
    gatehouse.call("GET", "/api/documents")
except gatehouse.GatehouseError as error:
    print(error.code, error)`,
  ]],
};

for (const [language, title] of Object.entries(LANGUAGES) as [Language, string][]) {
  const ignore = !await exists(NEEDED[language]);
  if (ignore) {
    console.log(`The samples for ${title} do not run: ${NEEDED[language]} is not installed.`);
  }
  Deno.test({
    name: `the samples for ${title} run in order, each calls its operation, and they run twice`,
    ignore,
    async fn() {
      for (const program of PROGRAMS) {
        const run = await site.run(...RUNS[language](program.name));
        const regions = regionsOf(program[language]).map(({ operation }) => operation);
        assertEquals(inOrder(regions, run.calls), regions, program.name);
        await EFFECTS[program.name](run);
        assertEquals(inOrder(regions, await run.again()), regions, `${program.name} again`);
      }
    },
  });
}

for (const [language, [command, args]] of Object.entries(PROXIED)) {
  Deno.test({
    name:
      `the sample client in ${language} reports a proxy's errors, which are pages, with their status`,
    ignore: !await exists(command),
    async fn() {
      let status = 413;
      await using proxy = Deno.serve(
        { port: 0, hostname: "127.0.0.1", onListen() {} },
        () =>
          new Response("<h1>From the proxy</h1>", {
            status,
            headers: { "content-type": "text/html" },
          }),
      );
      const env = {
        GATEHOUSE_API: `http://127.0.0.1:${proxy.addr.port}`,
        GATEHOUSE_API_KEY: "gh_test_x",
        PYTHONDONTWRITEBYTECODE: "1",
      };
      for (status of [413, 502]) {
        const output = await new Deno.Command(command, { args, env, cwd: FOLDER }).output();
        const said = new TextDecoder().decode(output.stdout);
        assert(said.startsWith(`http_${status} `), new TextDecoder().decode(output.stderr) + said);
        assert(said.includes(`Status ${status}: <h1>From the proxy</h1>`), said);
      }
    },
  });
}

/** Checks what a program has done. */
const EFFECTS: Readonly<Record<string, (run: Run) => Promise<void>>> = {
  async documents({ read }) {
    const documents = await read("/api/documents");
    const summary = documents.map(({ external_id, status, versions, recipient }) => [
      external_id,
      status,
      (versions as unknown[]).length,
      (recipient as { status: string }).status,
    ]);
    assertEquals(summary, [
      ["2026-0119", "current", 1, "waiting"],
      ["2026-0118", "current", 1, "accepted"],
      ["2026-0117", "withdrawn", 2, "accepted"],
    ]);
    const issued = await Deno.readFile(`${site.folder}/issued.pdf`);
    assertEquals(new TextDecoder().decode(issued.subarray(0, 5)), "%PDF-");
    await Deno.remove(`${site.folder}/issued.pdf`);
  },
  async batches({ read }) {
    const batches = await read("/api/documents/batches");
    assertEquals(batches.map(({ state, issued, rows }) => [state, issued, rows]), [
      ["undone", 3, 3],
      ["done", 3, 3],
    ]);
    const documents = await read("/api/documents");
    const numbers = documents.map(({ external_id }) => external_id).sort();
    assertEquals(numbers, ["2026-0117", "2026-0118", "2026-0119"]);
    const results = await Deno.readTextFile(`${site.folder}/results.csv`);
    assertEquals(results.trim().split("\n").length, 4);
    await Deno.remove(`${site.folder}/results.csv`);
  },
  async webhooks({ read }) {
    assertEquals(await read("/api/documents/webhooks"), []); // the last sample removes it
  },
};

/** Returns the ids among others in which they are in the same order. */
function inOrder(ids: readonly string[], all: readonly string[]): string[] {
  let from = 0;
  return ids.filter((id) => {
    const at = all.indexOf(id, from);
    if (at >= 0) from = at + 1;
    return at >= 0;
  });
}

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

Deno.test("every code block of the guides and of README's part about issuing is in a file that tests run", async () => {
  const files = await Array.fromAsync(
    Deno.readDir(FOLDER),
    ({ name }) => Deno.readTextFile(`${FOLDER}/${name}`),
  );
  /** Returns a text without the indentation of its lines. */
  const flat = (text: string) => text.trim().split("\n").map((line) => line.trim()).join("\n");
  const texts = files.map(flat);
  const othersIn = (markdown: string) =>
    [...markdown.matchAll(/^```\w+\n([^]*?)^```$|^\n((?: {4}.*\n)+)/gm)]
      .map(([, fenced, indented]) => flat(fenced ?? indented))
      .filter((block) => !texts.some((text) => text.includes(block)));
  const key = "export GATEHOUSE_API_KEY=gh_test_…";
  const guides = [
    "issuing",
    "issuing-batches",
    "issuing-clients",
    "issuing-keys",
    "issuing-webhooks",
  ];
  const others = await Promise.all(
    guides.map(async (name) => othersIn(await Deno.readTextFile(`${ROOT}docs/${name}.md`))),
  );
  assertEquals(others.flat(), [key, KEY_PATTERN.source]);
  const readme = await Deno.readTextFile(`${ROOT}README.md`);
  const [, part] = readme.match(/^## Issue documents$([^]*?)^## /m)!;
  assertEquals(othersIn(part.replaceAll("http://api.localhost:8000", EXAMPLE_API)), [key]);
});

// `deno task check` finds the type errors of the samples.
Deno.test("the types of the client are those of openapi.json", async () => {
  assert(
    await Deno.readTextFile(API_TYPES) === await apiTypes(),
    "docs/issuing/gatehouse_api.ts is not what the operations and their fields say. Run `deno task api:types`.",
  );
});
