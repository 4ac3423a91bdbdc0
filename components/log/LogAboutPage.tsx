/** The page `/log/about`, which explains to the public why records are published in a log. */
import { PageHead } from "../PageHead.tsx";
import type { State } from "../../lib/app/state.ts";
import { CheatFigure } from "./CheatFigure.tsx";

/** The page that explains what the public log shows, to whom, and what it does not show. */
export function LogAboutPage({ state }: { state: State }) {
  const { services: { config, surfaces }, surface } = state;
  const standard = surfaces.baseFrom(surface, "foundation");
  const { name, codeHostUrl } = config.organisations[surface.organisation];
  return (
    <div>
      <PageHead
        title="Who could cheat, and who would notice"
        description="What the public log shows, to whom, and what it does not show: one figure of who could cheat whom, and who would notice."
        styles="log_about"
      />
      <header class="log-opening">
        <p class="eyebrow">
          <a href="/log">Public log</a>
        </p>
        <h1>Who could cheat, and who would notice</h1>
        <p class="lead above-4">
          {name}{" "}
          keeps these records and the keys that sign them, so it could rewrite them. The public log
          lets others notice.
        </p>
      </header>
      <Part id="how" title="How it works">
        <p>
          Each event of a record has one entry, and only somebody with the record’s hash can tell
          whose it is.
        </p>
        <p>
          The log only grows. Anybody can copy it, and <strong>witnesses</strong>{" "}
          countersign it if it still contains everything that they saw before. A record comes with a
          {" "}
          <strong>proof</strong> of where in a countersigned log its newest event is.
        </p>
        <p>
          <a href="/log">Until the log is complete</a>, a missing entry proves nothing.
        </p>
      </Part>
      <CheatFigure />
      <Part id="do" title="What you can do">
        <ul>
          <li>
            <a href="/verify">Verify the record</a>{" "}
            and save it: the file shows later what you were shown today.
          </li>
          <li>
            Trust <a href="/log#witnesses">a witness</a> that {name}{" "}
            does not run: its own prove nothing against it.
          </li>
          <li>
            <a href="/log#check">Run a monitor</a>: the log needs one that {name} does not run.
          </li>
          <li>
            Rather than these pages, use <a href={codeHostUrl}>the code</a>, or your own by{" "}
            {standard === null
              ? "the standard"
              : <a href={`${standard}/standard/transparency-log`}>the standard</a>}.
          </li>
        </ul>
      </Part>
    </div>
  );
}

function Part(
  { id, title, children }: { id: string; title: string; children: preact.ComponentChildren },
) {
  return (
    <section class="split-part stack block-print lined one-column-960" aria-labelledby={id}>
      <h2 class="text-large" id={id}>{title}</h2>
      <div>{children}</div>
    </section>
  );
}
