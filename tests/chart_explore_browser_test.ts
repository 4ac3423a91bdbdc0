import { assert, assertEquals } from "@std/assert";
import { balanceSample, flowSample } from "../lib/features/chart/samples.ts";
import { becomes, sidewaysScroll } from "./browser.ts";
import {
  canvasCalls,
  chartOf,
  type ChartPage,
  clearCanvasCalls,
  dollars,
  drawnTexts,
  fingerOf,
  flowTexts,
  PHONE,
  servedCharts,
  style,
  WIDE,
} from "./chart_page.ts";
import { assertPixels } from "./layout.ts";

const { test, testTogether } = await servedCharts();

testTogether(
  "the mouse shows the values of an area chart and of a doughnut",
  "area,doughnut",
  (step) => {
    step("crosshair, points and tooltip are at the nearest point", async (chart) => {
      const at = await chart.hoverAt(0.301);
      const area = (await chart.plotArea.boundingBox())!;
      const line = (await chart.figure.locator(".u-cursor-x").boundingBox())!;
      assertPixels([line.width, line.y, line.height], [1, area.y, area.height]);
      const step = area.width / 59;
      const nearest = area.x + Math.round((at - area.x) / step) * step;
      assertPixels([line.x], [nearest]);
      const points = await Promise.all(
        (await chart.figure.locator(".u-cursor-pt").all()).map(async (one) =>
          (await one.boundingBox())!
        ),
      );
      const heights = points.map(({ x, y, width, height }) => {
        assertPixels([width, height], [10, 10]); // a radius of 5
        assert(Math.abs(x + 5 - nearest) <= 1.5, `${x} and ${nearest}`);
        return y + 5 - area.y;
      });
      const values = flowSample(60).datasets.map(({ data }) =>
        data[Math.round((at - area.x) / step)]!
      );
      const scale = (heights[1] - heights[0]) / (values[0] - values[1]);
      const third = heights[0] + (values[0] - values[2]) * scale;
      assert(scale > 0 && Math.abs(heights[2] - third) <= 2, `each at its value: ${heights}`);
      const box = await restingBox(chart);
      const fromPointer = heights.map((y) => Math.abs(y - area.height / 2));
      const anchor = heights[fromPointer.indexOf(Math.min(...fromPointer))];
      assert(
        Math.abs(box.y + box.height / 2 - area.y - anchor) <= 2,
        `next to the nearest point: ${anchor} of ${heights}, ${box.y - area.y} + ${box.height}`,
      );
      assert(Math.abs(box.x - nearest - 14) <= 2, `right of ${nearest}: ${box.x}`);
      await chart.hoverAt(0.8);
      const flipped = await restingBox(chart);
      assert(flipped.x + flipped.width < area.x + area.width * 0.8, "left of a point on the right");
      const highlight = (await chart.axisHighlight.boundingBox())!;
      assert(highlight.y >= area.y + area.height, "the highlighted date is below the axis");
    });

    step("hovering shows every series' value at the nearest point", async (chart, page) => {
      const days = flowSample(60);
      for (const index of [0, 7, 31, 58, 59]) {
        await chart.hoverAt(index / 59 * 0.9999); // the first and last point are at the edges
        assertEquals(await chart.title(), (await chart.dates())[index]);
        assertEquals(await chart.values(), flowTexts(index, days));
        assertEquals(await chart.axisHighlight.innerText(), await chart.title());
      }
      const { x, y, height } = (await chart.plotArea.boundingBox())!;
      await page.mouse.move(x + 50, y + height + 10);
      assertEquals(await chart.tooltip.isVisible(), false, "no tooltip over the axis");
      await chart.hoverAt(0.5);
      const dots = chart.tooltip.locator(".chart-tooltip-dot");
      const colors = await dots.evaluateAll((all) =>
        all.map((dot) => getComputedStyle(dot).backgroundColor)
      );
      assertEquals(colors, ["rgb(78, 205, 196)", "rgb(247, 183, 49)", "rgb(139, 149, 165)"]);
      await page.mouse.move(2, 2);
      assertEquals(
        [await chart.tooltip.isVisible(), await chart.axisHighlight.isVisible()],
        [false, false],
      );
      await chart.figure.evaluate((figure) => (figure as HTMLElement).style.translate = "50px");
      await chart.hoverAt(31 / 59);
      assertEquals(
        await chart.title(),
        (await chart.dates())[31],
        "after the page moved the chart",
      );
    });

    step("a doughnut shows the value and share of a slice", async (_chart, page) => {
      const chart = chartOf(page, "doughnut");
      const box = (await chart.figure.locator("path").nth(2).boundingBox())!; // at the lower left
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      assertEquals([await chart.title(), await chart.values()], ["Memberships", [
        "$16,900.00 (17.2%)",
      ]]);
      await page.mouse.move(2, 2);
      assertEquals(await chart.tooltip.isVisible(), false);
      await chart.plot.press("End");
      assertEquals([await chart.title(), await chart.values()], ["Other", ["$2,150.25 (2.2%)"]]);
      await chart.status.filter({ hasText: "Other: Income $2,150.25 (2.2%)" })
        .waitFor({ state: "attached" });
      await page.setViewportSize({ width: 800, height: 900 });
      await chart.tooltip.waitFor({ state: "hidden" }); // its position is outdated
      await chart.plot.press("End");
      await chart.tooltip.waitFor();
      await chart.plot.press("Escape");
      assertEquals(await chart.tooltip.isVisible(), false);
    });
  },
);

