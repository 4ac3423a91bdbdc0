/** The start page of the foundation's site; `FoundationSections.tsx` has its lower sections. */
import { PageHead } from "../PageHead.tsx";
import type { State } from "../../lib/app/state.ts";
import { eventNames, sampleChain } from "../../lib/features/marketing/mod.ts";
import { SampleChain } from "./SampleChain.tsx";
import { LogAdds } from "../LogAdds.tsx";
import {
  AgentsSection,
  GovernanceSection,
  ImplementationsSection,
  ParticipateSection,
  StandardSection,
} from "./FoundationSections.tsx";

/** The foundation's front page: what it does and for whom, a chain to break, then the standard. */
export function FoundationHome({ state }: { state: State }) {
  const { standard, config } = state.services;
  const { name, description } = config.organisations.foundation;
  return (
    <div class="front">
      <PageHead
        title={`${name}: records that anyone can check`}
        description={description}
        styles="foundation_home"
      />
      <header class="front-head stack bottom one-column-960">
        {/* Its own element would keep the version in one line too, but move when the font loads. */}
        <p class="eyebrow">{`${standard.title} ·\u00a0Version\u00a0${standard.version}`}</p>
        <h1 class="flush">Records that anyone can check</h1>
        <div class="front-lead">
          <p class="lead ink">
            {name}{" "}
            maintains an open standard for digital records, such as certificates, that anyone can
            check: what was registered, and what has happened since. You need not trust or ask the
            organisation that keeps a record.
          </p>
          <p class="actions flush screen-only">
            <a class="button primary" href="/verify">Verify a record</a>
            <a class="button" href="/standard">Read the standard</a>
          </p>
        </div>
      </header>
      <Audiences state={state} />
      <Plate state={state} />
      <StandardSection state={state} />
      <ImplementationsSection state={state} />
      <GovernanceSection state={state} />
      <AgentsSection state={state} />
      <ParticipateSection state={state} />
    </div>
  );
}

/** The visitors whom the foundation serves, each with the page to begin with. */
function Audiences({ state }: { state: State }) {
  const { foundation } = state.services.config.organisations;
  return (
    <section class="front-for pad-top-4" aria-labelledby="for-title">
      <h2 class="text-large below-4" id="for-title">Who it is for</h2>
      <ul class="ways-in stack gap-5-6">
        <li class="pad-top-3 lined">
          <h3 class="below-2">You were shown a record</h3>
          <p class="below-3 muted">
            Your browser says whether anything in its history was changed.
          </p>
          <a href="/verify">Verify a record</a>
        </li>
        <li class="pad-top-3 lined">
          <h3 class="below-2">You keep records of others</h3>
          <p class="below-3 muted">
            Schools, registers and certifiers publish proofs that hold without their word.
          </p>
          <a href="/standard">Read the standard</a>
        </li>
        <li class="pad-top-3 lined">
          <h3 class="below-2">You write software</h3>
          <p class="below-3 muted">
            Every byte is specified, and a kit checks your program.
          </p>
          <a href="/implementations">Implement it</a>
        </li>
      </ul>
      <p class="measure-wide above-5 flush muted">
        {foundation.name} certifies nobody and charges nothing.
      </p>
    </section>
  );
}

/** A chain that visitors break. */
function Plate({ state }: { state: State }) {
  const chain = sampleChain();
  return (
    <section class="front-try" id="sample" aria-labelledby="sample-title">
      <h2 class="below-3" id="sample-title">Try to change one</h2>
      <p class="measure-wide below-5">
        A record's history is a chain of events. Each contains the hash of the one before it, and
        the publisher signs the last, so whoever changes a character cannot sign the result.{" "}
        <LogAdds state={state} ofStandard />
      </p>
      <figure class="plate flush">
        <p class="plate-title below-5 muted text-medium">
          <strong class="ink">Figure 1</strong>{" "}
          <span class="with-scripts screen-only">
            Click any character to change it.
          </span>
        </p>
        <SampleChain chain={chain} names={eventNames(chain)} />
        <figcaption class="measure-wide pad-top-4 above-5 ruled muted text-medium">
          The {chain.events.length} events of a record, and its signed end:{" "}
          <a href="/standard/test-vectors">a test vector</a>.
        </figcaption>
      </figure>
    </section>
  );
}
