import { Buffer } from "node:buffer";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { formatDateTime } from "../lib/base/time.ts";
import type { Page } from "playwright-core";
import {
  formatSavedChain,
  type LinkedEvent,
  linkEvent,
  parseSavedChain,
  type SavedChain,
} from "../packages/proof/mod.ts";
import { HASH, makeSavedChain } from "../lib/features/chain/testing/fixtures.ts";
import { type SignatureVector, VECTORS } from "../packages/proof/kit/mod.ts";
import { axeViolations, becomes } from "./browser.ts";
import { assertPrintsLight } from "./frame_checks.ts";
import { PIXEL } from "./layout.ts";
import { assertAccessible } from "./page_checks.ts";
import { servedSite } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const { site, browser } = await servedSite();
const test = withoutMotion(browser);
const { chains, surfaces } = site.services;

const SIZE = 130;
let filled: Promise<void> | undefined;
/**
 * Fills the chain once, when the first test needs it. The verdict on a chain that is not in the log becomes a
 * warning after ten minutes, and all files of a group may take longer than that.
 */
const fillChain = () =>
  filled ??= (async () => {
    await chains.start(HASH);
    for (let i = 1; i < SIZE; i++) await chains.append(HASH, "record_verified");
  })();

const address = (hash = HASH) => surfaces.url("trust", `/verify?hash=${hash}`)!;
const verdict = (page: Page) => page.locator(".verdict:not(.open) h2");
const rows = (page: Page) => page.locator(".chain-events tbody tr");

/** Alters the responses of the API, as a dishonest publisher would. */
async function alterChain(
  page: Page,
  alter: (response: { head: object; events: LinkedEvent[] }) => void,
) {
  await page.route("**/api/chain/**", async (route) => {
    const request = route.request();
    const { pathname, search } = new URL(request.url());
    const response = await site.request("api", pathname + search, { headers: request.headers() });
    const json = await response.json();
    alter(json);
    await route.fulfill({ headers: Object.fromEntries(response.headers), json });
  });
}

async function chooseFile(page: Page, text: string) {
  await page.locator("#saved-chain:enabled").waitFor();
  await page.getByLabel("A chain saved as JSON").setInputFiles({
    name: "chain.json",
    mimeType: "application/json",
    buffer: Buffer.from(text),
  });
}

/** Asserts that the input shows the chosen file, also after its dialog was left without choosing. */
async function assertShowsFile(page: Page) {
  const input = page.getByLabel("A chain saved as JSON");
  const shown = "C:\\fakepath\\chain.json";
  assertEquals(await input.inputValue(), shown);
  const chooser = page.waitForEvent("filechooser");
  await input.click();
  await chooser;
  assertEquals(await input.inputValue(), "", "the same file can be chosen again");
  await input.dispatchEvent("cancel", { bubbles: true });
  assertEquals(await input.inputValue(), shown);
}

async function saveChain(page: Page): Promise<{ name: string; text: string }> {
  const waiting = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save the chain as JSON" }).click();
  const download = await waiting;
  const text = await Deno.readTextFile(await download.path());
  return { name: download.suggestedFilename(), text };
}