/** Returns the box of the tooltip once it has stopped moving. */
async function restingBox({ tooltip }: ChartPage) {
  await tooltip.evaluate((element) =>
    Promise.all(element.getAnimations().map((animation) => animation.finished))
  );
  return (await tooltip.boundingBox())!;
}

testTogether("labels and tooltips leave room for each other", "line,bar", (step) => {
  step(
    "the last date is drawn in full, and the highlighted one below all others",
    async (chart, page) => {
      for (const width of [1280, 700, 375]) {
        await page.setViewportSize({ width, height: 900 });
        for (const range of ["90D", "7D"]) {
          await clearCanvasCalls(page);
          await chart.clickPill(range);
          await page.waitForFunction(() => globalThis.canvasCalls.length > 0);
          const texts = (await canvasCalls(page, "fillText")).map(({ args, text }) => ({
            label: args[0] as string,
            ...text!,
          }));
          assert(texts.some(({ label }) => label.includes("Mar")), width + range);
          for (const { label, right, available } of texts) {
            assert(
              right <= available,
              `${label} ends at ${right} of ${available}, ${width}, ${range}`,
            );
          }
          await chart.hoverAt(0.6);
          const canvas = (await chart.figure.locator("canvas").boundingBox())!;
          const highlight = (await chart.axisHighlight.boundingBox())!;
          const lowest = Math.max(...texts.map(({ bottom }) => bottom));
          assert(highlight.y - canvas.y >= lowest, `${highlight.y - canvas.y} and ${lowest}`);
          assert(highlight.y + highlight.height <= canvas.y + canvas.height + 1);
        }
      }
      await page.setViewportSize(WIDE.viewport);
    },
  );

  step("a line never leaves the span of two neighbouring points", async (chart, page) => {
    await clearCanvasCalls(page);
    await chart.clickPill("All");
    await becomes(async () => (await canvasCalls(page, "bezierCurveTo")).length > 80, true);
    const curves = (await canvasCalls(page, "bezierCurveTo")).map(({ args }) => args as number[]);
    let checked = 0;
    curves.slice(1).forEach(([, y1, , y2, x, y], i) => {
      const [before, from] = curves[i].slice(4);
      if (before >= x) return; // the next path
      for (const control of [y1, y2]) {
        assert(control >= Math.min(from, y) - 0.01 && control <= Math.max(from, y) + 0.01);
      }
      checked++;
    });
    assert(checked > 70, `${checked} curves`);
  });

  step("the tooltip is beside all bars of the hovered day", async (_line, page) => {
    const chart = chartOf(page, "bar");
    await clearCanvasCalls(page);
    await chart.clickPill("7D");
    await becomes(async () => (await canvasCalls(page, "roundRect")).length >= 14, true);
    const bars = (await canvasCalls(page, "roundRect")).map(({ args }) => args as number[]);
    for (const fraction of [0.2, 0.45, 0.8]) {
      await chart.hoverAt(fraction);
      const box = await restingBox(chart);
      const { x } = (await chart.figure.locator("canvas").boundingBox())!;
      const center = (await chart.figure.locator(".u-cursor-x").boundingBox())!.x - x;
      const near = bars.filter(([left, , width]) => Math.abs(left + width / 2 - center) < 60);
      const [start, end] = [box.x - x, box.x - x + box.width];
      assert(near.length > 1);
      for (const [left, , width] of near) {
        assert(
          end <= left || start >= left + width,
          `${start} to ${end} hides ${left} at ${center}`,
        );
      }
    }
  });
});

