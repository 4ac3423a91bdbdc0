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
      <header class="front-head">
        {/* Its own element would keep the version in one line too, but move when the font loads. */}
        <p class="eyebrow">{`${standard.title} ·\u00a0Version\u00a0${standard.version}`}</p>
        <h1>Records that anyone can check</h1>
        <div class="front-lead">
          <p class="lead">
            {name}{" "}
            maintains an open standard for records with a history. It defines every byte, so that
            anyone can verify them without trusting the party that stores them.
          </p>
          <p class="actions">
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
    <figure class="plate" id="sample">
      <p class="plate-title">
        <strong>Figure 1</strong>{" "}
        <span class="with-scripts">
          Click any character to change it. Your browser checks the chain again.
        </span>
      </p>
      <SampleChain chain={chain} />
      <figcaption>
        A record's chain: {chain.events.length}{" "}
        events and a signed head. Each event contains the hash of the one before it. This is{" "}
        <a href="/standard/test-vectors">a test vector of the standard</a>, signed with a published
        key. It belongs to nobody.
      </figcaption>
    </figure>
  );
}
