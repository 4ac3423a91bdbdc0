/** The console's list of what operators have done, with its filters and export. */
import { AuditPage } from "../../components/audit/AuditPage.tsx";
import { renderConsole } from "../../components/console/render_console.tsx";
import { requireLayer, requirePasskey } from "../../lib/features/console/http.ts";
import { auditList, exportList } from "../../lib/features/audit/mod.ts";
import { exportFormat } from "../../lib/platform/listing/export.ts";
import { AUDIT_COLUMNS } from "../../components/audit/audit_columns.tsx";
import { auditNames, auditPeople } from "../../components/audit/names.ts";
import { route } from "../../lib/app/state.ts";

/** The audit log of the console's organisation, for full administrators. */
export const handler = route({
  async GET(ctx) {
    const { email: by } = requireLayer(ctx.state, "L1");
    const { services, surface: { organisation } } = ctx.state;
    const { audit } = services;
    const filters = auditList.read(ctx.url.searchParams);
    const { query } = filters;
    const format = exportFormat(ctx.url.searchParams.get("format"));
    if (query !== null && format !== undefined) {
      requirePasskey(ctx.state);
      return await exportList(audit, { organisation, by }, {
        action: "audit_log_exported",
        filters: auditList.describe(query),
        format,
        name: "audit-log",
        columns: AUDIT_COLUMNS,
        items: audit.all(organisation, query),
      });
    }
    const page = query && await audit.list(organisation, query);
    const entries = page?.entries ?? [];
    const [people, names] = await Promise.all([
      auditPeople(services, organisation, entries),
      auditNames(services, organisation, entries),
    ]);
    const view = <AuditPage {...{ filters, page, people, names }} />;
    return await renderConsole(ctx, { title: "Audit log" }, view, {
      status: query === null ? 400 : 200,
    });
  },
});
