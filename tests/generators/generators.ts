/** Runs a command in the folder of a generator, and throws its output if it fails. */
type Run = (command: string, ...args: string[]) => Promise<void>;

/** A generator of clients, and how its client is generated, compiled and used. */
export interface Generator {
  name: string;
  /** The commands that must exist, with what installs them. */
  needs: Readonly<Record<string, string>>;
  /** The files of `programs/`, and where they go in the folder, which has `openapi.json`. */
  files: Readonly<Record<string, string>>;
  /** Further files by name. */
  texts?: Readonly<Record<string, string>>;
  /** Generates and compiles the client. */
  build(run: Run, folder: string): Promise<void>;
  /** Uses the client, in the environment with `GATEHOUSE_API` and a test key. */
  use: readonly [command: string, ...args: string[]];
}

const NODE = { node: "apt-get install nodejs", npm: "apt-get install npm" };
const JAVA = { java: "apt-get install openjdk-17-jdk", mvn: "apt-get install maven" };
const PYTHON = { python3: "apt-get install python3 python3-venv" };
const GO = { go: "apt-get install golang (1.25 or later)" };
const RUST = { cargo: "apt-get install cargo" };

const OPENAPI_GENERATOR = "7.25.0";
const TSCONFIG = JSON.stringify({
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: "esnext",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["esnext", "dom", "dom.iterable"],
    types: [],
  },
  files: ["program.ts"],
});

/** Orval cannot join a file and a form into one type of body. */
const ORVAL = JSON.stringify({
  gatehouse: {
    input: "openapi.json",
    output: {
      target: "client.ts",
      client: "fetch",
      override: { contentType: { exclude: ["multipart/form-data"] } },
    },
  },
});

/** A client in TypeScript, which tsc checks and Deno runs. */
const typescript = (
  name: string,
  program: string,
  packages: readonly string[],
  generate: (run: Run) => Promise<void>,
  { needs = {}, texts = {} }: Partial<Pick<Generator, "needs" | "texts">> = {},
): Generator => ({
  name,
  needs: { ...NODE, ...needs },
  files: { [program]: "program.ts", "shared.ts": "shared.ts" },
  texts: { "tsconfig.json": TSCONFIG, "package.json": '{"type":"module"}', ...texts },
  async build(run) {
    await run("npm", "install", "--silent", "--no-audit", "--no-fund", "typescript@5", ...packages);
    await generate(run);
    await run("npx", "tsc");
  },
  use: [
    Deno.execPath(),
    ..."run -A --no-check --no-lock --unstable-sloppy-imports --node-modules-dir=manual".split(" "),
    "program.ts",
  ],
});

/**
 * Generates with openapi-generator, which Maven fetches. The models of forms must not be left out, because the code
 * imports them.
 */
async function openapiGenerator(run: Run, language: string, output: string, ...more: string[]) {
  const artifact = `org.openapitools:openapi-generator-cli:${OPENAPI_GENERATOR}`;
  await run("mvn", "-q", "dependency:copy", `-Dartifact=${artifact}`, "-DoutputDirectory=.");
  const jar = `openapi-generator-cli-${OPENAPI_GENERATOR}.jar`;
  const flags = ["-i", "openapi.json", "--global-property", "skipFormModel=false"];
  await run("java", "-jar", jar, "generate", "-g", language, "-o", output, ...flags, ...more);
}

const go = (
  name: string,
  program: string,
  generate: (run: Run) => Promise<void>,
  needs: Generator["needs"] = {},
): Generator => ({
  name,
  needs: { ...GO, ...needs },
  files: { [program]: "main.go" },
  texts: { "go.mod": "module example.org/program\n" },
  async build(run) {
    await run("mkdir", "-p", "client");
    await generate(run);
    await run("go", "mod", "tidy");
    await run("go", "build", "-o", "program", ".");
  },
  use: ["./program"],
});

const VENV = "venv/bin/python";
const venv = async (run: Run, ...packages: string[]) => {
  await run("python3", "-m", "venv", "venv");
  await run(VENV, "-m", "pip", "install", "--quiet", ...packages);
};

