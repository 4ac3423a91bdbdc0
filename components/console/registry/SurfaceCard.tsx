import type { RegisteredSurface } from "../../../lib/ops/mod.ts";
import { noteOf, RouteTable } from "./RouteTable.tsx";

/** A surface with its hosts and its routes. The long list of the workbench begins closed. */
export function SurfaceCard({ surface }: { surface: RegisteredSurface }) {
  const { name, title, purpose, status, baseUrl, hosts, routes } = surface;
  const live = routes.filter((route) => route.status === "LIVE").length;
  const rows = routes.map((route) => ({ ...route, note: noteOf(route) }));
  return (
    <article class="card registry-card" aria-labelledby={`surface-${name}`}>
      <header>
        <h3 id={`surface-${name}`}>{title}</h3>
        <span class={`pill ${status === "SERVED" ? "good" : ""}`}>{status}</span>
      </header>
      <p>{purpose}</p>
      <dl class="registry-hosts">
        <dt>Name</dt>
        <dd>{name}</dd>
        <dt>Base URL</dt>
        <dd>{baseUrl === null ? "none" : <a href={baseUrl}>{baseUrl}</a>}</dd>
        {hosts.length > 1 && (
          <>
            <dt>Hosts</dt>
            <dd>{hosts.join(", ")}</dd>
          </>
        )}
      </dl>
      <details open={name !== "workbench"}>
        <summary>
          {routes.length} {routes.length === 1 ? "route" : "routes"}, {live} live
        </summary>
        <RouteTable label={`The routes of ${title}`} rows={rows} />
      </details>
    </article>
  );
}
