import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import type { CDPSession, Locator, Page } from "playwright-core";
import { valueFormatter } from "../lib/chart/mod.ts";
import { balanceSample, flowSample } from "../lib/chart/samples.ts";
import { axeViolations, becomes, sidewaysScroll } from "./browser.ts";
import { servedSite } from "./served_site.ts";

const { site, browser } = await servedSite();

const GALLERY = site.services.surfaces.url("workbench", "/dev/charts")!;
/** Where a UTC day, read in local time, would be the one before. */
const timezoneId = "America/Los_Angeles";
const WIDE = { viewport: { width: 1280, height: 900 }, timezoneId };
const PHONE = { viewport: { width: 375, height: 700 }, timezoneId, hasTouch: true };
const dollars = valueFormatter({ currency: "USD" });
const flow = flowSample();
const flowRow = (i: number) => flow.datasets.map(({ data }) => dollars(data.at(i)!));
const flowSum = (from: number) =>
  flow.datasets.map(({ data }) =>
    dollars(
      Math.round(data.slice(from).reduce<number>((sum, value) => sum + value!, 0) * 100) / 100,
    )
  );
const EXPECTED = { expectedErrors: [/503/] }; // the gallery's chart that cannot be loaded

/** Opens the gallery and waits until the named chart is drawn. */
async function open(page: Page, name: string): Promise<Chart> {
  await page.goto(GALLERY);
  const chart = chartOf(page, name);
  await chart.drawn();
  return chart;
}

/** Waits for those charts too whose drawing may come last: a spy on the canvases hears them all. */
async function allDrawn(page: Page): Promise<void> {
  for (const name of ["Flow as an area", "Load", "A chart to try"]) {
    await chartOf(page, name).drawn();
  }
}

type Chart = ReturnType<typeof chartOf>;

function chartOf(page: Page, name: string) {
  const figure = page.getByRole("figure", { name, exact: true });
  const plot = figure.locator(".chart-plot");
  const over = figure.locator(".u-over");
  const tooltip = figure.locator(".chart-tooltip");
  return {
    figure,
    plot,
    over,
    tooltip,
    mark: figure.locator(".chart-axis-mark"),
    status: figure.getByRole("status"),
    drawn: () => over.waitFor(),
    title: () => tooltip.locator(".chart-tooltip-title").innerText(),
    values: () => tooltip.locator(".chart-tooltip-value").allInnerTexts(),
    dates: () => figure.locator("tbody th").allTextContents(),
    pill: (text: string) => figure.locator(".chart-pill").filter({ hasText: text }).click(),
    /** Moves the mouse over the plot to a fraction of its width. */
    async hoverAt(part: number) {
      await over.scrollIntoViewIfNeeded();
      const { x, y, width, height } = (await over.boundingBox())!;
      await page.mouse.move(x + width * part, y + height / 2);
      return x + width * part;
    },
  };
}

/** A canvas writes down a mixed colour in parts of one. */
const inBytes = (color: string) =>
  color.replace(/^color\(srgb (.+) (.+) (.+) \/ (.+)\)$/, (_, ...parts) => {
    const [alpha, ...bytes] = [
      parts[3],
      ...parts.slice(0, 3).map((part) => Math.round(part * 255)),
    ];
    return `rgba(${bytes.join(", ")}, ${alpha})`;
  });
const style = (locator: Locator, name: string) =>
  locator.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), name);

browser.test("the tooltip shows every series of the nearest datum, as the data have it", {
  context: WIDE,
  ...EXPECTED,
}, async (page) => {
  const chart = await open(page, "Flow as an area");
  const days = flowSample(60);
  for (const index of [0, 7, 31, 58, 59]) {
    await chart.hoverAt(index / 59 * 0.9999); // a line's first and last datum stand at the edges
    assertEquals(await chart.title(), (await chart.dates())[index]);
    assertEquals(
      await chart.values(),
      days.datasets.map(({ data }) => dollars(data[index])),
    );
    assertEquals(await chart.mark.innerText(), await chart.title());
  }
  const { x, y, height } = (await chart.over.boundingBox())!;
  await page.mouse.move(x + 50, y + height + 10);
  assertEquals(await chart.tooltip.isVisible(), false, "on the axis there is nothing to tell");
  await chart.hoverAt(0.5);
  const dots = chart.tooltip.locator(".chart-tooltip-dot");
  const colors = await dots.evaluateAll((all) =>
    all.map((dot) => getComputedStyle(dot).backgroundColor)
  );
  assertEquals(colors, ["rgb(78, 205, 196)", "rgb(247, 183, 49)", "rgb(139, 149, 165)"]);
  await page.mouse.move(2, 2);
  assertEquals([await chart.tooltip.isVisible(), await chart.mark.isVisible()], [false, false]);
  await chart.figure.evaluate((figure) => (figure as HTMLElement).style.translate = "50px");
  await chart.hoverAt(31 / 59);
  assertEquals(await chart.title(), (await chart.dates())[31], "where the page has moved it");
});

