import { assertEquals } from "@std/assert";
import { callParams, isPlainCall } from "./protocol.ts";

Deno.test("the schema returns the parameters of a plain call unchanged", () => {
  const cases: [json: string, plain: boolean][] = [
    ['{"name": "a", "arguments": {}}', true],
    ['{"name": "a", "arguments": {"b": [1], "constructor": {"prototype": {}}}, "_meta": {}}', true],
    ['{"name": "a", "arguments": {"__proto__": {"b": 1}, "c": 2}}', false],
    ['{"name": "a"}', false],
    ['{"name": "a", "arguments": []}', false],
    ['{"name": 1, "arguments": {}}', false],
    ["[]", false],
    ["null", false],
  ];
  for (const [json, plain] of cases) {
    const params = JSON.parse(json);
    assertEquals(isPlainCall(params), plain, json);
    if (plain) assertEquals(callParams.parse(params), params, json);
  }
});