testTogether("pills, the cumulative toggle and keys of a bar chart", "bar,line", (step) => {
  step("pills count back from the last point", async (chart, page) => {
    const group = chart.figure.getByRole("radiogroup", { name: "Time range" });
    assertEquals(
      await group.getByRole("radio").evaluateAll((all) =>
        all.map((one) => (one as HTMLInputElement).value)
      ),
      ["7D", "30D", "90D", "YTD", "All"],
    );
    assert(await group.getByRole("radio", { name: "30D" }).isChecked());
    assertEquals((await chart.dates()).length, 30);
    for (const [range, count] of [["7D", 7], ["90D", 90]] as const) {
      await chart.clickPill(range);
      assertEquals((await chart.dates()).length, count, range);
      await chart.hoverAt(0.9999);
      assertEquals([await chart.title(), await chart.values()], ["31 Mar 2026", flowTexts(-1)]);
      await chart.hoverAt(0.0001);
      assertEquals(await chart.values(), flowTexts(-count), range);
    }
    await chart.clickPill("All");
    // 400 days are too many bars.
    assertEquals((await chart.dates()).length, 58);
    assertEquals(await chart.figure.locator("caption").textContent(), "Daily flow, by week");
    await chart.hoverAt(0.9999);
    assertEquals(await chart.title(), "Week of 30 Mar 2026");
    await group.getByRole("radio", { name: "All" }).press("ArrowLeft");
    assert(await group.getByRole("radio", { name: "YTD" }).isChecked());
    assert(
      await chartOf(page, "line").figure.getByRole("radio", { name: "30D" }).isChecked(),
      "another chart keeps its own range",
    );
  });

  step("a pointer move in the same frame as a range change uses the new range", async (chart) => {
    await chart.hoverAt(0.5);
    await chart.tooltip.waitFor();
    const stale = await chart.figure.evaluate(async (figure) => {
      figure.querySelector<HTMLInputElement>('input[value="7D"]')!.click();
      await new Promise(requestAnimationFrame);
      const stale = figure.querySelector(".chart-tooltip")?.textContent;
      const area = figure.querySelector(".u-over")!;
      const { right, top } = area.getBoundingClientRect();
      area.dispatchEvent(
        new PointerEvent("pointermove", {
          bubbles: true,
          pointerType: "mouse",
          clientX: right - 1,
          clientY: top + 9,
        }),
      );
      return stale;
    });
    assertEquals(stale, undefined, "the tooltip of the old range is gone");
    assertEquals([await chart.title(), await chart.values()], ["31 Mar 2026", flowTexts(-1)]);
    assert(await chart.axisHighlight.isVisible());
  });

  step("the cumulative toggle shows running totals of the range", async (chart) => {
    const total = ({ data }: { data: (number | null)[] }) =>
      data.slice(-7).reduce<number>((sum, value) => sum + value!, 0);
    await chart.clickPill("7D");
    const toggle = chart.figure.getByRole("switch", { name: "Cumulative" });
    assertEquals(await toggle.isChecked(), false);
    await toggle.check();
    await chart.hoverAt(0.9999);
    assertEquals(
      await chart.values(),
      flowSample().datasets.map((dataset) => dollars(Math.round(total(dataset) * 100) / 100)),
    );
    await chart.hoverAt(0.0001);
    assertEquals(await chart.values(), flowTexts(-7));
    await toggle.uncheck();
    await chart.hoverAt(0.9999);
    assertEquals(await chart.values(), flowTexts(-1));
  });

  step("keys move between points, and a live region announces them", async (chart) => {
    const { plot } = chart;
    await chart.clickPill("30D");
    await plot.focus();
    const valuesAfter = async (key: string) => {
      await plot.press(key);
      return await chart.values();
    };
    assertEquals(await valuesAfter("ArrowRight"), flowTexts(-30));
    assertEquals(await valuesAfter("ArrowRight"), flowTexts(-29));
    assertEquals(await valuesAfter("ArrowLeft"), flowTexts(-30));
    assertEquals(await valuesAfter("End"), flowTexts(-1));
    assertEquals(await valuesAfter("Home"), flowTexts(-30));
    await valuesAfter("End");
    await chart.status.filter({ hasText: "31 Mar 2026:" }).waitFor({ state: "attached" });
    const [into, out, net] = flowTexts(-1);
    assertEquals(
      await chart.status.textContent(),
      `31 Mar 2026: In ${into}, Out ${out}, Net ${net}`,
    );
    assertEquals(await valuesAfter("Shift+Home"), flowTexts(-1), "modified keys are ignored");
    await plot.press("Escape");
    assertEquals(await chart.tooltip.isVisible(), false);
    assertEquals(await valuesAfter("ArrowLeft"), flowTexts(-1));
    await plot.press("Tab");
    assertEquals(await chart.tooltip.isVisible(), false);
    assertEquals(await plot.evaluate((element) => element === document.activeElement), false);
  });

  step("the live region announces once, after a pause", async (chart, page) => {
    await chart.status.evaluate((element) => {
      globalThis.announcements = [];
      // The region may only now be emptied after the chart lost the focus, which announces nothing.
      new MutationObserver(() => {
        if (element.textContent !== "") globalThis.announcements.push(performance.now());
      }).observe(element, { childList: true, characterData: true, subtree: true });
    });
    await chart.plot.focus();
    const last = await chart.plot.evaluate((element) => {
      for (let i = 0; i < 12; i++) {
        element.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
      }
      return performance.now();
    });
    await chart.status.filter({ hasText: "13 Mar 2026" }).waitFor({ state: "attached" });
    const announcements = await page.evaluate(() => globalThis.announcements);
    assertEquals(announcements.length, 1);
    assert(announcements[0] - last > 250, `${announcements[0] - last} ms after the last key`);
  });
});

