import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { valueFormatter } from "../lib/features/chart/mod.ts";
import { balanceSample, flowSample } from "../lib/features/chart/samples.ts";
import { axeViolations, axeViolationsInBothSchemes, becomes, sidewaysScroll } from "./browser.ts";
import {
  canvasCalls,
  chartOf,
  clearCanvasCalls,
  dollars,
  flowTexts,
  PHONE,
  servedCharts,
  style,
  WIDE,
} from "./chart_page.ts";
import { assertPixels, PIXEL } from "./layout.ts";
import { withoutMotion } from "./still_pages.ts";

const { site, browser, galleryUrl, test, testTogether } = await servedCharts();

/** Converts a mixed colour, which a canvas returns in fractions, to bytes. */
const inBytes = (color: string) =>
  color.replace(/^color\(srgb (.+) (.+) (.+) \/ (.+)\)$/, (_, ...parts) => {
    const [alpha, ...bytes] = [
      parts[3],
      ...parts.slice(0, 3).map((part) => Math.round(part * 255)),
    ];
    return `rgba(${bytes.join(", ")}, ${alpha})`;
  });

testTogether("colours and bars", "bar,line,area", (step) => {
  step("the chart uses the specified constants in both themes", async (chart, page) => {
    await chart.hoverAt(0.5);
    const title = chart.tooltip.locator(".chart-tooltip-title");
    assertEquals([await style(title, "font-size"), await style(title, "font-weight")], [
      "12px",
      "700",
    ]);
    assertMatch(await style(title, "font-family"), /monospace$/);
    assertEquals(await style(chart.tooltip.locator(".chart-tooltip-rows"), "font-size"), "13px");
    const fills = (await canvasCalls(page, "fill")).map(({ fill }) => fill!);
    const fonts = (await canvasCalls(page, "fillText")).map(({ font }) => font!);
    for (const color of ["#4ecdc4", "#f7b731", "#8b95a5"]) assert(fills.includes(color), color);
    const tints = fills.map(inBytes);
    assert(tints.includes("rgba(78, 205, 196, 0.1)"), "10% under a line");
    assert(tints.includes("rgba(78, 205, 196, 0.2)"), "20% in an area");
    assert(fonts.some((font) => font.startsWith("11px ") && font.endsWith("monospace")), "11 px");

    const constants = {
      dark: {
        tooltip: "rgb(26, 35, 50)",
        crosshair: "rgba(255, 255, 255, 0.3)",
        grid: "rgba(255, 255, 255, 0.06)",
      },
      light: {
        tooltip: "rgb(255, 255, 255)",
        crosshair: "rgba(0, 0, 0, 0.3)",
        grid: "rgba(0, 0, 0, 0.06)",
      },
    };
    for (const [theme, { tooltip, crosshair, grid }] of Object.entries(constants)) {
      await page.emulateMedia({ colorScheme: theme as keyof typeof constants });
      await page.waitForFunction(
        (grid) => globalThis.canvasCalls.some(({ stroke }) => stroke === grid),
        grid,
      );
      assertEquals(await style(chart.tooltip, "background-color"), tooltip);
      assertEquals(await style(chart.tooltip, "border"), "1px solid rgba(255, 255, 255, 0.12)");
      assertEquals(
        await style(chart.figure.locator(".u-cursor-x"), "background-image"),
        `repeating-linear-gradient(${crosshair} 0px, ${crosshair} 4px, ` +
          "rgba(0, 0, 0, 0) 4px, rgba(0, 0, 0, 0) 8px)",
      );
    }
  });

  step("bars start at zero with the right height and don't overlap", async (chart, page) => {
    await clearCanvasCalls(page);
    await chart.clickPill("7D");
    const values = flowSample().datasets.map(({ data }) => data.slice(-7) as number[]);
    const rectangles = () => canvasCalls(page, "roundRect");
    await becomes(async () => (await rectangles()).length, values.flat().length);
    const bars = (await rectangles()).map(({ args }) => {
      const [x, y, width, height] = args as number[];
      return { x, y, width, height };
    });
    const base = bars[0].y + bars[0].height; // the first value is positive
    const scale = bars[0].height / values[0][0];
    values.flat().forEach((value, i) => {
      const { y, height } = bars[i];
      const end = base - value * scale;
      assert(Math.abs(y - Math.min(base, end)) <= 1.5, `${value} at ${y}`);
      assert(Math.abs(height - Math.abs(base - end)) <= 1.5, `${value} of ${height}`);
    });
    const fromLeft = Array.from({ length: 7 }, (_, day) => [0, 7, 14].map((i) => bars[i + day]))
      .flat();
    fromLeft.reduce((left, right) => {
      assert(left.x + left.width <= right.x, JSON.stringify([left, right]));
      return right;
    });
  });
}, { context: { colorScheme: "dark" } });

