import { AuditPage } from "../../components/audit/AuditPage.tsx";
import { renderConsole } from "../../components/console/render_console.tsx";
import { requireLayer, requirePasskey } from "../../lib/features/console/access.ts";
import { auditList } from "../../lib/features/audit/mod.ts";
import { auditNames, auditPeople } from "../../components/audit/names.ts";
import { exportAuditLog } from "../../lib/features/audit/export_log.ts";
import { route } from "../../lib/app/state.ts";

/** The audit log of the console's organisation, for full administrators. */
export const handler = route({
  async GET(ctx) {
    const { email: by } = requireLayer(ctx.state, "L1");
    const { services, surface: { organisation } } = ctx.state;
    const { audit } = services;
    const filters = auditList.read(ctx.url.searchParams);
    const { query } = filters;
    if (query !== null && ctx.url.searchParams.get("format") === "csv") {
      requirePasskey(ctx.state);
      return await exportAuditLog(audit, query, { organisation, by });
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