browser.test("crosshair and hovered point stand at the datum, and the tooltip beside it", {
  context: WIDE,
  ...EXPECTED,
}, async (page) => {
  const chart = await open(page, "Flow as an area");
  const at = await chart.hoverAt(0.301);
  const over = (await chart.over.boundingBox())!;
  const crosshair = chart.figure.locator(".u-cursor-x");
  const line = (await crosshair.boundingBox())!;
  assertEquals([line.width, line.y, line.height], [1, over.y, over.height]);
  const step = over.width / 59;
  const nearest = over.x + Math.round((at - over.x) / step) * step;
  assert(Math.abs(line.x - nearest) <= 1, `${line.x} and ${nearest}`);
  const points = await Promise.all(
    (await chart.figure.locator(".u-cursor-pt").all()).map(async (one) =>
      (await one.boundingBox())!
    ),
  );
  const heights = points.map(({ x, y, width, height }) => {
    assertEquals([width, height], [10, 10]); // a radius of 5
    assert(Math.abs(x + 5 - nearest) <= 1.5, `${x} and ${nearest}`);
    return y + 5 - over.y;
  });
  const values = flowSample(60).datasets.map(({ data }) => data[Math.round((at - over.x) / step)]!);
  const scale = (heights[1] - heights[0]) / (values[0] - values[1]);
  const third = heights[0] + (values[0] - values[2]) * scale;
  assert(scale > 0 && Math.abs(heights[2] - third) <= 2, `each at its value: ${heights}`);
  await chart.tooltip.evaluate((element) =>
    Promise.all(element.getAnimations().map((move) => move.finished))
  );
  const box = (await chart.tooltip.boundingBox())!;
  const fromPointer = heights.map((y) => Math.abs(y - over.height / 2));
  const anchor = heights[fromPointer.indexOf(Math.min(...fromPointer))];
  assert(
    Math.abs(box.y + box.height / 2 - over.y - anchor) <= 2,
    `beside the nearest point: ${anchor} of ${heights}, ${box.y - over.y} + ${box.height}`,
  );
  assert(Math.abs(box.x - nearest - 14) <= 2, `right of ${nearest}: ${box.x}`);
  await chart.hoverAt(0.8);
  await chart.tooltip.evaluate((element) =>
    Promise.all(element.getAnimations().map((move) => move.finished))
  );
  const flipped = (await chart.tooltip.boundingBox())!;
  assert(flipped.x + flipped.width < over.x + over.width * 0.8, "left of a datum at the right");
  const mark = (await chart.mark.boundingBox())!;
  assert(mark.y >= over.y + over.height, "the highlighted date stands under the axis");
});

for (const colorScheme of ["dark", "light"] as const) {
  browser.test(`the constants of the design hold in ${colorScheme}`, {
    context: { ...WIDE, colorScheme },
    ...EXPECTED,
  }, async (page) => {
    await page.addInitScript(spyOnCanvas);
    const chart = await open(page, "Daily flow");
    await allDrawn(page);
    await chart.hoverAt(0.5);
    const dark = colorScheme === "dark";
    assertEquals(
      await style(chart.tooltip, "background-color"),
      dark ? "rgb(26, 35, 50)" : "rgb(255, 255, 255)",
    );
    assertEquals(await style(chart.tooltip, "border"), "1px solid rgba(255, 255, 255, 0.12)");
    const title = chart.tooltip.locator(".chart-tooltip-title");
    assertEquals([await style(title, "font-size"), await style(title, "font-weight")], [
      "12px",
      "700",
    ]);
    assertMatch(await style(title, "font-family"), /monospace$/);
    assertEquals(await style(chart.tooltip.locator(".chart-tooltip-rows"), "font-size"), "13px");
    const tint = dark ? "rgba(255, 255, 255, 0.3)" : "rgba(0, 0, 0, 0.3)";
    assertEquals(
      await style(chart.figure.locator(".u-cursor-x"), "background-image"),
      `repeating-linear-gradient(${tint} 0px, ${tint} 4px, rgba(0, 0, 0, 0) 4px, rgba(0, 0, 0, 0) 8px)`,
    );
    const { strokes, fonts, fills } = await page.evaluate(() => globalThis.canvasSpy);
    assert(strokes.includes(dark ? "rgba(255, 255, 255, 0.06)" : "rgba(0, 0, 0, 0.06)"), "grid");
    for (const color of ["#4ecdc4", "#f7b731", "#8b95a5"]) assert(fills.includes(color), color);
    const tints = fills.map(inBytes);
    assert(tints.includes("rgba(78, 205, 196, 0.1)"), "10% under a line");
    assert(tints.includes("rgba(78, 205, 196, 0.2)"), "20% in an area");
    assert(fonts.some((font) => font.startsWith("11px ") && font.endsWith("monospace")), "11 px");
  });
}

