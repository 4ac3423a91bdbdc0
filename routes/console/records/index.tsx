/** The console's list of records, with search, export and charts. */
import type { Context } from "fresh";
import { z } from "zod";
import { RecordListPage } from "../../../components/records/RecordListPage.tsx";
import { RecordStatsPage } from "../../../components/records/RecordStatsPage.tsx";
import { renderConsole } from "../../../components/console/render_console.tsx";
import { requireLayer, requirePasskey } from "../../../lib/features/console/http.ts";
import type { Layer } from "../../../lib/features/operators/mod.ts";
import { chartPeriodOf, readStatistics } from "../../../lib/features/records/charts.ts";
import { readConsoleResult, shownResult } from "../../../lib/features/console/results.ts";
import {
  allRecords,
  listRecords,
  recordList,
  type RecordsFilters,
} from "../../../lib/features/records/mod.ts";
import { exportFormat } from "../../../lib/platform/listing/export.ts";
import { exportList } from "../../../lib/features/audit/mod.ts";
import { RECORD_COLUMNS } from "../../../components/records/record_columns.tsx";
import { checkInput, readInput } from "../../../lib/platform/http/body.ts";
import { route, type RouteProperties, type State } from "../../../lib/app/state.ts";

export const properties: RouteProperties = { onlyReads: true };

const input = z.record(z.string(), z.unknown(), "Send the form's fields.");

/**
 * The records of the console's organisation: the list for full administrators, counts and charts for
 * both layers. A search is a POST, so that names and addresses are in no URL.
 */
export const handler = route({
  GET(ctx) {
    const { layer } = requireLayer(ctx.state, "L2");
    const { searchParams } = ctx.url;
    if (layer !== "L1" || searchParams.get("view") === "charts") return renderCharts(ctx, layer);
    return renderList(ctx, recordList.read(searchParams));
  },
  async POST(ctx) {
    const { email: by } = requireLayer(ctx.state, "L1");
    const { services, surface: { organisation } } = ctx.state;
    const given = checkInput(input, await readInput(ctx.req));
    const filters = recordList.readForm(given);
    const { query } = filters;
    if (query === null) return renderList(ctx, filters);
    const format = exportFormat(given.format);
    if (format !== undefined) {
      requirePasskey(ctx.state, { input: given });
      const { audit, kv, contactIndex: index } = services;
      return await exportList(audit, { organisation, by }, {
        action: "records_exported",
        filters: recordList.describe(query),
        format,
        name: "records",
        columns: RECORD_COLUMNS,
        items: allRecords({ kv, index }, organisation, query),
      });
    }
    if (query.text === undefined) return ctx.redirect(recordList.href(query), 303);
    return renderList(ctx, filters);
  },
});

async function renderList(ctx: Context<State>, filters: RecordsFilters): Promise<Response> {
  const { services, surface: { organisation } } = ctx.state;
  const { query } = filters;
  const { kv, contactIndex: index } = services;
  const [{ totals }, list] = await Promise.all([
    services.records.overview(organisation),
    query && listRecords({ kv, index }, organisation, query),
  ]);
  const asked = await readConsoleResult(ctx.state, ctx.url);
  const result = shownResult(asked, { name: asked?.of.slice(0, 8), text: "Its chain remains." });
  const view = <RecordListPage {...{ filters, list, totals, result }} />;
  return await renderConsole(ctx, { title: "Records" }, view, { status: query ? 200 : 400 });
}

async function renderCharts(ctx: Context<State>, layer: Layer): Promise<Response> {
  const { services, surface: { organisation } } = ctx.state;
  const period = chartPeriodOf(ctx.url.searchParams.get("period"));
  const statistics = await readStatistics(services, organisation, period);
  const view = <RecordStatsPage {...{ statistics, layer }} />;
  return await renderConsole(ctx, { title: "Records" }, view);
}
