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
          keeps the records on these pages and has the keys that sign them, so it could rewrite
          them. The public log exists so that others would notice. This page says who would notice
          what, and what nobody would.
        </p>
      </header>
      <Part id="how" title="How it works">
        <p>
          Each event of a record has one entry in the log, in a place that follows from the record
          and the number of the event. An entry names nobody, and nobody who does not have the
          record’s hash can find out to which record it belongs. Whoever has the whole record can
          compute its entries and look for them.
        </p>
        <p>
          The log may only grow. It is published as a whole, so that anybody can copy it, and{" "}
          <strong>witnesses</strong>{" "}
          countersign how large it is and what it contains, if it still contains everything that
          they saw before. A record comes with a{" "}
          <strong>proof</strong>, a short text that shows where in a countersigned log its newest
          event is.
        </p>
        <p>
          The log also says{" "}
          <a href="/log">since when it is complete</a>. Until then, an entry that is missing proves
          nothing, because older records are still being entered.
        </p>
      </Part>
      <CheatFigure />
      <Part id="do" title="What you can do">
        <ul>
          <li>
            <a href="/verify">Verify the record</a>{" "}
            and save it. A saved file is the best protection: it shows later what you were shown
            today.
          </li>
          <li>
            Decide yourself which witnesses you trust.{" "}
            <a href="/log#witnesses">Who countersigns this log</a> names those that {name}{" "}
            runs itself. These prove nothing against it, and without an independent one, the column
            “You check the proof” shows only what your program remembers.
          </li>
          <li>
            <a href="/log#check">Run a monitor</a>, or ask somebody else to. It needs to know no
            record, and the log needs at least one that {name} does not run.
          </li>
          <li>
            Do not rely on these pages alone, which come from {name}.{" "}
            <a href={codeHostUrl}>The code</a>{" "}
            has the commands and the description of the monitor, and {standard === null
              ? "the standard"
              : <a href={`${standard}/standard/transparency-log`}>the standard</a>}{" "}
            has every detail for a program of your own.
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
