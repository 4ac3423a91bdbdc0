import { asset, Head } from "fresh/runtime";
import type { Rendered } from "../../lib/features/standard/mod.ts";
import { Reading } from "../Reading.tsx";

/** The meaning of each urgent alert, the first step, and the signs of recovery. */
export function RunbookPage({ html, headings }: Rendered) {
  return (
    <>
      <Head>
        <title>Urgent alerts</title>
        <meta name="description" content="What to do first about each urgent alert." />
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/guide.css")} />
      </Head>
      <Reading
        title="Urgent alerts"
        html={html}
        headings={headings}
        before={<p class="eyebrow">Runbook</p>}
        opening={
          <p class="lead">
            What each urgent alert means, what to do first, and how to tell that the problem is
            over.
          </p>
        }
        beside={
          <section class="page-record" aria-labelledby="more">
            <h2 class="text-large" id="more">More</h2>
            <p class="flush">
              File paths are relative to the folder <code>docs</code>{" "}
              of the release. The alerts themselves are in{" "}
              <a href="/console/alerts">the console</a>.
            </p>
          </section>
        }
      />
    </>
  );
}
