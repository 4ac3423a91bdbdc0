import type { Context } from "fresh";
import { z } from "zod";
import { RecordListPage } from "../../../components/console/RecordListPage.tsx";
import { RecordStatsPage, RecordViews } from "../../../components/console/RecordStatsPage.tsx";
import { renderConsole } from "../../../components/console/render_console.tsx";
import Chart from "../../../islands/Chart.tsx";
import type { ChartData, ChartType } from "../../../lib/chart/mod.ts";
import { requireLayer } from "../../../lib/console/access.ts";
import { chartPeriodOf, readStatistics } from "../../../lib/console/record_charts.ts";
import { RECORD_COLUMNS, recordRows } from "../../../lib/console/record_csv.ts";
import {
  describeExport,
  readRecordFilters,
  type RecordsFilters,
  recordsPath,
  type RecordsQuery,
} from "../../../lib/console/record_filters.ts";
import { csvResponse } from "../../../lib/csv.ts";
import { checkInput, readInput } from "../../../lib/http/body.ts";
import { endpoint } from "../../../lib/http/endpoint.ts";
import { define, type State } from "../../../lib/state.ts";

const input = z.record(z.string(), z.unknown(), "Send the form's fields.");

/**
 * The records of the console's organisation: the list for full administrators, counts and charts for
 * both layers. A search is a POST, so that names and addresses are in no URL.
 */
export const handler = define.handlers(endpoint<State>({
  GET(ctx) {
    const { layer } = requireLayer(ctx.state, "L2");
    const { searchParams } = ctx.url;
    if (layer !== "L1" || searchParams.get("view") === "charts") return renderCharts(ctx, layer);
    return renderList(ctx, readRecordFilters(Object.fromEntries(searchParams), false));
  },
  async POST(ctx) {
    const { email: by } = requireLayer(ctx.state, "L1");
    const given = checkInput(input, await readInput(ctx.req));
    const filters = readRecordFilters(given, true);
    if (!("query" in filters)) return renderList(ctx, filters);
    const { query } = filters;
    if (given.format === "csv") return await exportCsv(ctx.state, query, by);
    if (query.text === undefined) return ctx.redirect(recordsPath(query), 303);
    return renderList(ctx, filters);
  },
}));

async function renderList(ctx: Context<State>, filters: RecordsFilters): Promise<Response> {
  const { services: { records }, surface: { organisation } } = ctx.state;
  const query = "query" in filters ? filters.query : null;
  const [totals, found] = await Promise.all([
    records.totals(organisation),
    query && read(ctx.state, query),
  ]);
  const deleted = /^[\da-f]{8}$/.exec(ctx.url.searchParams.get("deleted") ?? "")?.[0] ?? null;
  const views = <RecordViews current="list" />;
  return await renderConsole(
    ctx,
    { title: "Records" },
    <RecordListPage {...{ filters, found, totals, deleted, views }} />,
    { status: query === null ? 400 : 200 },
  );
}

async function read(
  { services: { records }, surface: { organisation } }: State,
  { text, ...query }: RecordsQuery,
) {
  return text === undefined
    ? { list: await records.list(organisation, query) }
    : { search: await records.search(organisation, { ...query, text }) };
}

async function exportCsv(
  { services: { audit, records }, surface: { organisation } }: State,
  query: RecordsQuery,
  by: string,
): Promise<Response> {
  const detail = describeExport(query);
  await audit.add({ organisation, by, action: "records_exported", detail });
  return csvResponse("records", RECORD_COLUMNS, recordRows(records.all(organisation, query)));
}

async function renderCharts(ctx: Context<State>, layer: "L1" | "L2"): Promise<Response> {
  const { services, surface: { organisation } } = ctx.state;
  const period = chartPeriodOf(ctx.url.searchParams.get("period"));
  const statistics = await readStatistics(services, organisation, period);
  const chart = (type: ChartType, data: ChartData, label: string) => (
    <Chart type={type} data={data} options={{ format: "integer", label }} height={240} />
  );
  const charts = {
    byTime: chart("bar", statistics.byTime, "Registrations by time"),
    byType: chart("doughnut", statistics.byType, "Registrations by type"),
    bySite: chart("doughnut", statistics.bySite, "Registrations by site"),
    byLevel: chart("bar", statistics.byLevel, "Records by level"),
  };
  const views = layer === "L1" ? <RecordViews current="charts" /> : undefined;
  const view = <RecordStatsPage {...{ statistics, charts, views }} />;
  return await renderConsole(ctx, { title: "Records" }, view);
}
