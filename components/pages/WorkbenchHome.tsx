import type { State } from "../../lib/state.ts";
import type { SurfaceName } from "../../lib/surfaces/mod.ts";
import { ATTEMPTS } from "./attempts.ts";

/** Development's start page: every surface, with what to try on it. */
export function WorkbenchHome({ state }: { state: State }) {
  const { surfaces } = state.services;
  return (
    <section>
      <p class="eyebrow">Workbench</p>
      <h1>Every surface of this house</h1>
      <p class="lead">
        One process serves them all, by the host name. Browsers and curl resolve{" "}
        <code>*.localhost</code>{" "}
        to this machine by themselves; whatever does not, is served here on plain{" "}
        <code>localhost</code>, as the commercial organisation.
      </p>
      <ul class="cards">
        {surfaces.all.map((surface) => (
          <li class="card">
            <h2>
              <a href={surface.baseUrl + "/"}>{surface.title}</a>
            </h2>
            <p>{surface.purpose}</p>
            <ul class="links">
              {ATTEMPTS[surface.name as SurfaceName].map(({ path, what }) => (
                <li>
                  <a href={surface.baseUrl + path}>{path}</a> {what}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  );
}