test(
  "short series are smooth with points, long ones straight without points",
  "line,minutes",
  async (_chart, page) => {
    assert((await canvasCalls(page, "bezierCurveTo")).length > 0, "curves");
    const radii = (await canvasCalls(page, "arc")).map(({ args }) => args[2]);
    assertEquals([...new Set(radii)], [3]);
    await clearCanvasCalls(page);
    await chartOf(page, "minutes").clickPill("90D");
    await page.waitForFunction(() =>
      globalThis.canvasCalls.filter(({ name }) => name === "lineTo").length > 1_000
    );
    assertEquals(await canvasCalls(page, "bezierCurveTo"), []);
    assertEquals(await canvasCalls(page, "arc"), []);
  },
);

withoutMotion(browser)("drawing code that fails to load can be retried", {
  context: WIDE,
  expectedErrors: [/ERR_FAILED .*\/plot-\w+\.js\)$/],
}, async (page) => {
  const plotCode = new Set<string>();
  await page.route(/\.js(\?|$)/, async (route) => {
    const url = new URL(route.request().url());
    const script = await site.handler(new Request(url, { headers: { host: url.host } }));
    if (!(await script.text()).includes("cursor-x")) return await route.continue();
    plotCode.add(url.pathname);
    await route.abort();
  });
  await page.goto(`${galleryUrl}?only=line`);
  const chart = chartOf(page, "line");
  const error = chart.figure.getByRole("alert");
  await error.getByText("Unable to load chart data").waitFor();
  assertEquals(plotCode.size, 1, "one script contains uPlot");
  await page.unrouteAll();
  await error.getByRole("button", { name: "Try again" }).click();
  await chart.drawn();

  const requested: string[] = [];
  page.on("request", (request) => requested.push(new URL(request.url()).pathname));
  await page.goto(site.services.surfaces.url("workbench", "/dev/components")!);
  assert(requested.some((path) => path.endsWith(".js")), "the page has scripts");
  assert(!requested.some((path) => plotCode.has(path)), "no uPlot on a page without charts");
});

function playgroundOf(page: Page) {
  const playground = page.locator(".chart-playground");
  return {
    playground,
    canvas: playground.locator("canvas"),
    checkbox: (label: string) => playground.getByLabel(label),
    select: (label: "Data" | "Type" | "Height", value: string) =>
      playground.getByLabel(label).selectOption(value),
  };
}