browser.test("points have a radius of 3 and lines are smooth, but not where there are too many", {
  context: WIDE,
  ...EXPECTED,
}, async (page) => {
  await page.addInitScript(spyOnCanvas);
  await open(page, "Balance");
  await allDrawn(page);
  const smooth = await page.evaluate(() => globalThis.canvasSpy);
  assert(smooth.curves > 0, "curves");
  assertEquals([...new Set(smooth.radii)], [3]);
  await page.evaluate(() => {
    globalThis.canvasSpy.curves = 0;
    globalThis.canvasSpy.lines = 0;
    globalThis.canvasSpy.radii = [];
  });
  await chartOf(page, "Load").pill("All");
  await page.waitForFunction(() => globalThis.canvasSpy.lines > 1_000);
  const dense = await page.evaluate(() => globalThis.canvasSpy);
  assertEquals([dense.curves, dense.radii], [0, []]);
});

browser.test("the pills are a radio group that begins at 30D and counts back from the last datum", {
  context: WIDE,
  ...EXPECTED,
}, async (page) => {
  const chart = await open(page, "Daily flow");
  const group = chart.figure.getByRole("radiogroup", { name: "Time range" });
  assertEquals(
    await group.getByRole("radio").evaluateAll((all) =>
      all.map((one) => (one as HTMLInputElement).value)
    ),
    ["7D", "30D", "90D", "YTD", "All"],
  );
  assert(await group.getByRole("radio", { name: "30D" }).isChecked());
  const expected = { "30D": 30, "7D": 7, "90D": 90, "YTD": 90, "All": 400 };
  for (const [range, count] of Object.entries(expected)) {
    await chart.pill(range);
    assertEquals((await chart.dates()).length, count, range);
    await chart.hoverAt(0.9999);
    assertEquals(await chart.title(), "Mar 31, 2026");
    assertEquals(await chart.values(), flowRow(-1));
    await chart.hoverAt(0.0001);
    assertEquals(await chart.values(), flowRow(-count), range);
  }
  await group.getByRole("radio", { name: "All" }).press("ArrowLeft");
  assert(await group.getByRole("radio", { name: "YTD" }).isChecked());
  assert(
    await chartOf(page, "Balance").figure.getByRole("radio", { name: "30D" }).isChecked(),
    "another chart keeps its own range",
  );
});

browser.test("a pointer that moves in the very frame of another range is told of that range", {
  context: WIDE,
  ...EXPECTED,
}, async (page) => {
  const chart = await open(page, "Daily flow");
  await chart.figure.locator('.chart-pill input[value="7D"]:enabled').waitFor({
    state: "attached",
  });
  await chart.hoverAt(0.5);
  await chart.tooltip.waitFor();
  const stayed = await chart.figure.evaluate(async (figure) => {
    figure.querySelector<HTMLInputElement>('input[value="7D"]')!.click();
    await new Promise(requestAnimationFrame);
    const stayed = figure.querySelector(".chart-tooltip")?.textContent;
    const over = figure.querySelector(".u-over")!;
    const { right, top } = over.getBoundingClientRect();
    over.dispatchEvent(
      new PointerEvent("pointermove", {
        bubbles: true,
        pointerType: "mouse",
        clientX: right - 1,
        clientY: top + 9,
      }),
    );
    return stayed;
  });
  assertEquals(stayed, undefined, "a datum of the old range means nothing in the new one");
  assertEquals([await chart.title(), await chart.values()], ["Mar 31, 2026", flowRow(-1)]);
  assert(await chart.mark.isVisible(), "with the highlighted date");
});

