import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { connectionStrings, connectProps, createManifest } from "./mod.ts";

const STEWARD = { name: "Open Records Foundation", url: "https://foundation.example" };

function propsOf(organisation: "foundation" | "commercial", name: string, steward = STEWARD) {
  const manifest = createManifest({
    organisation,
    name,
    description: `What ${organisation} does.`,
    contactEmail: `contact@${organisation}.example`,
    siteBaseUrl: `https://${organisation}.example`,
    mcpBaseUrl: `https://mcp.${organisation}.example`,
  });
  const codeHostUrl = `https://code.example/${organisation}-org`;
  return connectProps(manifest, { codeHostUrl, productName: "Qualpack", steward });
}

Deno.test("the two connection strings name the server and its address", () => {
  const { command, json } = connectionStrings(propsOf("foundation", "Open Records Foundation"));
  assertEquals(
    command,
    "claude mcp add --transport http open-records-foundation https://mcp.foundation.example/mcp",
  );
  assertEquals(
    json,
    `{
  "mcpServers": {
    "open-records-foundation": {
      "type": "streamable-http",
      "url": "https://mcp.foundation.example/mcp"
    }
  }
}`,
  );
});

Deno.test("whatever an organisation is called, the command stays one shell word a part", () => {
  for (const name of [`Açme & Söhne; "rm" $(x)`, "記録財団", "--help"]) {
    const { command, json } = connectionStrings(propsOf("commercial", name));
    assertMatch(command, /^claude mcp add --transport http [a-z0-9][a-z0-9-]* https:\S+\/mcp$/);
    assertEquals(Object.keys(JSON.parse(json).mcpServers), [command.split(" ")[5]]);
  }
});

Deno.test("each description names its own repository organisation and contact", () => {
  for (const organisation of ["foundation", "commercial"] as const) {
    const other = organisation === "foundation" ? "commercial" : "foundation";
    const { entityDescription } = propsOf(organisation, "Any");
    assert(entityDescription.startsWith(`What ${organisation} does.\n\n`));
    assertStringIncludes(entityDescription, `https://code.example/${organisation}-org`);
    assertStringIncludes(entityDescription, `contact@${organisation}.example`);
    assertFalse(entityDescription.includes(`code.example/${other}-org`));
  }
});

Deno.test("the commercial one tells its infrastructure and whose the standard is", () => {
  const { entityDescription } = propsOf("commercial", "Attest Systems");
  assertStringIncludes(entityDescription, "Our certification infrastructure is");
  assertStringIncludes(entityDescription, "Qualpack");
  assertStringIncludes(entityDescription, "Open Records Foundation looks after it");
  assertStringIncludes(entityDescription, STEWARD.url);

  const without = propsOf("commercial", "Attest Systems", { ...STEWARD, url: null! });
  assertStringIncludes(without.entityDescription, "looks after it, and anybody");
});

Deno.test("the props are the four of the specification, as plain JSON", () => {
  const props = propsOf("commercial", "Attest Systems");
  assertEquals(Object.keys(props).sort(), [
    "endpoint",
    "entity",
    "entityDescription",
    "entityName",
  ]);
  assertEquals(JSON.parse(JSON.stringify(props)), props);
});
