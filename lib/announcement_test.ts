import { assert, assertFalse, assertStringIncludes } from "@std/assert";
import { announcement } from "./announcement.ts";
import { parseConfig } from "./config.ts";
import { createSurfaces } from "./surfaces/mod.ts";

function printed(env: Record<string, string>): string {
  const config = parseConfig(env);
  const address: Deno.NetAddr = { transport: "tcp", hostname: config.host, port: config.port };
  return announcement(config, createSurfaces(config), address);
}

Deno.test("a start prints every surface's address and the line for /etc/hosts", () => {
  const text = printed({});
  for (const { baseUrl } of createSurfaces(parseConfig({})).all) {
    assertStringIncludes(text, baseUrl);
  }
  assertStringIncludes(text, "\n  127.0.0.1 site.localhost foundation.localhost");
  assertFalse(text.includes("Switched off"));
});

Deno.test("a start says what is switched off and why", () => {
  assertStringIncludes(printed({ MCP_RATE_LIMIT: "0" }), "MCP_RATE_LIMIT is 0");
  const production = printed({
    APP_ENV: "production",
    SURFACE_HOSTS: `{"trust": ["trust.example"]}`,
  });
  assertStringIncludes(production, "APP_ENV is production");
  assert(!production.includes("/etc/hosts"));
});
