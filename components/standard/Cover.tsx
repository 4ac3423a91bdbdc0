import { textHash, type WholeText } from "../../lib/features/standard/mod.ts";
import type { State } from "../../lib/app/state.ts";

/**
 * The lower half of the printed cover: the hash of the text with the bytes that it is of, and the
 * publisher. The PDF has no publisher, because the same file is served by every site.
 */
export function Cover({ text, state }: { text: WholeText; state: State }) {
  const { config, standard, surfaces } = state.services;
  const [first] = text.sections;
  return (
    <dl class="cover">
      <dt>SHA-256 of the text</dt>
      <dd>
        <code class="cover-hash">{textHash(text)}</code>
        <p>
          Of the Markdown of the {text.sections.length}{" "}
          sections, in UTF-8, joined in their order with nothing between
          them{text.version === standard.version && (
            <>
              : the bytes that <code>/standard/{first.id}?format=md</code>{" "}
              and the addresses of the other sections return
            </>
          )}. The changelog states it too.
        </p>
      </dd>
      <dt>Published by</dt>
      <dd class="cover-publisher">
        <strong>{config.organisations.foundation.name}</strong>
        <span>
          {surfaces.url("foundation", "/standard") ?? `${state.surface.baseUrl}/standard`}
        </span>
      </dd>
    </dl>
  );
}
