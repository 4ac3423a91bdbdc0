import { EVENT_KINDS } from "../../lib/chain/mod.ts";
import { Head } from "fresh/runtime";
import type { State } from "../../lib/state.ts";
import { VECTORS } from "../../lib/standard/vectors.ts";
import { AgentFigure } from "../figures/AgentFigure.tsx";
import { ChainFigure } from "../figures/ChainFigure.tsx";
import { contactAddress } from "../navigation.ts";
import { Hero } from "./Hero.tsx";
import { Section } from "./Section.tsx";

/** The foundation's home: the standard, its stewardship, and how to take part. */
export function FoundationHome({ state }: { state: State }) {
  const { standard, config, manifests } = state.services;
  const { name, codeHostUrl, contactEmail } = config.organisations.foundation;
  const contact = contactAddress(state);
  const vectors = VECTORS.valid.length + VECTORS.invalid.length;
  return (
    <>
      <Head>
        <title>{`${name}: records that anyone can check`}</title>
        <meta name="description" content={config.organisations.foundation.description} />
      </Head>
      <Hero
        eyebrow={`${standard.title} ${standard.version}`}
        title="Records that anyone can check"
        lead={`${name} looks after an open standard. It fixes, byte by byte, how a record is ` +
          "committed to, how its history is chained, and how a stranger verifies both without " +
          "asking anybody's leave."}
        actions={[
          { href: "/standard", text: "Read the standard" },
          { href: "/connect", text: "Connect your agent" },
        ]}
      />
      <ChainFigure />
      <Section
        id="standard"
        title="The standard"
        lead={`${standard.sections.length} sections, exact enough to implement the chain from the ` +
          "text alone. One implementation in our tests was written that way."}
      >
        <ul class="claims">
          <li>
            <h3>
              <a href="/standard/records">A commitment, not a copy</a>
            </h3>
            <p>
              A record's hash takes a random salt of 32 bytes. Nobody can guess an address from it,
              and the holder can still prove what was recorded.
            </p>
          </li>
          <li>
            <h3>
              <a href="/standard/event-chain">A history without gaps</a>
            </h3>
            <p>
              Every event carries its predecessor's hash. {EVENT_KINDS.length}{" "}
              kinds of event are named; what happened stands in order, or does not verify.
            </p>
          </li>
          <li>
            <h3>
              <a href="/standard/heads">A signed end</a>
            </h3>
            <p>
              A chain alone does not show that its last events were cut off. An Ed25519 signature
              over its size and tip does.
            </p>
          </li>
          <li>
            <h3>
              <a href="/standard/privacy">Nothing personal inside</a>
            </h3>
            <p>
              The chain says that an address was confirmed, and never which. Personal data stays
              with the publisher, where it can be erased.
            </p>
          </li>
        </ul>
        <p class="after">
          <a href="/standard">All {standard.sections.length} sections</a>
          <a href="/standard/test-vectors">{vectors} test vectors</a>
          <a href={codeHostUrl}>The sources</a>
        </p>
      </Section>
      <Section
        id="agents"
        title="For agents as for people"
        lead="Every page here leads to a server that speaks the Model Context Protocol. An agent reads the standard with it, searches it, and checks a chain of events against it. No account is needed."
      >
        <AgentFigure manifest={manifests.foundation} />
      </Section>
      <Section
        id="participate"
        title="Participate"
        lead="The standard is open to read, to implement and to improve. There is nothing to sign and nothing to pay."
      >
        <ul class="claims three">
          <li>
            <h3>
              <a href="/standard/conformance">Implement it</a>
            </h3>
            <p>
              Start from the test vectors: if your hashes are theirs, your chains verify everywhere.
              Say which version you conform to.
            </p>
          </li>
          <li>
            <h3>
              <a href={codeHostUrl}>Change it</a>
            </h3>
            <p>
              Questions, errata and proposals belong in the open, beside the text that they are
              about.
            </p>
          </li>
          <li>
            <h3>
              {contact === null
                ? <a href={`mailto:${contactEmail}`}>Write to us</a>
                : <a href={contact}>Contact us</a>}
            </h3>
            <p>
              For what does not belong in the open, such as a weakness that should be mended before
              it is told.
            </p>
          </li>
        </ul>
      </Section>
    </>
  );
}
