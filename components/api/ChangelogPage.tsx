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
      <dl class="facts">
        {CHANGES.flatMap(({ version, date, text }) => [
          <dt key={version}>
            {version}, <time datetime={date}>{date}</time>
          </dt>,
          <dd key={`${version} text`}>
            <Text text={text} />
          </dd>,
        ])}
      </dl>
    </article>
  );
}
