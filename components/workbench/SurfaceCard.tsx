import type { Surface } from "../../lib/platform/surfaces/mod.ts";
import { plural } from "../../lib/base/time.ts";

/** A surface with what it is for and links to try. */
export function SurfaceCard(
  { surface: { title, purpose, baseUrl, examples }, running }: {
    surface: Surface;
    /** True for each stand-in that is running. */
    running: Record<string, boolean>;
  },
) {
  const shown = examples.filter(({ needs }) => needs === undefined || running[needs]);
  return (
    <li class="card surface-card gap-1 pad-4">
      <h4 class="bold">
        <a class="ink" href={`${baseUrl}/`}>{title}</a>
      </h4>
      <code class="surface-host muted">{new URL(baseUrl).host}</code>
      <p class="text-medium">{purpose}</p>
      {shown.length > 0 && (
        <details>
          <summary class="accent text-small">{plural(shown.length, "page")} to try</summary>
          <ul class="surface-links text-small">
            {shown.map(({ path, text }) => (
              <li key={path}>
                <a href={baseUrl + path}>{text}</a> <code class="muted">{path}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}
