import { PageHead } from "../PageHead.tsx";
import { CHANGES } from "../../lib/features/api/mod.ts";
import { Text } from "./Text.tsx";

/** The versions of the API. */
export function ChangelogPage() {
  return (
    <article class="prose">
      <PageHead
        title="Changelog of the API"
        description="Every version of the API, with what has changed."
        styles="docs"
      />
      <p class="eyebrow">
        <a href="/docs">API reference</a>
      </p>
      <h1>Changelog</h1>
      <p class="lead">
        The first number of a version grows with breaking changes, the second with additions.
      </p>
      <p>
        New operations, members, codes and kinds of events are additions: accept those that you do
        not know.
      </p>
      {CHANGES.map(({ version, date, changes }) => (
        <section key={version} class="ruled pad-top-4 above-5">
          <h2 class="text-large below-2">
            {version}{" "}
            <small class="muted">
              <time datetime={date}>{date}</time>
            </small>
          </h2>
          <ul>
            {changes.map((text) => (
              <li key={text}>
                <Text text={text} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </article>
  );
}
