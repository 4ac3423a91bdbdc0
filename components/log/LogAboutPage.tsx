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
          exists so that others would notice.
        </p>
      </header>
      <Part id="how" title="How it works">
        <p>
          Each event of a record has one entry in the log. Only somebody with the record’s hash can
          tell whose it is, and whoever has the record can compute it.
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
            Decide yourself <a href="/log#witnesses">which witnesses</a> you trust. Those that{" "}
            {name}{" "}
            runs prove nothing against it. Without an independent one, a proof shows only what your
            program remembers.
          </li>
          <li>
            <a href="/log#check">Run a monitor</a>, or have one run: the log needs one that {name}
            {" "}
            does not run.
          </li>
          <li>
            Do not rely on these pages alone: use{" "}
            <a href={codeHostUrl}>the code</a>, or write your own with {standard === null
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
