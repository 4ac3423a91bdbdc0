import type { RegisteredRelay } from "../../../lib/ops/mod.ts";
import { RouteTable } from "./RouteTable.tsx";

/** The relays by their hosts. The path to one holds its secret and is shown nowhere. */
export function RelaySection({ relays }: { relays: RegisteredRelay[] }) {
  const rows = relays.map(({ name, host, status }) => ({ path: host, status, note: name }));
  return (
    <section class="registry-section" aria-labelledby="relays">
      <h2 id="relays">Relays</h2>
      {rows.length === 0 ? <p>None is set up.</p> : (
        <div class="card registry-card">
          <RouteTable label="The relays" head="Host" rows={rows} />
        </div>
      )}
    </section>
  );
}