browser.test("bars stand on zero, side by side, as high as their values", {
  context: WIDE,
  ...EXPECTED,
}, async (page) => {
  await page.addInitScript(spyOnCanvas);
  const chart = await open(page, "Daily flow");
  await allDrawn(page);
  await page.evaluate(() => globalThis.canvasSpy.bars = []);
  await chart.pill("7D");
  const values = flow.datasets.map(({ data }) => data.slice(-7) as number[]);
  await becomes(() => page.evaluate(() => globalThis.canvasSpy.bars.length), values.flat().length);
  const bars = await page.evaluate(() => globalThis.canvasSpy.bars);
  const base = bars[0].y + bars[0].height; // of what came in
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

browser.test("a custom range takes both its days, and a pill takes its place again", {
  context: WIDE,
  ...EXPECTED,
}, async (page) => {
  const chart = await open(page, "Balance");
  const from = chart.figure.getByLabel("From");
  const to = chart.figure.getByLabel("to", { exact: true });
  assertEquals([await from.inputValue(), await to.inputValue()], ["2026-03-02", "2026-03-31"]);
  await from.fill("2026-02-10");
  await to.fill("2026-02-12");
  assertEquals(await chart.dates(), ["Feb 10, 2026", "Feb 11, 2026", "Feb 12, 2026"]);
  assertEquals(await chart.figure.getByRole("radio", { checked: true }).count(), 0);
  const sample = balanceSample();
  await chart.hoverAt(0.5);
  assertEquals(await chart.values(), [
    dollars(sample.datasets[0].data[sample.labels.indexOf("2026-02-11")]),
  ]);
  await to.fill("2026-02-01");
  assert(await chart.figure.getByText("The start is after the end.").isVisible());
  await chart.pill("7D");
  assertEquals([await from.inputValue(), await to.inputValue()], ["2026-03-25", "2026-03-31"]);
});

browser.test("running totals begin at the range's start", {
  context: WIDE,
  ...EXPECTED,
}, async (page) => {
  const chart = await open(page, "Daily flow");
  const toggle = chart.figure.getByRole("switch", { name: "Cumulative" });
  assertEquals(await toggle.isChecked(), false);
  await toggle.check();
  await chart.hoverAt(0.9999);
  assertEquals(await chart.values(), flowSum(-30));
  await chart.pill("7D");
  await chart.hoverAt(0.9999);
  assertEquals(await chart.values(), flowSum(-7));
  await chart.hoverAt(0.0001);
  assertEquals(await chart.values(), flowRow(-7));
  await toggle.uncheck();
  await chart.hoverAt(0.9999);
  assertEquals(await chart.values(), flowRow(-1));
});

browser.test("keys step through the data, a live region tells them, and Tab goes on", {
  context: WIDE,
  ...EXPECTED,
}, async (page) => {
  const chart = await open(page, "Daily flow");
  const plot = page.getByRole("application", { name: "Daily flow" });
  await plot.focus();
  const shown = async (key: string) => {
    await plot.press(key);
    return await chart.values();
  };
  assertEquals(await shown("ArrowRight"), flowRow(-30));
  assertEquals(await shown("ArrowRight"), flowRow(-29));
  assertEquals(await shown("ArrowLeft"), flowRow(-30));
  assertEquals(await shown("ArrowLeft"), flowRow(-30));
  assertEquals(await shown("End"), flowRow(-1));
  assertEquals(await shown("Home"), flowRow(-30));
  await shown("End");
  await chart.status.filter({ hasText: "Mar 31, 2026:" }).waitFor({ state: "attached" });
  const [into, out, net] = flowRow(-1);
  assertEquals(
    await chart.status.textContent(),
    `Mar 31, 2026: In ${into}, Out ${out}, Net ${net}`,
  );
  assertEquals(await shown("Shift+Home"), flowRow(-1), "keys with others are not the chart's");
  await plot.press("Escape");
  assertEquals(await chart.tooltip.isVisible(), false);
  assertEquals(await shown("ArrowLeft"), flowRow(-1));
  await plot.press("Tab");
  assertEquals(await chart.tooltip.isVisible(), false);
  assertEquals(await plot.evaluate((element) => element === document.activeElement), false);
});

browser.test("the live region waits for a pause", { context: WIDE, ...EXPECTED }, async (page) => {
  const chart = await open(page, "Daily flow");
  await chart.status.evaluate((element) => {
    globalThis.told = [];
    new MutationObserver(() => globalThis.told.push(performance.now()))
      .observe(element, { childList: true, characterData: true, subtree: true });
  });
  await chart.plot.focus();
  const last = await chart.plot.evaluate((element) => {
    for (let i = 0; i < 12; i++) {
      element.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    }
    return performance.now();
  });
  await chart.status.filter({ hasText: "Mar 13, 2026" }).waitFor({ state: "attached" });
  const told = await page.evaluate(() => globalThis.told);
  assertEquals(told.length, 1);
  assert(told[0] - last > 250, `${told[0] - last} ms after the last key`);
});

browser.test("a finger taps a datum, slides sideways through them, and taps elsewhere to leave", {
  context: PHONE,
  ...EXPECTED,
}, async (page, context) => {
  // As in Safari, where a tap does not move the focus.
  await page.addInitScript(() => addEventListener("mousedown", (event) => event.preventDefault()));
  const chart = await open(page, "Daily flow");
  await chart.over.evaluate((element) =>
    element.scrollIntoView({ block: "center", behavior: "instant" })
  );
  const finger = touch(await context.newCDPSession(page));
  const { x, y, width, height } = (await chart.over.boundingBox())!;
  const middle = y + height / 2;

  await finger.tap(x + width - 2, middle);
  await chart.tooltip.waitFor();
  assertEquals(await chart.values(), flowRow(-1));
  const box = (await chart.tooltip.boundingBox())!;
  assertEquals([box.x, box.width, box.y + box.height], [0, 375, 700]);

  const before = await page.evaluate(() => scrollY);
  await finger.slide([x + width - 2, middle], [x + 2, middle + 20]);
  await becomes(chart.values, flowRow(-30));
  assertEquals(await page.evaluate(() => scrollY), before);

  await finger.tap(x + width / 2, 20);
  await chart.tooltip.waitFor({ state: "hidden" });

  await finger.slide([x + width / 2, middle], [x + width / 2 + 5, middle - 150]);
  await page.waitForFunction((before) => scrollY > before + 50, before);
  assertEquals(await chart.tooltip.isVisible(), false);
});

browser.test("below 640 px pills wrap and dates thin out", {
  context: WIDE,
  ...EXPECTED,
}, async (page) => {
  await page.addInitScript(spyOnCanvas);
  const chart = await open(page, "Balance");
  await allDrawn(page);
  const canvas = chart.figure.locator("canvas");
  /** How the pills wrap, and how many dates stand below 90 days. */
  const at = async (width: number) => {
    await page.setViewportSize({ width, height: 700 });
    const room = async () => (await chart.plot.boundingBox())!.width;
    const drawn = async () => (await canvas.boundingBox())!.width;
    await becomes(async () => Math.abs(await drawn() - await room()) < 1, true);
    await chart.pill("7D");
    await page.evaluate(() => globalThis.canvasSpy.texts = []);
    await chart.pill("90D");
    await page.waitForFunction(() => globalThis.canvasSpy.texts.length > 0);
    const texts = await page.evaluate(() => globalThis.canvasSpy.texts);
    const dates = texts.filter((text) => /^[A-Z][a-z]{2}( \d+)?$/.test(text));
    return [await style(chart.figure.locator(".chart-pills"), "flex-wrap"), dates.length] as const;
  };
  const [tablet, phone, small] = [await at(640), await at(639), await at(320)];
  assertEquals([tablet[0], phone[0], small[0]], ["nowrap", "wrap", "wrap"]);
  assert(tablet[1] > phone[1] && phone[1] >= small[1] && small[1] > 0, `${[tablet, phone, small]}`);
});

browser.test("long names keep to the width of a small phone", {
  context: { ...PHONE, viewport: { width: 320, height: 640 } },
  ...EXPECTED,
}, async (page) => {
  const long = "Donaudampfschifffahrtsgesellschaftskapitaensmuetzenabzeichen";
  await page.route("**/dev/charts?data=flow", (route) =>
    route.fulfill({
      json: {
        labels: [long, "Other"],
        datasets: [{ label: long, data: [1, 2] }, { label: "B", data: [3, 4] }],
      },
    }));
  const chart = await open(page, "A chart to try");
  await page.locator(".chart-trial").getByLabel("Data").selectOption("fetched");
  await chart.figure.locator(".chart-legend").getByText(long).waitFor();
  await chart.drawn();
  await chart.plot.press("Home");
  await chart.tooltip.waitFor();
  assertEquals(await chart.values(), ["$1.00", "$3.00"]);
  assertEquals(await sidewaysScroll(page), 0);
  const mark = (await chart.mark.boundingBox())!;
  assert(mark.x >= 0 && mark.x + mark.width <= 320, JSON.stringify(mark));
  const cut = await chart.tooltip.locator(".chart-tooltip-title, .chart-tooltip-label")
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
  assertEquals(cut, 0);
});

browser.test("a plot follows its room, its height and the theme without being made anew", {
  context: { ...WIDE, colorScheme: "dark" },
  ...EXPECTED,
}, async (page) => {
  const chart = await open(page, "A chart to try");
  const canvas = chart.figure.locator("canvas");
  const first = await canvas.elementHandle();
  const same = async (what: string) =>
    assert(await canvas.evaluate((one, other) => one === other, first), what);
  const width = async () => (await canvas.boundingBox())!.width;
  const room = async () => (await chart.plot.boundingBox())!.width;
  const pixels = () => canvas.evaluate((one) => (one as HTMLCanvasElement).toDataURL());
  const trial = page.locator(".chart-trial");

  await trial.getByRole("button", { name: "Render again" }).click();
  await page.locator('.chart-trial[data-renders="2"]').waitFor();
  await chart.plot.press("End");
  await chart.tooltip.waitFor();
  // By script, since a mouse would take the focus away.
  await trial.getByRole("button", { name: "Render again" }).evaluate((button) =>
    (button as HTMLButtonElement).click()
  );
  await page.locator('.chart-trial[data-renders="3"]').waitFor();
  await same("at a render with new objects of the same data");
  assert(await chart.tooltip.isVisible(), "nor is the datum lost that was looked at");
  await chart.pill("7D");
  await same("at another range");

  const wide = await width();
  await page.setViewportSize({ width: 800, height: 900 });
  await page.waitForFunction((wide) => {
    const all = document.querySelectorAll(".chart-trial canvas");
    return all[0].getBoundingClientRect().width < wide;
  }, wide);
  assertEquals(await width(), await room());
  await same("at another size");

  await trial.getByLabel("Height").selectOption("420");
  await page.waitForFunction(() =>
    document.querySelector(".chart-trial canvas")!.getBoundingClientRect().height === 420
  );
  await trial.getByLabel("Height").selectOption("100");
  await page.waitForFunction(() =>
    document.querySelector(".chart-trial canvas")!.getBoundingClientRect().height === 200
  );
  await same("at another height");

  const dark = await pixels();
  await page.getByRole("button", { name: "Switch to light colours" }).click();
  await page.waitForFunction(
    (dark) =>
      document.querySelector<HTMLCanvasElement>(".chart-trial canvas")!.toDataURL() !== dark,
    dark,
  );
  await same("in another theme");
  assertNotEquals(await pixels(), dark);
});

browser.test("a plot goes with its chart, and with its data", {
  context: WIDE,
  ...EXPECTED,
}, async (page) => {
  await page.addInitScript(spyOnCanvas);
  const chart = await open(page, "A chart to try");
  const trial = page.locator(".chart-trial");
  await trial.getByLabel("Data").selectOption("none");
  await chart.figure.getByText("No data available").waitFor();
  assertEquals(await trial.locator(".uplot, .chart-tooltip").count(), 0);
  await trial.getByLabel("Data").selectOption("flow");
  await chart.drawn();
  await chart.hoverAt(0.9999);
  assertEquals(
    await chart.values(),
    flowSample(90).datasets.map(({ data }) => dollars(data.at(-1)!)),
  );
  await trial.getByLabel("Mounted").uncheck();
  await chart.figure.waitFor({ state: "detached" });
  await page.setViewportSize({ width: 900, height: 900 }); // nothing is left that would answer
  await page.getByRole("button", { name: /Switch to/ }).click();
  assertEquals(await trial.locator(".uplot, .chart-tooltip").count(), 0);
  assertEquals(await page.evaluate(() => globalThis.canvasSpy.gone), 0);
});

browser.test("a chart may change or go while it has the focus and shows a datum", {
  context: WIDE,
  ...EXPECTED,
}, async (page) => {
  const chart = await open(page, "A chart to try");
  const trial = page.locator(".chart-trial");
  const choose = async (label: string, value: string) => {
    await chart.figure.locator(".u-over, path.chart-slice").first().waitFor();
    await chart.figure.getByRole("application").press("End");
    await chart.tooltip.waitFor();
    await trial.getByLabel(label).selectOption(value);
  };
  await choose("Data", "flow");
  await choose("Data", "balance");
  await choose("Type", "bar");
  await choose("Type", "doughnut");
  await choose("Data", "none");
  await chart.figure.getByText("No data available").waitFor();
  await trial.getByLabel("Data").selectOption("balance");
  await trial.getByLabel("Type").selectOption("line");
  await choose("Data", "none");
  await chart.figure.getByText("No data available").waitFor();
  assertEquals(await chart.tooltip.count(), 0);
});

browser.test("a day alone has a day's axis", { context: WIDE, ...EXPECTED }, async (page) => {
  await page.addInitScript(spyOnCanvas);
  const chart = await open(page, "Balance");
  await page.evaluate(() => globalThis.canvasSpy.texts = []);
  await chart.figure.getByLabel("From").fill("2026-03-31");
  await page.waitForFunction(() => globalThis.canvasSpy.texts.includes("Mar 31"));
  assertEquals(await chart.dates(), ["Mar 31, 2026"]);
  const texts = await page.evaluate(() => globalThis.canvasSpy.texts);
  assertEquals(texts.filter((text) => /^\d{4}$/.test(text)), [], "no years");
  await chart.plot.press("End");
  const over = (await chart.over.boundingBox())!;
  const line = (await chart.figure.locator(".u-cursor-x").boundingBox())!;
  assert(Math.abs(line.x - over.x - over.width / 2) <= 1, "in the middle");
});

browser.test("a table of running totals says so, and no other one", {
  context: WIDE,
  ...EXPECTED,
}, async (page) => {
  const chart = await open(page, "A chart to try");
  const caption = chart.figure.locator("caption");
  await chart.figure.getByRole("switch", { name: "Cumulative" }).check();
  assertEquals(await caption.textContent(), "A chart to try, cumulative");
  await page.locator(".chart-trial").getByLabel("Type").selectOption("doughnut");
  await chart.figure.locator("path.chart-slice").first().waitFor();
  assertEquals(await caption.textContent(), "A chart to try");
});

browser.test("every type draws the same data, one in place of the other", {
  context: WIDE,
  ...EXPECTED,
}, async (page) => {
  const chart = await open(page, "A chart to try");
  const trial = page.locator(".chart-trial");
  await trial.getByLabel("Data").selectOption("flow");
  for (const type of ["area", "bar", "line"]) {
    await trial.getByLabel("Type").selectOption(type);
    await chart.drawn();
    await chart.plot.press("End");
    assertEquals(await chart.values(), flowRowOf90(), type);
    assertEquals(await trial.locator("canvas").count(), 1);
  }
});

const flowRowOf90 = () => flowSample(90).datasets.map(({ data }) => dollars(data.at(-1)!));

browser.test("old data stay while new ones load, and an answer that comes too late is not heard", {
  context: WIDE,
  ...EXPECTED,
}, async (page) => {
  const chart = await open(page, "A chart to try");
  const trial = page.locator(".chart-trial");
  const held = Promise.withResolvers<void>();
  await page.route("**/dev/charts?data=flow", async (route) => {
    await held.promise;
    await route.continue().catch(() => {}); // the first one has been aborted by then
  });
  const asked = page.waitForRequest("**/dev/charts?data=flow");
  const aborted = page.waitForEvent("requestfailed", {
    predicate: (one) => one.url().endsWith("data=flow"),
    timeout: 15_000, // less than the chart's own patience, after which it gives up too
  });
  await trial.getByLabel("Data").selectOption("fetched");
  await asked;
  assertEquals(await chart.figure.getAttribute("aria-busy"), "true");
  await chart.plot.press("End");
  assertEquals(await chart.values(), [dollars(balanceSample().datasets[0].data.at(-1)!)]);

  await trial.getByLabel("Data").selectOption("balance");
  assertMatch((await aborted).failure()!.errorText, /ABORTED/);
  await trial.getByLabel("Data").selectOption("fetched");
  held.resolve();
  await page.locator('.chart-trial .chart[aria-busy="false"]').waitFor();
  await chart.drawn();
  await chart.plot.press("End");
  assertEquals(await chart.values(), flowRow(-1));

  await trial.getByLabel("Loading").check();
  assertEquals(await chart.figure.getAttribute("aria-busy"), "true");
  assertEquals(await chart.figure.locator(".chart-skeleton").count(), 0);
  await chart.plot.press("End");
  assertEquals(await chart.values(), flowRow(-1));
});

browser.test("an error says so and its button tries again", {
  context: WIDE,
  ...EXPECTED,
}, async (page) => {
  await page.goto(GALLERY);
  const chart = chartOf(page, "A chart without data");
  const error = chart.figure.getByRole("alert");
  await error.getByText("Unable to load chart data").waitFor();
  await page.route(
    "**/dev/charts?data=broken",
    (route) =>
      route.fulfill({ json: { labels: ["2026-03-01"], datasets: [{ label: "A", data: ["7"] }] } }),
  );
  const answered = page.waitForResponse("**/dev/charts?data=broken");
  await error.getByRole("button", { name: "Try again" }).click();
  await answered;
  await error.waitFor(); // what is no chart data is an error too
  await page.route("**/dev/charts?data=broken", (route) => route.fulfill({ json: flowSample(3) }));
  await error.getByRole("button", { name: "Try again" }).click();
  await chart.drawn();
  await chart.plot.press("End");
  const plain = valueFormatter({});
  assertEquals(await chart.values(), flowSample(3).datasets.map(({ data }) => plain(data[2])));
});

browser.test("code that cannot be loaded is an error with a retry too", {
  context: WIDE,
  expectedErrors: [/503/, /ERR_FAILED/],
}, async (page) => {
  const chart = await open(page, "Balance");
  const scripts = await page.evaluate(() =>
    performance.getEntriesByType("resource").map(({ name }) => name)
      .filter((name) => /\.js(\?|$)/.test(name))
  );
  const code = await Promise.all(scripts.map(async (url) => {
    const { host, pathname, search } = new URL(url);
    const response = await site.handler(new Request(url, { headers: { host } }));
    return { path: pathname + search, text: await response.text() };
  }));
  const plotting = code.filter(({ text }) => text.includes("cursor-x"));
  assertEquals(plotting.length, 1, "one script has uPlot");
  await page.route(
    (url) => url.pathname + url.search === plotting[0].path,
    (route) => route.abort(),
  );
  await page.reload();
  const error = chart.figure.getByRole("alert");
  await error.getByText("Unable to load chart data").waitFor();
  await page.unrouteAll();
  await error.getByRole("button", { name: "Try again" }).click();
  await chart.drawn();

  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(site.services.surfaces.url("workbench", "/dev/components")!);
  assert(asked.some((path) => path.endsWith(".js")), "the page has scripts");
  assert(!asked.includes(plotting[0].path.split("?")[0]), "a page without charts loads no uPlot");
});

browser.test("loading is a shimmer without a spinner, and empty a muted text with an icon", {
  context: { ...WIDE, colorScheme: "dark" },
  ...EXPECTED,
}, async (page) => {
  await page.goto(GALLERY);
  const loading = chartOf(page, "A chart to come").figure;
  assertEquals(await loading.getAttribute("aria-busy"), "true");
  const skeleton = loading.locator(".chart-skeleton");
  assertEquals((await skeleton.boundingBox())!.height, 200);
  const animation = await skeleton.evaluate((element) =>
    getComputedStyle(element, "::after").animationName
  );
  assertEquals(animation, "chart-shimmer");
  const empty = chartOf(page, "An empty chart").figure;
  const note = empty.getByText("No data available");
  assert(await note.isVisible());
  assertEquals(await style(note, "text-align"), "center");
  assertEquals(await empty.locator(".state svg").count(), 1);
});

browser.test("a doughnut's slices tell their value and share, by mouse and by key", {
  context: WIDE,
  ...EXPECTED,
}, async (page) => {
  await page.goto(GALLERY);
  const chart = chartOf(page, "Income by kind");
  await chart.figure.and(page.locator("[data-live]")).waitFor();
  const slice = chart.figure.locator("path").nth(2);
  await slice.scrollIntoViewIfNeeded();
  const { x, y } = await slice.evaluate((path) => {
    const shape = path as SVGPathElement;
    const box = shape.getBBox();
    for (let step = 0; step < 400; step++) {
      const point = new DOMPoint(
        box.x + box.width * (step % 20) / 20,
        box.y + box.height * Math.floor(step / 20) / 20,
      );
      if (shape.isPointInFill(point)) {
        const { x, y } = point.matrixTransform(shape.getScreenCTM()!);
        return { x: x + 2, y: y + 2 };
      }
    }
    throw new Error("no point");
  });
  await page.mouse.move(x, y);
  assertEquals([await chart.title(), await chart.values()], ["Memberships", [
    "$16,900.00 (17.2%)",
  ]]);
  await page.mouse.move(2, 2);
  assertEquals(await chart.tooltip.isVisible(), false);
  const doughnut = page.getByRole("application", { name: "Income by kind", exact: true });
  await doughnut.press("End");
  assertEquals([await chart.title(), await chart.values()], ["Other", ["$2,150.25 (2.2%)"]]);
  await chart.status.filter({ hasText: "Other: Income $2,150.25 (2.2%)" })
    .waitFor({ state: "attached" });
  await page.setViewportSize({ width: 800, height: 900 });
  await chart.tooltip.waitFor({ state: "hidden" }); // it would point elsewhere now
  await doughnut.press("End");
  await chart.tooltip.waitFor();
  await doughnut.press("Escape");
  assertEquals(await chart.tooltip.isVisible(), false);
});

browser.test("without scripts the figures stand as a table", {
  context: { ...WIDE, javaScriptEnabled: false },
}, async (page) => {
  await page.goto(GALLERY);
  const { figure, dates } = chartOf(page, "Daily flow");
  assert(await figure.getByRole("table").isVisible());
  assertEquals((await dates()).length, 30);
  const last = await figure.locator("tbody tr").last().locator("td").allInnerTexts();
  assertEquals(last, flowRow(-1));
  assertEquals(
    await figure.locator(".chart-skeleton, .chart-controls").filter({ visible: true })
      .count(),
    0,
  );
  assert(await page.getByText("A script draws this chart.").first().isVisible());
  assert(await chartOf(page, "Income by kind").figure.locator("path").first().isVisible());
});

Deno.test("the page has no style attributes, which its policy forbids", async () => {
  const response = await site.request("workbench", "/dev/charts");
  assertEquals(/<[^>]+\sstyle=/.exec(await response.text()), null);
});

for (const colorScheme of ["dark", "light"] as const) {
  for (const context of [WIDE, PHONE]) {
    const { width } = context.viewport;
    browser.test(`no rule of axe-core is broken in ${colorScheme} at ${width} px`, {
      context: { ...context, colorScheme },
      ...EXPECTED,
    }, async (page) => {
      const chart = await open(page, "Daily flow");
      await page.getByRole("alert").waitFor();
      assertEquals(await axeViolations(page), []);
      await chart.plot.press("End");
      await chart.tooltip.waitFor();
      assertEquals(await axeViolations(page), []);
      const wider = await sidewaysScroll(page);
      assertEquals(wider, 0);
    });
  }
}

/** A finger, by the debugger's own events, so that the browser decides what scrolls. */
function touch(session: CDPSession) {
  const send = (type: "touchStart" | "touchMove" | "touchEnd", x = 0, y = 0) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: type === "touchEnd" ? [] : [{ x, y }],
    });
  return {
    async tap(x: number, y: number) {
      await send("touchStart", x, y);
      await send("touchEnd");
    },
    async slide([x, y]: [number, number], [toX, toY]: [number, number]) {
      await send("touchStart", x, y);
      for (let step = 1; step <= 12; step++) {
        await send("touchMove", x + (toX - x) * step / 12, y + (toY - y) * step / 12);
      }
      await send("touchEnd");
    },
  };
}

