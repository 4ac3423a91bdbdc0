import { assertEquals, assertMatch } from "@std/assert";
import { axeViolationsInBothSchemes, sidewaysScroll } from "./browser.ts";
import { servedSite } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const { site, browser } = await servedSite({ MCP_RATE_LIMIT: "2" });
const test = withoutMotion(browser);

test(
  "a form calls its tool, shows a rejected argument, and shows the wait at the limit",
  {
    context: { viewport: { width: 320, height: 640 } },
    expectedErrors: [/status of 429 .*\/mcp\)$/],
  },
  async (page) => {
    await page.goto(site.services.surfaces.url("commercial-mcp", "/#search_qualifications")!);
    const form = page.getByRole("form", { name: "Call search_qualifications" });
    const answer = page.getByRole("region", { name: "Response of search_qualifications" });
    await form.getByRole("button").focus();
    await page.keyboard.press("Enter");
    await answer.getByText("Result", { exact: true }).waitFor();
    assertMatch(await answer.locator("pre").first().innerText(), /"BSB50420"/);
    assertEquals(await axeViolationsInBothSchemes(page), []);
    assertEquals(await sidewaysScroll(page), 0);

    await form.getByLabel("limit").fill("many");
    await page.keyboard.press("Enter");
    await answer.getByText("Error -32602").waitFor();
    assertMatch(await answer.innerText(), /limit/);
    await page.keyboard.press("Enter");
    await answer.getByText("You can call again in").waitFor();
  },
);

test("without scripts, each tool opens to a command instead of a form", {
  context: { javaScriptEnabled: false },
}, async (page) => {
  await page.goto(site.services.surfaces.url("foundation-mcp", "/")!);
  assertEquals(await page.locator("main form:visible").count(), 0);
  await page.locator(".fold > summary", { hasText: "verify_chain" }).click();
  for (const name of ["search_standard", "verify_chain"]) {
    const tool = page.locator(`[id="${name}"]`);
    await tool.getByText("The same from a terminal").click();
    assertMatch(await tool.locator(".try pre").innerText(), /^curl http.*\/mcp \\\n/);
  }
});
