import { assertEquals } from "@std/assert";
import { createFlowSums, dailyFlowChart, type DaySpan } from "./flow.ts";

const moved = (created_at: string, amount: number) => ({ created_at, amount });
type Moved = ReturnType<typeof moved>;

function sumsOf(transactions: Moved[]) {
  const sums = createFlowSums();
  for (const transaction of transactions) sums.add(transaction);
  return sums;
}

const dailyFlow = (transactions: Moved[], span: DaySpan) => sumsOf(transactions).days(span);
const MARCH = { first: "2026-03-01", last: "2026-03-03" };

Deno.test("days begin and end at midnight UTC", () => {
  const flow = dailyFlow([
    moved("2026-02-28T23:59:59.999Z", 1),
    moved("2026-03-01T00:00:00.000Z", 2),
    moved("2026-03-01T23:59:59.999Z", 4),
    moved("2026-03-02T00:00:00Z", 16),
    moved("2026-03-04T00:00:00Z", 32),
  ], MARCH);
  assertEquals(flow, [
    { day: "2026-03-01", in: 6, out: 0, net: 6 },
    { day: "2026-03-02", in: 16, out: 0, net: 16 },
    { day: "2026-03-03", in: 0, out: 0, net: 0 },
  ]);
});

Deno.test("sums do not drift, and outgoing money is negative", () => {
  const [day] = dailyFlow([
    ...Array.from({ length: 10 }, () => moved("2026-03-01T10:00:00Z", 0.1)),
    ...Array.from({ length: 3 }, () => moved("2026-03-01T11:00:00Z", -0.7)),
  ], { first: "2026-03-01", last: "2026-03-01" });
  assertEquals(day, { day: "2026-03-01", in: 1, out: -2.1, net: -1.1 });
});

Deno.test("the total of a flow is the sum of all its days in cents", () => {
  const sums = sumsOf([
    moved("2026-03-01T10:00:00Z", 0.1),
    moved("2026-03-01T10:00:00Z", 0.2),
    moved("2026-03-02T10:00:00Z", -0.7),
    moved("2026-03-03T10:00:00Z", 0),
  ]);
  assertEquals(sums.total(), { in: 0.3, out: -0.7, net: -0.4 });
});

Deno.test("every day is returned, including leap days and daylight saving changes", () => {
  const days = dailyFlow([], { first: "2024-02-27", last: "2024-04-02" });
  assertEquals(days.length, 36);
  assertEquals(days[2].day, "2024-02-29");
  assertEquals(days.at(-1)!.day, "2024-04-02");
});

Deno.test("a span that ends before it starts has no days", () => {
  assertEquals(dailyFlow([], { first: "2026-03-02", last: "2026-03-01" }), []);
});

Deno.test("dailyFlowChart() returns the in, out and net series", () => {
  const chart = dailyFlowChart(dailyFlow([moved("2026-03-02T10:00:00Z", -5)], MARCH));
  assertEquals(chart, {
    labels: ["2026-03-01", "2026-03-02", "2026-03-03"],
    datasets: [
      { label: "In", data: [0, 0, 0] },
      { label: "Out", data: [0, -5, 0] },
      { label: "Net", data: [0, -5, 0] },
    ],
  });
});
