import { Buffer } from "node:buffer";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Page } from "playwright-core";
import {
  createSigner,
  formatCheckpoint,
  formatNote,
  formatVerifierKey,
  generatePrivateJwk,
  isProof,
  LOG_KEY,
  parseCheckpoint,
  sha256Bytes,
} from "../packages/proof/mod.ts";
import { axeViolationsInBothSchemes, becomes } from "./browser.ts";
import { createDishonestPublisher, serveLog } from "./dishonest_publisher.ts";
import { servedSite } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const HASH = "e".repeat(64);
const { site, browser } = await servedSite();
const test = withoutMotion(browser);
const { chains, jobs, publicLog, surfaces } = site.services;

Deno.test.beforeAll(async () => {
  await chains.start(HASH);
  await chains.append(HASH, "email_confirmed");
  await jobs.run("log");
});

const sentence = (page: Page) => page.locator(".log-sentence");
const open = (page: Page) => page.goto(surfaces.url("trust", `/verify?hash=${HASH}`)!);

/** Answers with another checkpoint than the log's newest. */
async function showCheckpoint(page: Page, text: string) {
  const address = "**/log/checkpoint";
  await page.unroute(address);
  await page.route(
    address,
    (route) => route.fulfill({ body: text, contentType: "text/plain; charset=utf-8" }),
  );
}

test(
  "the publisher's page says since when a chain is in the log, and remembers the log",
  {},
  async (page, _, t) => {
    await open(page);
    await sentence(page).waitFor();
    const text = await sentence(page).textContent();
    assertStringIncludes(text!, "Logged by ");
    assertStringIncludes(
      text!,
      ", which the same operator runs, so it proves nothing against that operator.",
    );
    const checkpoint = await page.evaluate(() => JSON.stringify(localStorage));
    assertStringIncludes(checkpoint, publicLog.origin);
    await page.getByText("This page comes from the publisher.").waitFor();
    assertEquals(await axeViolationsInBothSchemes(page), []);

    await t.step("a reader's own policy decides whose countersignatures count", async () => {
      const [signer] = await publicLog.signers();
      await page.locator("summary", { hasText: "Whose countersignatures count" }).click();
      const field = page.getByLabel("Policy");
      const suggested = await field.inputValue();
      await field.fill("quorum");
      await page.getByRole("button", { name: "Save my policy" }).click();
      await page.getByText("Line 1: expected a name").waitFor();
      await field.fill(`log ${formatVerifierKey(signer.key)}\nquorum none\n`);
      await page.getByRole("button", { name: "Save my policy" }).click();
      await page.getByText("nobody independent has countersigned it.").first().waitFor();
      assertEquals(await axeViolationsInBothSchemes(page), []);
      await page.getByRole("button", { name: "Delete it" }).click();
      await page.getByText(
        "which the same operator runs, so it proves nothing against that operator.",
      ).first().waitFor();
      assertEquals(await field.inputValue(), suggested);
    });

    await t.step(
      "another tree of the same key is misconduct, whose proof can be saved",
      async () => {
        const [signer] = await publicLog.signers();
        const { size } = parseCheckpoint((await site.services.logFiles.checkpoint())!)!;
        const root = sha256Bytes(new TextEncoder().encode("another tree"));
        const body = formatCheckpoint({ origin: publicLog.origin, size, root });
        await showCheckpoint(
          page,
          formatNote({ text: body, signatures: [await signer.sign(body)] }),
        );
        await page.reload();
        await page.getByText("signed two public logs that contradict each other").first().waitFor();
        assertEquals(await page.locator(".verdict.bad").count(), 1);
        assertEquals(await axeViolationsInBothSchemes(page), []);
        const download = page.waitForEvent("download");
        await page.getByRole("button", { name: "Save the evidence" }).click();
        const evidence = await Deno.readTextFile(await (await download).path());
        assert(isProof(JSON.parse(evidence)));
        await page.unrouteAll();
      },
    );

    await t.step("another key is refused until the reader accepts it", async () => {
      const other = await createSigner(publicLog.origin, LOG_KEY, await generatePrivateJwk());
      await page.evaluate(([origin, key]) => {
        for (const name of Object.keys(localStorage)) {
          if (name.includes(origin)) {
            localStorage.setItem(name, JSON.stringify({ checkpoint: null, keys: [key] }));
          }
        }
      }, [publicLog.origin, formatVerifierKey(other.key)]);
      await page.reload();
      await page.getByText("no key that is known here has signed the log").first().waitFor();
      assertEquals(await axeViolationsInBothSchemes(page), []);
      await page.getByRole("button", { name: "Accept the new key" }).click();
      await page.getByText(
        "which the same operator runs, so it proves nothing against that operator.",
      ).first().waitFor();
    });
  },
);

test(
  "the foundation's page checks the file of another publisher against its keys and its log",
  {},
  async (page, _, t) => {
    let now = Date.now();
    await using server = serveLog();
    using publisher = await createDishonestPublisher(() => now, server.host);
    const { independent } = publisher;
    const honest = await publisher.open({ witnesses: [independent] });
    server.show(honest);
    await honest.chains.start(HASH);
    await honest.publish();
    const check = async (text: string) => {
      const before = server.requests.length;
      await page.getByLabel("A chain saved as JSON").setInputFiles({
        name: "chain.json",
        mimeType: "application/json",
        buffer: Buffer.from(text),
      });
      await becomes(() => server.requests.length > before, true);
    };
    await page.goto(surfaces.url("foundation", "/verify")!);
    await check(await honest.save(HASH));
    await page.getByText("nobody independent has countersigned it.").first().waitFor();
    assertEquals(await page.locator(".verdict.good h2").textContent(), "Verified: 1 event");
    assert(server.requests.includes("/.well-known/chain-keys.json"));
    assert(server.requests.includes("/log/checkpoint"));
    assert(server.requests.every((path) => !path.includes(HASH)));

    await t.step("with the reader's policy, the sentence names the witness", async () => {
      await page.locator("summary", { hasText: "Whose countersignatures count" }).click();
      await page.getByLabel("Policy")
        .fill(`witness Other ${formatVerifierKey(independent.key)}\nquorum none\n`);
      await page.getByRole("button", { name: "Save my policy" }).click();
      await check(await honest.save(HASH));
      await page.getByText("countersigned by Other.").first().waitFor();
      assertEquals(await axeViolationsInBothSchemes(page), []);
    });

    await t.step("a chain that was rewritten with the real keys is not in the log", async () => {
      const forged = await publisher.open({ from: await publisher.open() });
      now -= 60 * 60_000;
      await forged.chains.start(HASH);
      now += 60 * 60_000;
      await forged.chains.append(HASH, "sms_confirmed");
      await check(await forged.save(HASH, { provenBy: null }));
      await page.getByText("Not in the log.").first().waitFor();
      assertEquals(await page.locator(".verdict.fair .log-result.warning").count(), 1);
    });
  },
);