declare global {
  /** When the live region changed. */
  var told: number[];
  var canvasSpy: {
    curves: number;
    lines: number;
    radii: number[];
    bars: { x: number; y: number; width: number; height: number }[];
    /** Texts on canvases that have left the page. */
    gone: number;
    texts: string[];
    fonts: string[];
    strokes: string[];
    fills: string[];
  };
}

/** Writes down what canvases are told to draw. Runs in the page. */
function spyOnCanvas(): void {
  const spy: typeof globalThis.canvasSpy = globalThis.canvasSpy = {
    curves: 0,
    lines: 0,
    radii: [],
    bars: [],
    gone: 0,
    texts: [],
    fonts: [],
    strokes: [],
    fills: [],
  };
  const before = <T, K extends keyof T>(
    prototype: T,
    name: K,
    look: (...args: never[]) => void,
  ) => {
    const method = prototype[name] as (...args: unknown[]) => unknown;
    prototype[name] = function (this: T, ...args: unknown[]) {
      look.apply(this, args as never[]);
      return method.apply(this, args);
    } as T[K];
  };
  before(Path2D.prototype, "bezierCurveTo", () => spy.curves++);
  before(Path2D.prototype, "lineTo", () => spy.lines++);
  before(Path2D.prototype, "arc", (_x: number, _y: number, radius: number) => {
    spy.radii.push(radius);
  });
  before(Path2D.prototype, "roundRect", (x: number, y: number, width: number, height: number) => {
    spy.bars.push({ x, y, width, height });
  });
  const context = CanvasRenderingContext2D.prototype;
  before(context, "fillText", function (this: CanvasRenderingContext2D, text: string) {
    if (!this.canvas.isConnected) spy.gone++;
    spy.texts.push(text);
    spy.fonts.push(this.font);
  });
  before(context, "stroke", function (this: CanvasRenderingContext2D) {
    spy.strokes.push(String(this.strokeStyle));
  });
  before(context, "fill", function (this: CanvasRenderingContext2D) {
    spy.fills.push(String(this.fillStyle));
  });
}
