import type { State } from "../../lib/app/state.ts";
import { sampleChain } from "../../lib/features/sample_chain/mod.ts";
import { SampleChain } from "../sample_chain/SampleChain.tsx";
import { MarketingHead } from "./MarketingHead.tsx";
import {
  AgentsSection,
  GovernanceSection,
  ImplementationsSection,
  ParticipateSection,
  StandardSection,
} from "./FoundationSections.tsx";

/** The foundation's front page: a chain to break first, then the standard and who maintains it. */
export function FoundationHome({ state }: { state: State }) {
  const { standard, config } = state.services;
  const { name, description } = config.organisations.foundation;
  return (
    <div class="front">
      <MarketingHead
        title={`${name}: records that anyone can check`}
        description={description}
        styles="foundation"
      />
      <header class="front-head stack bottom one-column-960">
        {/* Its own element would keep the version in one line too, but move when the font loads. */}
        <p class="eyebrow">{`${standard.title} ·\u00a0Version\u00a0${standard.version}`}</p>
        <h1 class="flush">Records that anyone can check</h1>
        <div class="front-lead">
          <p class="lead ink">
            {name}{" "}
            maintains an open standard for records that prove what was registered and what happened
            since, such as a certificate and its checks. Anyone can verify them without trusting the
            party that stores them.
          </p>
          <p class="actions flush screen-only">
            <a class="button primary" href="/verify">Verify a record</a>
            <a class="button" href="/standard">Read the standard</a>
          </p>
        </div>
      </header>
      <Plate />
      <StandardSection state={state} />
      <ImplementationsSection state={state} />
      <GovernanceSection state={state} />
      <AgentsSection state={state} />
      <ParticipateSection state={state} />
    </div>
  );
}

/** The figure below the title: a chain that visitors break. */
function Plate() {
  const chain = sampleChain();
  return (
    <figure class="plate flush" id="sample">
      <p class="plate-title below-5 muted text-medium">
        <strong class="ink">Figure 1</strong>{" "}
        <span class="with-scripts screen-only">
          Click any character to change it. Your browser verifies the chain again.
        </span>
      </p>
      <SampleChain chain={chain} />
      <figcaption class="measure-wide pad-top-4 above-5 ruled muted text-medium">
        A record's chain: {chain.events.length}{" "}
        events and a signed head. Each event contains the hash of the one before it. This is{" "}
        <a href="/standard/test-vectors">a test vector of the standard</a>, signed with a published
        key. It belongs to nobody.
      </figcaption>
    </figure>
  );
}
