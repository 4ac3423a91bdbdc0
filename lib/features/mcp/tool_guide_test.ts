import { assertEquals } from "@std/assert";
import { argumentsOf, curlOfCall, toolFields } from "./tool_guide.ts";
import { listing } from "./tool.ts";
import { mcpTools } from "./tools/mod.ts";

const fieldsOf = (name: string) =>
  toolFields(listing(mcpTools.find((tool) => tool.name === name)!).inputSchema);

Deno.test("fields have the type, the limits and the example of the tool's own schema", () => {
  const described = fieldsOf("search_qualifications").map((field) => [
    field.name,
    field.type,
    field.required,
    field.limits.join(", "),
    field.example,
  ]);
  assertEquals(described, [
    ["query", "string", false, "at most 200 characters", "leadership"],
    ["aqf_level", "integer", false, "1 to 8", "5"],
    ["training_package", "string", false, "matches ^[A-Za-z]{3}$", ""],
    ["status", '"current" | "superseded"', false, "", ""],
    ["limit", "integer", false, "1 to 50, default 10", ""],
  ]);
  const [section] = fieldsOf("read_standard_section");
  assertEquals([section.required, section.example], [true, "event-chain"]);
});

Deno.test("the example of every tool becomes valid arguments", () => {
  for (const tool of mcpTools) {
    const fields = toolFields(listing(tool).inputSchema);
    const texts = Object.fromEntries(fields.map(({ name, example }) => [name, example]));
    const result = argumentsOf(fields, texts);
    assertEquals(result.ok && tool.input.safeParse(result.args).success, true, tool.name);
  }
});

Deno.test("empty texts omit the argument, a word stays a word, and invalid JSON names its field", () => {
  const fields = fieldsOf("search_standard");
  assertEquals(argumentsOf(fields, { query: "salt", limit: " " }), {
    ok: true,
    args: { query: "salt" },
  });
  assertEquals(argumentsOf(fields, { query: "salt", limit: "3" }), {
    ok: true,
    args: { query: "salt", limit: 3 },
  });
  assertEquals(argumentsOf(fields, { query: "salt", limit: "many" }), {
    ok: true,
    args: { query: "salt", limit: "many" },
  });
  assertEquals(argumentsOf(fieldsOf("verify_chain"), { events: "[" }), {
    ok: false,
    field: "events",
  });
});

Deno.test("the command quotes an apostrophe for the shell", () => {
  const command = curlOfCall("https://mcp.example/mcp", "search_standard", { query: "it's" });
  assertEquals(command.split("\n").at(0), "curl https://mcp.example/mcp \\");
  assertEquals(command.includes(`"query":"it'\\''s"`), true);
});