testTogether("a chart whose properties change", "playground", (step) => {
  step("renders, resizes and theme changes keep the same plot", async (chart, page) => {
    const { playground, canvas, select } = playgroundOf(page);
    const first = await canvas.elementHandle();
    const assertSame = async (what: string) =>
      assert(await canvas.evaluate((one, other) => one === other, first), what);
    const pixels = () => canvas.evaluate((one) => (one as HTMLCanvasElement).toDataURL());
    const size = async () => {
      const { width, height } = (await canvas.boundingBox())!;
      return { width, height };
    };

    const renderAgain = playground.getByRole("button", { name: "Render again" });
    await renderAgain.click();
    await page.locator('.chart-playground[data-renders="2"]').waitFor();
    await chart.plot.press("End");
    await chart.tooltip.waitFor();
    // By script, because a mouse click would move the focus.
    await renderAgain.evaluate((button) => (button as HTMLButtonElement).click());
    await page.locator('.chart-playground[data-renders="3"]').waitFor();
    await assertSame("after a render with new objects of the same data");
    assert(await chart.tooltip.isVisible(), "the highlighted point stays");
    await chart.clickPill("7D");
    await assertSame("after a change of the range");

    const content = await chart.plot.evaluate((plot) => {
      plot.style.width = "200px";
      const { scrollWidth } = plot;
      plot.style.width = "";
      return scrollWidth;
    });
    assertPixels(
      [content],
      [200],
      "the old size does not widen the page until the new one is drawn",
    );
    const { width } = await size();
    await page.setViewportSize({ width: 800, height: 900 });
    await becomes(async () => (await size()).width < width, true);
    assertPixels([(await size()).width], [(await chart.plot.boundingBox())!.width]);
    await assertSame("after a change of the width");

    await select("Height", "420");
    await becomes(async () => Math.round((await size()).height), 420);
    await select("Height", "100");
    await becomes(async () => Math.round((await size()).height), 200);
    await assertSame("after a change of the height");

    const dark = await pixels();
    await page.getByLabel("Colours").selectOption("light");
    await becomes(async () => await pixels() !== dark, true);
    await assertSame("after a change of the theme");
    assertNotEquals(await pixels(), dark);
  });

  step("a focused chart can change its data and type", async (chart, page) => {
    const { select } = playgroundOf(page);
    const selectWithTooltip = async (...args: Parameters<typeof select>) => {
      await chart.figure.locator(".u-over, path.chart-slice").first().waitFor();
      await chart.plot.press("End");
      await chart.tooltip.waitFor();
      await select(...args);
    };
    await selectWithTooltip("Data", "flow");
    await selectWithTooltip("Data", "balance");
    await selectWithTooltip("Type", "bar");
    await selectWithTooltip("Type", "doughnut");
    await selectWithTooltip("Data", "none");
    await chart.figure.getByText("No data available").waitFor();
    await select("Data", "balance");
    await select("Type", "line");
    await selectWithTooltip("Data", "none");
    await chart.figure.getByText("No data available").waitFor();
    assertEquals(await chart.tooltip.count(), 0);
  });

  step("every type shows the same data, and totals are labelled", async (chart, page) => {
    const { select, canvas } = playgroundOf(page);
    await select("Data", "flow");
    for (const type of ["area", "bar", "line"]) {
      await select("Type", type);
      await chart.drawn();
      await chart.plot.press("End");
      assertEquals(await chart.values(), flowTexts(-1, flowSample(90)), type);
      assertEquals(await canvas.count(), 1);
    }
    const caption = chart.figure.locator("caption");
    await chart.figure.getByRole("switch", { name: "Cumulative" }).check();
    assertEquals(await caption.textContent(), "Playground, cumulative");
    await select("Type", "doughnut");
    await chart.figure.locator("path.chart-slice").first().waitFor();
    assertEquals(await caption.textContent(), "Playground");
  });

  step("old data is shown until new data has loaded", async (chart, page) => {
    const { select, checkbox } = playgroundOf(page);
    await select("Type", "line");
    await checkbox("Cumulative").uncheck();
    await select("Data", "balance");
    await chart.drawn();
    const release = Promise.withResolvers<void>();
    await page.route("**/dev/charts?data=flow", async (route) => {
      await release.promise;
      await route.continue().catch(() => {}); // the first request is aborted by then
    });
    const requested = page.waitForRequest("**/dev/charts?data=flow");
    const aborted = page.waitForEvent("requestfailed", {
      predicate: (request) => request.url().endsWith("data=flow"),
      timeout: 15_000, // less than the chart's own timeout, which also fails the request
    });
    await select("Data", "fetched");
    await requested;
    assertEquals(await chart.figure.getAttribute("aria-busy"), "true");
    await chart.plot.press("End");
    assertEquals(await chart.values(), [dollars(balanceSample().datasets[0].data.at(-1)!)]);

    await select("Data", "balance");
    assertMatch((await aborted).failure()!.errorText, /ABORTED/);
    await select("Data", "fetched");
    release.resolve();
    await page.locator('.chart-playground .chart[aria-busy="false"]').waitFor();
    await chart.drawn();
    await chart.plot.press("End");
    assertEquals(await chart.values(), flowTexts(-1));

    await checkbox("Loading").check();
    assertEquals(await chart.figure.getAttribute("aria-busy"), "true");
    assertEquals(await chart.figure.locator(".chart-skeleton").count(), 0);
    for (
      const [reducedMotion, name] of [["reduce", "none"], [
        "no-preference",
        "chart-shimmer",
      ]] as const
    ) {
      await page.emulateMedia({ reducedMotion });
      const animation = await chart.figure.locator(".chart-body").evaluate((body) =>
        getComputedStyle(body, "::after").animationName
      );
      assertEquals(animation, name);
    }
    await chart.plot.press("End");
    assertEquals(await chart.values(), flowTexts(-1));
  });

  step("the plot is removed with its data and with its chart", async (chart, page) => {
    const { playground, select, checkbox } = playgroundOf(page);
    await checkbox("Loading").uncheck();
    await select("Data", "none");
    await chart.figure.getByText("No data available").waitFor();
    assertEquals(await playground.locator(".uplot, .chart-tooltip").count(), 0);
    await select("Data", "flow");
    await chart.drawn();
    await chart.hoverAt(0.9999);
    assertEquals(await chart.values(), flowTexts(-1, flowSample(90)));
    await checkbox("Mounted").uncheck();
    await chart.figure.waitFor({ state: "detached" });
    await page.setViewportSize({ width: 900, height: 900 }); // a listener that remained would draw
    await page.getByLabel("Colours").selectOption("light");
    assertEquals(await playground.locator(".uplot, .chart-tooltip").count(), 0);
    const detached = (await canvasCalls(page, "fillText")).filter(({ connected }) => !connected);
    assertEquals(detached, []);
  });
}, { context: { colorScheme: "dark" } });