testTogether("dates of a line chart", "line", (step) => {
  step("a custom range includes both days, and a pill replaces it", async (chart) => {
    const from = chart.figure.getByLabel("From");
    const to = chart.figure.getByLabel("to", { exact: true });
    assertEquals([await from.inputValue(), await to.inputValue()], ["2026-03-02", "2026-03-31"]);
    await from.fill("2026-02-10");
    await to.fill("2026-02-12");
    assertEquals(await chart.dates(), ["10 Feb 2026", "11 Feb 2026", "12 Feb 2026"]);
    assertEquals(await chart.figure.getByRole("radio", { checked: true }).count(), 0);
    const sample = balanceSample();
    await chart.hoverAt(0.5);
    assertEquals(await chart.values(), [
      dollars(sample.datasets[0].data[sample.labels.indexOf("2026-02-11")]),
    ]);
    await to.fill("2026-02-01");
    assert(await chart.figure.getByText("The start date is after the end date.").isVisible());
    await chart.clickPill("7D");
    assertEquals([await from.inputValue(), await to.inputValue()], ["2026-03-25", "2026-03-31"]);
  });

  step("a single day is in the middle of the axis", async (chart, page) => {
    await clearCanvasCalls(page);
    await chart.figure.getByLabel("From").fill("2026-03-31");
    await becomes(async () => (await drawnTexts(page)).includes("31 Mar"), true);
    assertEquals(await chart.dates(), ["31 Mar 2026"]);
    assertEquals((await drawnTexts(page)).filter((text) => /^\d{4}$/.test(text)), []);
    await chart.plot.press("End");
    const area = (await chart.plotArea.boundingBox())!;
    const line = (await chart.figure.locator(".u-cursor-x").boundingBox())!;
    assert(Math.abs(line.x - area.x - area.width / 2) <= 1);
  });

  step("below 640 px pills wrap and dates thin out", async (chart, page) => {
    const canvas = chart.figure.locator("canvas");
    /** Returns how the pills wrap and how many dates the axis of 90 days has at this width. */
    const at = async (width: number) => {
      await page.setViewportSize({ width, height: 700 });
      const available = async () => (await chart.plot.boundingBox())!.width;
      const drawn = async () => (await canvas.boundingBox())!.width;
      await becomes(async () => Math.abs(await drawn() - await available()) < 1, true);
      await chart.clickPill("7D");
      await clearCanvasCalls(page);
      await chart.clickPill("90D");
      await becomes(async () => (await drawnTexts(page)).length > 0, true);
      const dates = (await drawnTexts(page)).filter((text) => /^(\d+ )?[A-Z][a-z]{2}$/.test(text));
      return [
        await style(chart.figure.locator(".chart-pills"), "flex-wrap"),
        dates.length,
      ] as const;
    };
    const [tablet, phone, small] = [await at(640), await at(639), await at(320)];
    assertEquals([tablet[0], phone[0], small[0]], ["nowrap", "wrap", "wrap"]);
    assert(
      tablet[1] > phone[1] && phone[1] >= small[1] && small[1] > 0,
      `${[tablet, phone, small]}`,
    );
  });
});

