import { assert, assertEquals } from "@std/assert";
import { parse } from "@std/yaml";
import denoJson from "../deno.json" with { type: "json" };
import { environment } from "../lib/app/config.ts";
import { until } from "../lib/testing/until.ts";
import { PERSON } from "./contact_site.ts";
import { COMMAND, lockedProcess, lockedSite } from "./locked_site.ts";
import { sendRaw } from "./site.ts";

const { site: permissions } = denoJson.permissions;

/** Sends a request to a host of the site; returns the status and the whole response. */
async function send(port: number, host: string, path: string, body?: unknown) {
  const json = body === undefined ? "" : JSON.stringify(body);
  const response = await sendRaw(
    port,
    `${body === undefined ? "GET" : "POST"} ${path} HTTP/1.1\r\nHost: ${host}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${json.length}\r\n` +
      `Connection: close\r\n\r\n${json}`,
  );
  return { status: Number(response.split(" ", 2)[1]), response };
}

Deno.test("with the container's permissions, production serves, stores and stops", async () => {
  const store = await Deno.makeTempDir();
  {
    await using site = await lockedSite(store);
    const { port } = site;
    // A busy machine delays the store's response, which makes the site unready meanwhile.
    const isReady = async () => (await send(port, "any.test", "/readyz")).status === 200;
    await until(isReady, "the site is ready");
    const statuses = await Promise.all([
      send(port, "any.test", "/healthz"),
      send(port, "qualpack.test", "/"),
      send(port, "foundation.test", "/standard.pdf"),
      send(port, "trust.test", `/pdfjs/${await pdfjsVersion()}/pdf.min.mjs`),
    ]);
    assertEquals(statuses.map(({ status }) => status), [200, 200, 200, 200]);
    const { status, response } = await send(port, "api.test", "/api/ir/register", PERSON);
    assertEquals(status, 201, response);
    const hash = response.match(/"hash":"([0-9a-f]{64})"/)?.[1];
    assertEquals((await send(port, "api.test", `/api/chain/${hash}`)).status, 200);
    site.process.kill("SIGTERM");
    assertEquals((await site.process.status).code, 0);
  }
  await Deno.remove(store, { recursive: true });
});

async function pdfjsVersion(): Promise<string> {
  const file = new URL("../package.json", import.meta.resolve("pdfjs-dist"));
  return JSON.parse(await Deno.readTextFile(file)).version;
}

Deno.test("with the container's permissions, PDFs are issued, and a module reaches nothing else", async () => {
  const store = await Deno.makeTempDir();
  const script = new URL("permissions_probe.ts", import.meta.url).pathname;
  const { stdout, stderr } = await (await lockedProcess([script, store], store)).output();
  const decoder = new TextDecoder();
  const text = decoder.decode(stdout);
  assert(text.startsWith("{"), decoder.decode(stderr));
  const outcomes: Record<string, string> = JSON.parse(text);
  const { allowed, ...others } = Object.groupBy(Object.keys(outcomes), (key) => outcomes[key]);
  assertEquals(allowed, [
    "read the store's folder",
    "write to the store's folder",
    "read a setting",
    "issue a PDF",
  ]);
  assertEquals(Object.keys(others), ["denied"], text);
  await Deno.remove(store, { recursive: true });
});

Deno.test("the permissions name every variable of the configuration", () => {
  const names = new Set(permissions.env.allow);
  assertEquals(Object.keys(environment.shape).filter((name) => !names.has(name)), []);
});

Deno.test("the image and the unit run the command whose permissions are tested", async () => {
  const read = (path: string) => Deno.readTextFile(new URL(`../${path}`, import.meta.url));
  const [, entrypoint] = (await read("Dockerfile")).match(/^ENTRYPOINT (.+)$/m)!;
  assertEquals(JSON.parse(entrypoint), ["/usr/bin/deno", ...COMMAND]);
  const [, start] = (await read("docs/ops/gatehouse.service")).match(/^ExecStart=(.+)$/m)!;
  assertEquals(start.split(" "), ["deno", ...COMMAND]); // systemd finds it
});

Deno.test("the settings that Compose reads are neither in the image nor in the repository", async () => {
  const read = (path: string) => Deno.readTextFile(new URL(`../${path}`, import.meta.url));
  const [, settings] = (await read("compose.yaml")).match(/^ {4}env_file: (.+)$/m)!;
  assert((await read(".dockerignore")).split("\n").includes(`${settings}*`));
  assert((await read(".gitignore")).split("\n").includes(settings));
});

Deno.test("every Compose service that reads the settings has the folder of the secrets that they name", async () => {
  const text = await Deno.readTextFile(new URL("../compose.yaml", import.meta.url));
  const { services } = parse(text) as {
    services: Record<string, { env_file?: string; volumes?: string[] }>;
  };
  const reading = Object.entries(services).filter(([, service]) => service.env_file !== undefined);
  assert(reading.length > 1);
  const lacking = reading.filter(([, service]) =>
    !service.volumes?.includes("./secrets:/run/secrets:ro")
  );
  assertEquals(lacking.map(([name]) => name), []);
});

Deno.test("docs/deploy.md links every file in docs/ops", async () => {
  const docs = new URL("../docs/", import.meta.url);
  const text = await Deno.readTextFile(new URL("deploy.md", docs));
  const files = await Array.fromAsync(Deno.readDir(new URL("ops", docs)), ({ name }) => name);
  assertEquals(files.filter((name) => !text.includes(`](ops/${name})`)), []);
});