testTogether("charts without data", "loading,empty,error", (step) => {
  step(
    "a loading chart shimmers, and an empty chart says so",
    async ({ figure: loading }, page) => {
      assertEquals(await loading.getAttribute("aria-busy"), "true");
      const skeleton = loading.locator(".chart-skeleton");
      assertPixels([(await skeleton.boundingBox())!.height], [200]);
      const animation = await skeleton.evaluate((element) =>
        getComputedStyle(element, "::after").animationName
      );
      assertEquals(animation, "chart-shimmer");
      const empty = chartOf(page, "empty").figure;
      const note = empty.getByText("No data available");
      assert(await note.isVisible());
      assertEquals(await style(note, "text-align"), "center");
      assertEquals(await empty.locator(".state svg").count(), 1);
      await page.emulateMedia({ reducedMotion: "reduce" }); // drawing the shimmer takes time
    },
  );

  step("a failed request or a wrong response can be retried", async (_loading, page) => {
    const chart = chartOf(page, "error");
    const error = chart.figure.getByRole("alert");
    await error.getByText("Unable to load chart data").waitFor();
    await page.route(
      "**/dev/charts?data=failing",
      (route) =>
        route.fulfill({
          json: { labels: ["2026-03-01"], datasets: [{ label: "A", data: ["7"] }] },
        }),
    );
    const responded = page.waitForResponse("**/dev/charts?data=failing");
    await error.getByRole("button", { name: "Try again" }).click();
    await responded;
    await error.waitFor();
    await page.route(
      "**/dev/charts?data=failing",
      (route) => route.fulfill({ json: flowSample(3) }),
    );
    await error.getByRole("button", { name: "Try again" }).click();
    await chart.drawn();
    await chart.plot.press("End");
    const plain = valueFormatter({});
    assertEquals(await chart.values(), flowSample(3).datasets.map(({ data }) => plain(data[2])));
  });
}, {
  context: { colorScheme: "dark", reducedMotion: "no-preference" },
  expectedErrors: [/status of 503 .*\/dev\/charts\?data=failing\)$/],
});

withoutMotion(browser)("without JavaScript a table shows the data", {
  context: { ...WIDE, javaScriptEnabled: false },
}, async (page) => {
  await page.goto(galleryUrl);
  const { figure, dates } = chartOf(page, "bar");
  // A long table is folded, so that it does not push the page down.
  assert(!await figure.getByRole("table").isVisible());
  await figure.locator("summary").click();
  assert(await figure.getByRole("table").isVisible());
  assertEquals((await dates()).length, 30);
  const last = await figure.locator("tbody tr").last().locator("td").allInnerTexts();
  assertEquals(last, flowTexts(-1));
  assertEquals(
    await figure.locator(".chart-skeleton, .chart-controls").filter({ visible: true })
      .count(),
    0,
  );
  assert(await page.getByText("This chart needs JavaScript.").first().isVisible());
  assert(await chartOf(page, "doughnut").figure.locator("path").first().isVisible());
});

Deno.test("the gallery has no style attributes, and an unknown example returns 404", async () => {
  const response = await site.request("workbench", "/dev/charts");
  assertEquals(/<[^>]+\sstyle=/.exec(await response.text()), null);
  for (const query of ["only=bar,nothing", "data=nothing"]) {
    const response = await site.request("workbench", `/dev/charts?${query}`);
    await response.body?.cancel();
    assertEquals(response.status, 404, query);
  }
});

/** The rules whose result depends on the width of the page. */
const LAYOUT_RULES = ["color-contrast", "scrollable-region-focusable", "target-size"];

withoutMotion(browser)("the gallery passes axe-core and fits the screen at 1280 and 375 px", {
  context: { ...WIDE, colorScheme: "dark" },
  expectedErrors: [/status of 503 .*\/dev\/charts\?data=failing\)$/], // the example of an error
}, async (page) => {
  await page.goto(galleryUrl);
  const chart = chartOf(page, "bar");
  await chart.drawn();
  await page.getByRole("alert").waitFor();
  const showTooltip = async () => {
    await chart.plot.press("End");
    await chart.tooltip.waitFor();
  };
  await showTooltip();
  assertEquals(await sidewaysScroll(page), 0);
  assertEquals(await axeViolationsInBothSchemes(page), []);

  await page.setViewportSize(PHONE.viewport);
  const canvas = chart.figure.locator("canvas");
  await becomes(
    async () => {
      const [drawn, plot] = await Promise.all([canvas.boundingBox(), chart.plot.boundingBox()]);
      return Math.abs(drawn!.width - plot!.width) <= PIXEL;
    },
    true,
  );
  await showTooltip();
  assertEquals(await sidewaysScroll(page), 0);
  assertEquals(await axeViolations(page, { runOnly: LAYOUT_RULES }), []);
});
