import { page } from "fresh";
import { AuditPage, type Person } from "../../components/console/AuditPage.tsx";
import { ConsoleFrame } from "../../components/console/ConsoleFrame.tsx";
import { requireLayer } from "../../lib/console/access.ts";
import { AUDIT_COLUMNS, auditRows, readAuditFilters } from "../../lib/console/audit_filters.ts";
import type { AuditEntry } from "../../lib/console/mod.ts";
import { csvResponse } from "../../lib/csv.ts";
import type { Services } from "../../lib/services.ts";
import { define, pageHandler } from "../../lib/state.ts";

export const handler = pageHandler({
  async GET({ url, state }) {
    const operator = requireLayer(state, "L1");
    const { services, surface: { organisation } } = state;
    const filters = readAuditFilters(url);
    const query = "query" in filters ? filters.query : null;
    if (query !== null && url.searchParams.get("format") === "csv") {
      const entries = services.audit.all(organisation, query);
      return csvResponse("audit-log", AUDIT_COLUMNS, auditRows(entries));
    }
    const list = query && await services.audit.list(organisation, query);
    const people = await peopleOf(services, list?.entries ?? []);
    return page({ operator, view: { filters, page: list, people } }, {
      status: query === null ? 400 : 200,
    });
  },
});

/** The audit log of the console's organisation, for full administrators. */
export default define.page<typeof handler>(({ data: { operator, view }, state, url, req }) => (
  <ConsoleFrame {...{ state, url, req }} visitor={operator} title="Audit log">
    <AuditPage {...view} />
  </ConsoleFrame>
));

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
