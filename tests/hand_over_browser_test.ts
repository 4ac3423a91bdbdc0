import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { main as handOver } from "../lib/app/commands/hand_over.ts";
import { readBytes } from "../lib/features/documents/testing/fixture.ts";
import { createPdf } from "../lib/features/documents/testing/pdfs.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { openFolder } from "../packages/proof/offline/mod.ts";
import { testBrowser } from "./browser.ts";
import { PERSON } from "./contact_site.ts";
import { documentFixture, PNG } from "./document_site.ts";
import { runMain } from "./run_command.ts";

const browser = testBrowser();
const temporary = await Deno.makeTempDir();
Deno.test.afterAll(() => browser.close());
Deno.test.afterAll(() => Deno.remove(temporary, { recursive: true }));
const [store, folder] = ["site.kv", "handed-over"].map((name) => join(temporary, name));

/** A site with a certificate, a withdrawn one and a guessable text, which is gone when the tests begin. */
const { hash, certificate } = await (async () => {
  const kv = await openKv(store);
  await using fixture = await documentFixture({}, { kv, issuePdf: undefined });
  const { site: { services }, clock, hash } = fixture;
  const { documents, jobs } = services;
  await services.migrate();
  const pdf = await (await createPdf()).save() as Uint8Array<ArrayBuffer>;
  const certificate = await fixture.add(pdf, { guessable: false });
  const file = certificate.versions[0].issued!;
  const { id } = await fixture.add(PNG, {
    guessable: false,
    file_name: "a.png",
    title: "Withdrawn of Ada",
  });
  clock.now += 1000;
  await documents.withdraw(id, "Ada gave a wrong date", "admin@example.org");
  await fixture.add("A short text", { file_name: "a.txt" });
  await kv.set(["chain_keys_withdrawn", "old"], true);
  await jobs.run("log");
  return {
    hash,
    certificate: await readBytes(documents.open(file)),
  };
})();

/** Opens the folder as somebody does who has nothing else, with the modules in it. */
async function open(read = (path: string) => Deno.readFile(join(folder, path)).catch(() => null)) {
  const verifier = await import(`file://${folder}/verifier.js`);
  return await openFolder(verifier, read);
}

Deno.test("hand-over writes a folder with which somebody who has nothing else checks a certificate and a chain", async () => {
  const { code, out, err } = await runMain(handOver, store, [folder]);
  assertEquals([code, err], [0, ""], out);
  assertStringIncludes(out, "1 document is left out, because the content could be guessed");
  const { about, checkFile, checkChain } = await open();
  const { publisher, records, documents, left_out } = about;
  assertEquals(
    { publisher, records, documents, left_out },
    { publisher: "trust.localhost:8000", records: 1, documents: 2, left_out: 1 },
  );

  const { results: [{ match, result }, ...more] } = await checkFile(certificate);
  assertEquals(more, []);
  assertEquals([match.state, match.form, result.ok], ["current", "issued", true]);
  assertEquals([result.state, result.log.checked, result.log.fault], ["registered", "log", null]);
  assertStringIncludes(result.sentence.text, "In the publisher's log");
  const [{ match: stated, result: last }] = (await checkFile(PNG)).results;
  assertEquals([stated.state, last.ok, last.state], ["withdrawn", true, "withdrawn"]);
  const changed = Uint8Array.from(certificate, (byte, i) => i === 100 ? byte ^ 1 : byte);
  assertEquals((await checkFile(changed)).results, []);
  assertEquals((await checkFile(new TextEncoder().encode("A short text"))).results, []);

  const chain = await checkChain(hash);
  assertEquals([chain.ok, chain.hash, chain.log.checked], [true, hash, "log"]);
  assert(chain.events.some(({ kind }: { kind: string }) => kind === "email_confirmed"));
  const saved = await Deno.readTextFile(join(folder, `chains/${hash.slice(0, 2)}/${hash}.json`));
  assertEquals((await checkChain(saved)).ok, true);
  const forged = await checkChain(saved.replace("email_confirmed", "document_viewed"));
  assertEquals([forged.ok, forged.chain.code], [false, "bad_hash"]);
  assertEquals(await checkChain("0".repeat(64)), null);
  const keys = JSON.parse(await Deno.readTextFile(join(folder, "keys.json")));
  assertEquals([keys.keys.length, keys.withdrawn], [1, ["old"]]);
  assert((await Deno.readFile(join(folder, "standard/standard.pdf"))).length > 10_000);

  const again = await runMain(handOver, store, [folder]);
  assertEquals([again.code, again.err], [2, `${folder} should be an empty folder, or none yet.\n`]);
});

Deno.test("a folder that was handed over has no personal data, and no secrets", async () => {
  const texts: Record<string, string> = {};
  async function read(path: string) {
    for await (const { name, isDirectory } of Deno.readDir(path)) {
      const file = join(path, name);
      if (isDirectory) await read(file);
      else texts[file.slice(folder.length + 1)] = await Deno.readTextFile(file);
    }
  }
  await read(folder);
  const { email, name, organisation } = PERSON;
  const secret = /"d":"|PRIVATE KEY/;
  for (const [path, text] of Object.entries(texts)) {
    for (const word of [email.toLowerCase(), name, organisation, "of Ada", "Ada gave", "admin@"]) {
      assertEquals(text.toLowerCase().includes(word.toLowerCase()), false, `${path}: ${word}`);
    }
    if (!/verifier|index|standard/.test(path)) assert(!secret.test(text), path);
  }
});

Deno.test("with a changed checkpoint a certificate does not verify, and without one only its proof is checked", async () => {
  const resultOf = async (change: (checkpoint: string) => string | null) => {
    const { checkFile } = await open(async (path) => {
      const bytes = await Deno.readFile(join(folder, path)).catch(() => null);
      if (path !== "log/checkpoint") return bytes;
      const changed = change(new TextDecoder().decode(bytes!));
      return changed === null ? null : new TextEncoder().encode(changed);
    });
    const { results: [{ result }] } = await checkFile(certificate);
    return [result.ok, result.log.checked, result.log.fault?.code];
  };
  assertEquals(await resultOf((text) => text), [true, "log", undefined]);
  assertEquals(await resultOf((text) => text.replace(/\n\d+\n/, "\n1\n")), [
    false,
    "proof",
    "log_signature",
  ]);
  assertEquals(await resultOf(() => null), [true, "proof", undefined]);
});

browser.test(
  "the page is opened from a disk, and checks a certificate and a chain with the chosen folder",
  {},
  async (page) => {
    await page.goto(`file://${folder}/index.html`);
    await page.locator("#folder").setInputFiles(folder);
    await page.locator("#checks").waitFor();
    await page.locator("#file").setInputFiles({
      ...{ name: "certificate.pdf", mimeType: "application/pdf" },
      buffer: Buffer.from(certificate),
    });
    await page.locator("#file-result").getByText("State: current").waitFor();
    await page.locator("#file-result").getByText("In the publisher's log").waitFor();
    await page.locator("#hash").fill(hash);
    await page.locator("#hash").press("Tab");
    await page.locator("#hash-result").getByText("The chain verifies").waitFor();
  },
);
