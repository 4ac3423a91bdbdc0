import { AuditPage, type Person } from "../../components/console/AuditPage.tsx";
import { renderConsole } from "../../components/console/render_console.tsx";
import { requireLayer } from "../../lib/console/access.ts";
import { AUDIT_COLUMNS, auditRows, readAuditFilters } from "../../lib/console/audit_filters.ts";
import { describeFilters } from "../../lib/console/audit_log.ts";
import type { AuditEntry } from "../../lib/console/mod.ts";
import { csvResponse } from "../../lib/csv.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import type { Services } from "../../lib/services.ts";
import { define, type State } from "../../lib/state.ts";

/** The audit log of the console's organisation, for full administrators. */
export const handler = define.handlers(endpoint<State>({
  async GET(ctx) {
    const { email: by } = requireLayer(ctx.state, "L1");
    const { services, surface: { organisation } } = ctx.state;
    const filters = readAuditFilters(ctx.url);
    const query = "query" in filters ? filters.query : null;
    if (query !== null && ctx.url.searchParams.get("format") === "csv") {
      const { person, after: _, ...filters } = query;
      const detail = describeFilters({
        ...person === undefined ? {} : { of: "one person" },
        ...filters,
      });
      await services.audit.add({ organisation, by, action: "audit_log_exported", detail });
      const entries = services.audit.all(organisation, query);
      return csvResponse("audit-log", AUDIT_COLUMNS, auditRows(entries));
    }
    const page = query && await services.audit.list(organisation, query);
    const people = await peopleOf(services, page?.entries ?? []);
    const view = <AuditPage {...{ filters, page, people }} />;
    return await renderConsole(ctx, { title: "Audit log" }, view, {
      status: query === null ? 400 : 200,
    });
  },
}));

/** Returns the current operators, and those whose entries are shown. */
async function peopleOf(
  { config: { ops }, audit }: Services,
  entries: readonly AuditEntry[],
): Promise<Person[]> {
  const emails = new Set([...ops.l1, ...ops.l2, ...entries.map(({ by }) => by)]);
  return await Promise.all(
    [...emails].sort().map(async (email) => ({ key: await audit.personKey(email), email })),
  );
}
