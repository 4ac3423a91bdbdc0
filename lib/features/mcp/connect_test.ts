import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { connectProps, installs } from "./mod.ts";
import { createManifest } from "./manifest.ts";
import { connectionStrings } from "./connect.ts";

const STEWARD = { name: "Open Records Foundation", url: "https://foundation.example" };

function propsOf(organisation: "foundation" | "commercial", name: string, steward = STEWARD) {
  const codeHostUrl = `https://code.example/${organisation}-org`;
  const facts = { codeHostUrl, productName: "Qualpack", steward };
  return connectProps(manifestOf(organisation, name), facts);
}

function manifestOf(organisation: "foundation" | "commercial", name: string) {
  return createManifest({
    organisation,
    organisationName: name,
    description: `What ${organisation} does.`,
    contactEmail: `contact@${organisation}.example`,
    siteBaseUrl: `https://${organisation}.example`,
    mcpBaseUrl: `https://mcp.${organisation}.example`,
  });
}

Deno.test("connectionStrings() includes the server's name and URL in both texts", () => {
  const { command, json } = connectionStrings(propsOf("foundation", "Open Records Foundation"));
  assertEquals(
    command,
    "claude mcp add --transport http open-records-foundation https://mcp.foundation.example/mcp",
  );
  assertEquals(
    json,
    `{ "mcpServers": { "open-records-foundation":
  { "type": "streamable-http",
    "url": "https://mcp.foundation.example/mcp" } } }`,
  );
});

Deno.test("connectionStrings() needs no shell quoting, whatever the name of the organisation", () => {
  for (const name of [`Açme & Söhne; "rm" $(x)`, "記録財団", "--help"]) {
    const { command, json } = connectionStrings(propsOf("commercial", name));
    assertMatch(command, /^claude mcp add --transport http [a-z0-9][a-z0-9-]* https:\S+\/mcp$/);
    assertEquals(Object.keys(JSON.parse(json).mcpServers), [command.split(" ")[5]]);
  }
});

Deno.test("connectProps() omits the URL of a steward whose site is not served", () => {
  const steward = { ...STEWARD, url: null! };
  const { entityDescription } = propsOf("commercial", "Attest Systems", steward);
  assertStringIncludes(entityDescription, "maintains it, and anyone");
});

Deno.test("connectProps() returns the specified props as plain JSON", () => {
  const props = propsOf("commercial", "Attest Systems");
  assertEquals(Object.keys(props).sort(), [
    "endpoint",
    "entity",
    "entityDescription",
    "entityName",
  ]);
  assertEquals(JSON.parse(JSON.stringify(props)), props);
});

Deno.test("installs() includes the server's name and URL in every link and command", () => {
  for (const name of ["Open Records Foundation", `Açme & Söhne; "rm" $(x)`]) {
    const manifest = manifestOf("foundation", name);
    const { endpoint: url, serverName } = manifest;
    const { claudeCode, codex, cursor, vscode } = installs(manifest);
    assertEquals(claudeCode, `claude mcp add --transport http ${serverName} ${url}`);
    assertEquals(codex, `codex mcp add ${serverName} --url ${url}`);

    assertMatch(vscode, /^vscode:mcp\/install\?[\w%.-]+$/);
    const [, settings] = vscode.split("?");
    assertEquals(JSON.parse(decodeURIComponent(settings)), { name: serverName, type: "http", url });

    const { protocol, host, pathname, searchParams } = new URL(cursor);
    assertEquals([protocol, host, pathname], [
      "cursor:",
      "anysphere.cursor-deeplink",
      "/mcp/install",
    ]);
    assertEquals(searchParams.get("name"), serverName);
    assertEquals(JSON.parse(atob(searchParams.get("config")!)), { url });
  }
});
