import type { Surface } from "../../lib/surfaces/mod.ts";

/** A surface with what it is for and links to try. */
export function SurfaceCard(
  { surface: { title, purpose, baseUrl, examples }, running }: {
    surface: Surface;
    /** Which stand-ins are running. */
    running: Record<string, boolean>;
  },
) {
  return (
    <li class="card surface-card">
      <h4>
        <a href={`${baseUrl}/`}>{title}</a>
      </h4>
      <code class="surface-host">{new URL(baseUrl).host}</code>
      <p>{purpose}</p>
      <ul class="surface-links">
        {examples.map(({ path, text, needs }) => (
          (needs === undefined || running[needs]) && (
            <li key={path}>
              <a href={baseUrl + path}>{text}</a> <code>{path}</code>
            </li>
          )
        ))}
      </ul>
    </li>
  );
}