test("a good chain verifies on its page and from a file", {}, async (page, _context, t) => {
  await fillChain();
  const violations: string[] = [];
  await page.exposeFunction("reportViolation", (directive: string) => violations.push(directive));
  await page.addInitScript(`document.addEventListener("securitypolicyviolation",
    (event) => reportViolation(event.effectiveDirective))`);
  const requests: string[] = [];
  page.on("request", (request) => {
    const { host, pathname, search } = new URL(request.url());
    requests.push(pathname.startsWith("/api/chain/") ? host.split(".")[0] + search : pathname);
  });
  await t.step("a hash typed on the workbench is verified there", async () => {
    await page.goto(surfaces.url("workbench", "/verify")!);
    await page.getByLabel("Record hash").fill(HASH.toUpperCase().replace(/.{16}/g, "$& "));
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/verify?hash=${HASH}`);
    await verdict(page).waitFor();
    assertEquals(await verdict(page).textContent(), `Verified: ${SIZE} events`);
  });

  requests.length = 0;
  await page.goto(address());
  await verdict(page).waitFor();
  await t.step("the whole chain is read from the API's origin and verified", async () => {
    assertEquals(await verdict(page).textContent(), `Verified: ${SIZE} events`);
    assertEquals(
      await page.getByRole("status").first().textContent(),
      `Verified: ${SIZE} events. Not in the public log yet. This is normal only for a record that was ` +
        "registered in the last 10 minutes.",
    );
    assertEquals(
      requests.filter((request) => request.startsWith("api?")),
      ["api?limit=100", "api?before=30&limit=100"],
    );
    const head = (await chains.head(HASH))!;
    const facts = await page.locator(".verify-facts").textContent();
    for (const fact of [HASH, chains.publisher, head.tip, formatDateTime(head.at), head.kid]) {
      assertStringIncludes(facts, fact);
    }
    assertEquals(await rows(page).count(), 20);
    assertEquals(violations, []);
  });

  await t.step(
    "its page has no axe violations, fits screens from 320 px, and a phone's first screen has the verdict",
    async () => {
      const size = page.viewportSize()!;
      await assertAccessible(page, "a good chain", { folds: true });
      await page.setViewportSize({ width: 375, height: 667 });
      await page.evaluate(() => scrollTo(0, 0));
      const { y, height } = (await verdict(page).boundingBox())!;
      assert(y + height <= 667, `it ends at ${y + height} px`);
      await page.setViewportSize(size);
    },
  );

  await t.step("a button shows the older events", async () => {
    await page.getByRole("button", { name: "Show 110 older" }).click();
    await becomes(() => rows(page).count(), SIZE);
    assertStringIncludes(await rows(page).last().textContent(), "hash_generated");
    assertEquals(await page.locator(".mark-signed").count(), SIZE);
  });

  const { name, text } = await saveChain(page);
  await t.step("the chain can be saved", () => {
    assertEquals(name, "chain-cccccccc.json");
    const parsed = parseSavedChain(text);
    assertEquals(parsed.ok && parsed.chain.events.length, SIZE);
  });

  await t.step("a file is checked against the page's record and publisher's keys", async () => {
    const forge = async (chain: Partial<SavedChain>) =>
      formatSavedChain(await makeSavedChain({ length: 3, ...chain }));
    await chooseFile(page, await forge({ hash: "d".repeat(64) }));
    await assertShowsFile(page);
    await page.getByText("bad_prev", { exact: true }).waitFor();
    await chooseFile(page, await forge({ hash: HASH, publisher: chains.publisher }));
    await page.getByText("unknown_key", { exact: true }).waitFor();
    await chooseFile(page, await forge({ hash: HASH, publisher: "other.example" }));
    await page.locator(".verdict.fair").waitFor();
    assertEquals(await verdict(page).textContent(), "Internally consistent: 3 events");
    assertEquals(await axeViolations(page), []);
    assertEquals(await page.getByText("The keys come from the file itself").count(), 1);
    await page.getByRole("button", { name: "Verify the publisher's chain" }).click();
    await page.locator(".verdict.good").waitFor();
    assertEquals(await verdict(page).textContent(), `Verified: ${SIZE} events`);
  });

  await page.goto(surfaces.url("trust", "/verify")!);
  await page.locator(".file-check").waitFor();
  await t.step("a saved file verifies", async () => {
    requests.length = 0;
    await chooseFile(page, text);
    await verdict(page).waitFor();
    assertEquals(await verdict(page).textContent(), `Verified: ${SIZE} events`);
    assertEquals(await page.getByText("The record hash comes from the file itself").count(), 1);
    const others = requests.filter((path) => !path.startsWith("/_fresh/js/"));
    assertEquals(others, ["/.well-known/chain-keys.json"], "the file is not uploaded");
  });

  await t.step("/verify has no axe violations, and fits screens from 320 px", async () => {
    await assertAccessible(page, "/verify", { folds: true });
    await assertPrintsLight(page, "/verify");
  });

  await t.step("an altered byte is reported", async () => {
    const place = text.indexOf(`"seq":99`) + 60;
    for (const byte of ['"', "~"]) {
      await chooseFile(page, text.slice(0, place) + byte + text.slice(place + 1));
      await page.getByText("bad_event", { exact: true }).waitFor();
      assertEquals(await verdict(page).textContent(), "Not verified: event 99");
      await chooseFile(page, text);
      await page.locator(".verdict.good").waitFor();
    }
    await chooseFile(page, "not JSON");
    await page.getByText("bad_input", { exact: true }).waitFor();
  });
});

test("a bad chain, and a chain that cannot be verified, are reported", {
  expectedErrors: [/ERR_FAILED .*\/\.well-known\/chain-keys\.json\)$/],
}, async (page, _context, t) => {
  await fillChain();
  const verifyAgain = () => page.getByRole("button", { name: "Verify again" }).click();
  await alterChain(page, ({ events }) => {
    for (const event of events) if (event.seq === 41) event.at = "2026-01-01T00:00:00.000Z";
  });
  await page.goto(address());
  await verdict(page).waitFor();

  await t.step("an altered event is reported and marked in the table", async () => {
    assertEquals(await verdict(page).textContent(), "Not verified: event 41");
    assertEquals(await page.locator(".fault-code").textContent(), "bad_hash");
    assertStringIncludes(await page.locator(".given").textContent(), "2026-01-01T00:00:00.000Z");
    assertEquals(await page.locator(".mark-bad").count(), 1);
    assertStringIncludes(await page.locator(".mark-bad").textContent(), "41");
  });

  await t.step("it has no axe violations, and a long kind fits screens from 320 px", async () => {
    await page.unrouteAll();
    await alterChain(page, ({ events }) => {
      for (const event of events) if (event.seq === 128) event.kind = "document_downloaded";
    });
    await verifyAgain();
    await becomes(() => verdict(page).textContent(), "Not verified: event 128");
    const atEachWidth = async () => {
      const kind = (await page.locator(".mark-bad .event-kind").boundingBox())!;
      const hash = (await page.locator(".mark-bad .event-hash").boundingBox())!;
      assert(kind.x + kind.width <= hash.x + PIXEL, "the kind overlaps the hash");
    };
    await assertAccessible(page, "a bad chain", { folds: true, atEachWidth });
  });

  await t.step("a forged event, a missing end and an altered head are reported", async () => {
    const last = (await chains.page(HASH, { limit: 1 }))!.events[0];
    const forged = await linkEvent(last.prev, { ...last, kind: "k2_delivered" });
    await page.unrouteAll();
    await alterChain(page, ({ events }) => {
      const place = events.findIndex(({ seq }) => seq === SIZE - 1);
      if (place >= 0) events[place] = forged;
    });
    await verifyAgain();
    await page.getByText("bad_tip", { exact: true }).waitFor();
    assertEquals(await verdict(page).textContent(), `Not verified: event ${SIZE - 1}`);

    await page.unrouteAll();
    await alterChain(page, ({ events }) => {
      const place = events.findIndex(({ seq }) => seq === SIZE - 1);
      if (place >= 0) events.splice(place, 1);
    });
    await verifyAgain();
    await page.getByText("truncated", { exact: true }).waitFor();
    assertEquals(await verdict(page).textContent(), `Not verified: event ${SIZE - 1}`);

    await page.unrouteAll();
    await alterChain(page, ({ head }) => Object.assign(head, { at: "2020-01-01T00:00:00.000Z" }));
    await verifyAgain();
    await page.getByText("bad_signature", { exact: true }).waitFor();
    assertEquals(await verdict(page).textContent(), "Not verified");

    await page.unrouteAll();
    await verifyAgain();
    await page.locator(".verdict.good").waitFor();
  });

  await t.step(
    "keys that cannot be read are not reported as a bad chain, and can be requested again",
    async () => {
      await page.route("**/chain-keys.json", (route) => route.abort());
      await verifyAgain();
      await page.getByText("Nothing was verified", { exact: true }).waitFor();
      assertEquals(await verdict(page).count(), 0);
      await page.unrouteAll();
      await page.getByRole("button", { name: "Try again" }).click();
      await page.locator(".verdict.good").waitFor();
    },
  );

  await t.step(
    "a browser without Ed25519 loads the script that verifies it, and accepts and refuses the same chains",
    async () => {
      await page.evaluate(() => {
        const importKey = crypto.subtle.importKey.bind(crypto.subtle);
        // deno-lint-ignore no-explicit-any -- one of the method's many overloads
        crypto.subtle.importKey = ((...args: any[]) =>
          [args[2], args[2]?.name].includes("Ed25519")
            ? Promise.reject(new DOMException("", "NotSupportedError"))
            // deno-lint-ignore no-explicit-any -- as above
            : (importKey as any)(...args)) as typeof crypto.subtle.importKey;
      });
      await verifyAgain();
      await page.locator(".verdict.good").waitFor();
    },
  );
});

test("pages without a chain are accessible, and check files", {
  expectedErrors: [/status of (400 .*hash=abc|404 .*hash=d{64})\)$/],
}, async (page, _context, t) => {
  const gone = "d".repeat(64);
  for (const hash of ["abc", gone]) {
    await page.goto(address(hash));
    await page.locator(".file-check").waitFor();
    await t.step(`${hash} has no axe violations, and fits screens from 320 px`, async () => {
      await assertAccessible(page, hash, { folds: true });
    });
  }
  await t.step(
    "a file is checked against the page's record even if the record has no chain",
    async () => {
      await chooseFile(page, formatSavedChain(await makeSavedChain({ hash: HASH })));
      await page.getByText("bad_prev", { exact: true }).waitFor();
      await chooseFile(page, formatSavedChain(await makeSavedChain({ hash: gone })));
      await page.locator(".verdict.fair").waitFor();
      assertEquals(await page.getByText("The record hash comes from the file itself").count(), 0);
    },
  );
});

test(
  "signatures that only a browser accepts, and a name that occurs twice, are reported",
  {},
  async (page) => {
    const [{ recordHash: hash, events, head }] = VECTORS.valid.slice(-1);
    const fileOf = ({ x, kid, signature }: SignatureVector) =>
      formatSavedChain({
        hash,
        publisher: "trust.example",
        head: { ...head!.signed, kid, signature },
        keys: [{ kty: "OKP", crv: "Ed25519", x }],
        events: events.map(({ event, ...links }) => ({
          ...event,
          prev: links.prev,
          hash: links.hash,
        })),
      });
    await page.goto(address("d".repeat(64)).split("?")[0]);
    const good = VECTORS.signatures.find(({ code }) => code === null)!;
    for (const vector of VECTORS.signatures.filter(({ code }) => code !== null)) {
      await chooseFile(page, fileOf(good));
      await page.locator(".verdict.fair").waitFor();
      await chooseFile(page, fileOf(vector));
      await page.locator(".verdict.bad").waitFor();
      assert(await page.getByText("bad_signature", { exact: true }).isVisible(), vector.title);
    }
    await chooseFile(page, fileOf(good).replace(`"seq":1,`, `"seq":1,"seq":1,`));
    await page.getByText("bad_event", { exact: true }).waitFor();
    assertEquals(await verdict(page).textContent(), "Not verified: event 1");
  },
);

test("without JavaScript, events are shown as not verified", {
  context: { javaScriptEnabled: false },
}, async (page) => {
  await fillChain();
  await page.goto(address());
  // Playwright's text locators ignore text inside noscript.
  assertStringIncludes(await page.locator("noscript p").first().innerText(), "verifies nothing");
  assert(await page.getByRole("heading", { name: "Not verified" }).isVisible());
  assertEquals(await page.getByText("Your browser verifies the chain").isVisible(), false);
  assertEquals(await rows(page).count(), 20);
  await page.locator("noscript a").click();
  await page.waitForURL(/before=110/);
  assertStringIncludes(await rows(page).first().textContent(), "109");
  assert(await page.getByText(`deno task verify "${address()}"`).isVisible());
});
