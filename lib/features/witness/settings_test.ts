import { assertEquals, assertThrows } from "@std/assert";
import { ConfigError } from "../../platform/config/error.ts";
import { createTestLog } from "./testing/test_log.ts";
import { readSettings } from "./settings.ts";

const [one, two] = await Promise.all([
  createTestLog("one.example/log"),
  createTestLog("two.example/log"),
]);

Deno.test("a witness has settings from options and variables, and options come first", () => {
  const env: Record<string, string> = {
    WITNESS_NAME: "from.example",
    WITNESS_LOGS: `log ${one.vkey} https://one.example/log`,
    PORT: "9000",
    HOST: " ",
    WITNESS_URL: "https://witness.example/",
  };
  const args = ["--name", "option.example", "--log", two.vkey, "--store", "/tmp/w.kv", "--new-key"];
  const { logs, ...settings } = readSettings(args, (name) => env[name]);
  assertEquals(settings, {
    name: "option.example",
    host: "127.0.0.1",
    port: 9000,
    storePath: "/tmp/w.kv",
    url: "https://witness.example/",
    signingKey: undefined,
    isNewKey: true,
    trustProxy: 0,
  });
  assertEquals(logs.map(({ key, url }) => [key.name, url]), [
    ["one.example/log", "https://one.example/log"],
    ["two.example/log", null],
  ]);
});

Deno.test("each problem of a witness's settings is one line with its variable and option", () => {
  const args = ["--port", "many", "--log", "x", "--name", "a b", "--url", "ftp://a.example"];
  const { lines } = assertThrows(() => readSettings(args, () => undefined), ConfigError);
  assertEquals(lines.map((line: string) => line.split(":")[0]), [
    "PORT (--port)",
    "WITNESS_LOGS (--log)",
    "WITNESS_NAME (--name)",
    "WITNESS_URL (--url)",
  ]);
  assertThrows(() => readSettings(["--nme", "x"], () => undefined), TypeError);
});
