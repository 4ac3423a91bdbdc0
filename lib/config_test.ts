import { assertEquals, assertThrows } from "@std/assert";
import { ConfigError, parseConfig } from "./config.ts";

function linesOf(env: Record<string, string>): string[] {
  return assertThrows(() => parseConfig(env), ConfigError).lines;
}

Deno.test("without variables the configuration is development's", () => {
  const config = parseConfig({});
  assertEquals(config.env, "development");
  assertEquals([config.host, config.port], ["127.0.0.1", 8000]);
  assertEquals(config.surfaceHosts.site, ["site.localhost"]);
  assertEquals(config.mcp, { rateLimit: 60, allowedOrigins: [] });
});

Deno.test("an empty variable counts as unset", () => {
  assertEquals(parseConfig({ PORT: "", MCP_RATE_LIMIT: "  " }).port, 8000);
});

const HOSTS = `{"site": ["qualpack.example"]}`;

const BAD: [title: string, env: Record<string, string>, variable: string][] = [
  ["an unknown environment", { APP_ENV: "staging" }, "APP_ENV"],
  ["a port that is no number", { PORT: "http" }, "PORT"],
  ["a port that is too large", { PORT: "70000" }, "PORT"],
  ["a negative number of proxies", { TRUST_PROXY: "-1" }, "TRUST_PROXY"],
  ["hosts that are no JSON", { SURFACE_HOSTS: "site=x" }, "SURFACE_HOSTS"],
  ["hosts of an unknown surface", { SURFACE_HOSTS: `{"shop": ["a.example"]}` }, "SURFACE_HOSTS"],
  ["a surface without hosts", { SURFACE_HOSTS: `{"site": []}` }, "SURFACE_HOSTS"],
  ["a host with a path", { SURFACE_HOSTS: `{"site": ["a.example/x"]}` }, "SURFACE_HOSTS"],
  [
    "an origin with a path",
    { SURFACE_HOSTS: `{"site": ["https://a.example/x"]}` },
    "SURFACE_HOSTS",
  ],
  ["a contact that is no address", { FOUNDATION_CONTACT_EMAIL: "us" }, "FOUNDATION_CONTACT_EMAIL"],
  [
    "a code host that is no address",
    { COMMERCIAL_CODE_HOST_URL: "git" },
    "COMMERCIAL_CODE_HOST_URL",
  ],
  [
    "a script as code host",
    { FOUNDATION_CODE_HOST_URL: "javascript:alert(1)" },
    "FOUNDATION_CODE_HOST_URL",
  ],
  ["a rate that is no number", { MCP_RATE_LIMIT: "many" }, "MCP_RATE_LIMIT"],
  ["an origin that is only a host", { MCP_ALLOWED_ORIGINS: "app.example" }, "MCP_ALLOWED_ORIGINS"],
  ["production without hosts", { APP_ENV: "production" }, "SURFACE_HOSTS"],
  ["production with a workbench", {
    APP_ENV: "production",
    SURFACE_HOSTS: `{"workbench": ["x.example"]}`,
  }, "SURFACE_HOSTS"],
  ["development on every address", { HOST: "0.0.0.0" }, "HOST"],
  ["development on Deno Deploy", { DENO_DEPLOYMENT_ID: "x" }, "APP_ENV"],
];

for (const [title, env, variable] of BAD) {
  Deno.test(`${title} stops the start with one line that names ${variable}`, () => {
    const lines = linesOf(env);
    assertEquals(lines.length, 1, lines.join("\n"));
    assertEquals(lines[0].split(":")[0], variable);
  });
}

Deno.test("every bad variable gets a line of its own", () => {
  const lines = linesOf({ PORT: "x", TRUST_PROXY: "x", MCP_RATE_LIMIT: "x" });
  assertEquals(lines.map((line) => line.split(":")[0]), ["PORT", "TRUST_PROXY", "MCP_RATE_LIMIT"]);
});

Deno.test("production listens on every address, development does so only when told", () => {
  assertEquals(parseConfig({ APP_ENV: "production", SURFACE_HOSTS: HOSTS }).host, "0.0.0.0");
  assertEquals(parseConfig({ HOST: "0.0.0.0", DEV_EXPOSE: "1" }).host, "0.0.0.0");
});

Deno.test("lists are split at commas and trimmed", () => {
  const { mcp } = parseConfig({
    MCP_ALLOWED_ORIGINS: " https://a.example , https://b.example:8443",
  });
  assertEquals(mcp.allowedOrigins, ["https://a.example", "https://b.example:8443"]);
});

Deno.test(".env.example names every variable that is read, and no other", async () => {
  const source = await Deno.readTextFile(new URL("./config.ts", import.meta.url));
  const schema = source.slice(source.indexOf("const environment"), source.indexOf("});\n\n/**"));
  const read = [...schema.matchAll(/^ {2}([A-Z_]+):/gm)].map((match) => match[1]);
  const example = await Deno.readTextFile(new URL("../.env.example", import.meta.url));
  const named = [...example.matchAll(/^#?\s*([A-Z_]+)=/gm)].map((match) => match[1]);
  assertEquals(named.sort(), read.sort());
});