declare global {
  /** The times at which the live region changed. */
  var announcements: number[];
}

test(
  "a tap or slide selects a point, and a tap elsewhere dismisses the tooltip",
  "bar,line,area",
  async (chart, page, context) => {
    // As in Safari, where a tap doesn't move the focus.
    await page.evaluate(() => addEventListener("mousedown", (event) => event.preventDefault()));
    await chart.plotArea.evaluate((element) =>
      element.scrollIntoView({ block: "center", behavior: "instant" })
    );
    const finger = fingerOf(await context.newCDPSession(page));
    const { x, y, width, height } = (await chart.plotArea.boundingBox())!;
    const middle = y + height / 2;

    await finger.tap(x + width - 2, middle);
    await chart.tooltip.waitFor();
    assertEquals(await chart.values(), flowTexts(-1));
    const box = (await chart.tooltip.boundingBox())!;
    assertEquals([box.x, box.width, box.y + box.height], [0, 375, 700]);

    // A point that the overlay at the bottom would hide.
    await page.evaluate((by) => scrollBy(0, by), y + height - 690);
    const low = (await chart.plotArea.boundingBox())!;
    await finger.tap(x + width - 2, low.y + height - 4);
    await becomes(async () => (await chart.tooltip.boundingBox())?.y, 0);
    await page.evaluate((by) => scrollBy(0, -by), y + height - 690);
    await finger.tap(x + width - 2, middle);

    const before = await page.evaluate(() => scrollY);
    await finger.slide([x + width - 2, middle], [x + 2, middle + 20]);
    await becomes(chart.values, flowTexts(-30));
    assertEquals(await page.evaluate(() => scrollY), before);

    await finger.tap(x + width / 2, 20);
    await chart.tooltip.waitFor({ state: "hidden" });

    await finger.slide([x + width / 2, middle], [x + width / 2 + 5, middle - 150]);
    await page.waitForFunction((before) => scrollY > before + 50, before);
    assertEquals(await chart.tooltip.isVisible(), false);
  },
  { context: PHONE },
);

test("long names fit the width of a small phone", "playground", async (chart, page) => {
  const long = "Donaudampfschifffahrtsgesellschaftskapitaensmuetzenabzeichen";
  await page.route("**/dev/charts?data=flow", (route) =>
    route.fulfill({
      json: {
        labels: [long, "Other"],
        datasets: [{ label: long, data: [1, 2] }, { label: "B", data: [3, 4] }],
      },
    }));
  await page.locator(".chart-playground").getByLabel("Data").selectOption("fetched");
  await chart.figure.locator(".chart-legend").getByText(long).waitFor();
  await chart.drawn();
  await chart.plot.press("Home");
  await chart.tooltip.waitFor();
  assertEquals(await chart.values(), ["$1.00", "$3.00"]);
  assertEquals(await sidewaysScroll(page), 0);
  const highlight = (await chart.axisHighlight.boundingBox())!;
  assert(highlight.x >= 0 && highlight.x + highlight.width <= 320, JSON.stringify(highlight));
  const cut = await chart.tooltip.locator(".chart-tooltip-title, .muted")
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
  assertEquals(cut, 0);
}, { context: { ...PHONE, viewport: { width: 320, height: 640 } } });