const PYTHON_CLIENT = `content_type_overrides:
  text/csv: application/octet-stream
  "*/*": application/octet-stream
post_hooks: []
`;

export const GENERATORS: readonly Generator[] = [
  typescript(
    "openapi-typescript",
    "openapi_typescript.ts",
    ["openapi-typescript@7", "openapi-fetch@0.17"],
    (run) => run("npx", "openapi-typescript", "openapi.json", "-o", "api.ts"),
  ),
  typescript(
    "orval",
    "orval.ts",
    ["orval@8"],
    (run) => run("npx", "orval", "--config", "orval.config.json"),
    { texts: { "orval.config.json": ORVAL } },
  ),
  typescript(
    "@hey-api/openapi-ts",
    "hey_api.ts",
    ["@hey-api/openapi-ts@0.99"],
    (run) => run("npx", "openapi-ts", "-i", "openapi.json", "-o", "client"),
  ),
  typescript(
    "openapi-generator typescript-fetch",
    "typescript_fetch.ts",
    [],
    (run) => openapiGenerator(run, "typescript-fetch", "client"),
    { needs: JAVA },
  ),
  {
    name: "openapi-generator java",
    needs: JAVA,
    files: { "Main.java": "client/src/main/java/Main.java" },
    async build(run) {
      // The library `native` sends the path of a file instead of its content.
      await openapiGenerator(run, "java", "client");
      await run("mvn", "-q", "-f", "client", "-DskipTests", "compile");
      const copy = ["dependency:copy-dependencies", "-DoutputDirectory=target/lib"];
      await run("mvn", "-q", "-f", "client", ...copy);
    },
    use: ["java", "-cp", "client/target/classes:client/target/lib/*", "Main"],
  },
  {
    name: "openapi-generator python",
    needs: { ...JAVA, ...PYTHON },
    files: { "openapi_generator.py": "program.py" },
    async build(run) {
      await openapiGenerator(run, "python", "client");
      await venv(run, "./client");
    },
    use: [VENV, "program.py"],
  },
  {
    name: "openapi-generator rust",
    needs: { ...JAVA, ...RUST },
    files: { "main.rs": "client/src/main.rs" },
    async build(run) {
      await openapiGenerator(run, "rust", "client");
      const manifest = ["--manifest-path", "client/Cargo.toml"];
      await run("cargo", "add", "--quiet", ...manifest, "tokio", "--features", "full");
      await run("cargo", "add", "--quiet", ...manifest, "chrono");
      await run("cargo", "build", "--quiet", ...manifest);
    },
    use: ["client/target/debug/openapi"],
  },
  go(
    "openapi-generator go",
    "openapi_generator.go",
    async (run) => {
      await openapiGenerator(run, "go", "generated", "--package-name", "client");
      await run("sh", "-c", "mv generated/*.go client/");
      await run("rm", "-r", "generated");
    },
    JAVA,
  ),
  go(
    "oapi-codegen",
    "oapi_codegen.go",
    (run) =>
      run(
        "go",
        "run",
        "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2",
        ..."-generate types,client -package client -o client/client.go openapi.json".split(" "),
      ),
  ),
  go(
    "ogen",
    "ogen.go",
    (run) =>
      run(
        "go",
        "run",
        "github.com/ogen-go/ogen/cmd/ogen@v1.24.0",
        ..."--target client --package client --clean openapi.json".split(" "),
      ),
  ),
  {
    name: "openapi-python-client",
    needs: PYTHON,
    files: { "openapi_python_client.py": "program.py" },
    texts: { "config.yaml": PYTHON_CLIENT + "package_name_override: client\n" },
    async build(run) {
      await venv(run, "openapi-python-client==0.29.1");
      const flags = "--path openapi.json --output-path generated --config config.yaml --meta none";
      await run("venv/bin/openapi-python-client", "generate", ...flags.split(" "));
      await run("mv", "generated", "client");
    },
    use: [VENV, "program.py"],
  },
];
