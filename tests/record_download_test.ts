import { assertEquals, assertStringIncludes } from "@std/assert";
import { ChainReadError, createMemory } from "../packages/proof/mod.ts";
import { verifyCommand } from "../lib/app/commands/verify/verify_command.ts";
import { statusOf } from "./contact_site.ts";
import { recordFixture } from "./record_site.ts";

Deno.test("the download is a file that the verify command accepts, with the record and salt", async () => {
  await using fixture = await recordFixture();
  const { hash, cookie } = await fixture.holder();
  const { chains } = fixture.site.services;
  for (let i = 0; i < 120; i++) await chains.append(hash, "record_verified");
  const response = await fixture.fetch("/my-record/download.json", { cookie });
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertEquals(
    response.headers.get("content-disposition"),
    `attachment; filename="record-${hash.slice(0, 8)}.json"`,
  );
  const text = await response.text();
  const { record, salt, events, keys, head } = JSON.parse(text);
  assertEquals([record.name, salt.length, events.length, head.size], ["Ada Example", 64, 122, 122]);
  assertEquals(keys.length, 1);

  /** Verifies a file without a network. */
  const verify = async (content: string) => {
    const lines: string[] = [];
    const exit = await verifyCommand(["file.json", "--offline"], {
      fetch: () => Promise.reject(new TypeError("no network")),
      readFile: (path) =>
        path === "file.json"
          ? Promise.resolve(content)
          : Promise.reject(new ChainReadError("not_found", path)),
      writeFile: () => Promise.resolve(false),
      print: (line) => lines.push(line),
      clock: Date.now,
      memory: createMemory(),
      policyFile: "log-policy",
    });
    return { exit, printed: lines.join("\n") };
  };
  const verified = await verify(text);
  assertEquals(verified.exit, 0, verified.printed);
  assertStringIncludes(verified.printed, "its content and salt have this hash");
  const fault = "Not verified: bad_record: the record";
  for (
    const altered of [
      text.replace("Ada Example", "Eve Example"),
      text.replace(salt, "0".repeat(64)),
      text.replace(salt, "x"),
      text.replace(`"salt":"${salt}",`, ""),
      text.replace(/"record":\{.*?\},\n/, '"record":[],\n'),
    ]
  ) {
    const { exit, printed } = await verify(altered);
    assertEquals([exit, printed.slice(0, fault.length)], [1, fault]);
  }

  const log = (await fixture.entries()).filter(({ text }) => text.includes('what: "exported"'));
  assertEquals(log.length, 1);
});

Deno.test("only the holder can download a record", async () => {
  await using fixture = await recordFixture();
  await fixture.holder();
  const page = await fixture.fetch("/my-record/download.json");
  assertEquals([page.status, page.headers.get("location")], [303, "/my-record"]);
  const headers = { accept: "application/json" };
  assertEquals(await statusOf(fixture.fetch("/my-record/download.json", { headers })), 401);
});
