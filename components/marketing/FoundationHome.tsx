import { EVENT_KINDS } from "../../lib/chain/mod.ts";
import { Head } from "fresh/runtime";
import type { State } from "../../lib/state.ts";
import { VECTORS } from "../../lib/standard/vectors.ts";
import { contactUrl } from "../navigation.ts";
import { AgentFigure, ChainFigure } from "./figures.tsx";
import { Hero } from "./Hero.tsx";
import { Section } from "./Section.tsx";

export function FoundationHome({ state }: { state: State }) {
  const { standard, config, manifests } = state.services;
  const { name, codeHostUrl, contactEmail } = config.organisations.foundation;
  const contact = contactUrl(state);
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
        lead={`${name} maintains an open standard. It defines, byte by byte, how to commit to a ` +
          "record, how to chain its history, and how anyone can verify both without asking " +
          "for permission."}
        actions={[
          { href: "/standard", text: "Read the standard" },
          { href: "/connect", text: "Connect your agent" },
        ]}
      />
      <ChainFigure />
      <Section
        id="standard"
        title="The standard"
        lead={`${standard.sections.length} sections, precise enough to implement the chain from the ` +
          "text alone. One implementation in our tests was written that way."}
      >
        <ul class="claims">
          <li>
            <h3>
              <a href="/standard/records">A commitment, not a copy</a>
            </h3>
            <p>
              A record's hash includes a random salt of 32 bytes. No one can guess an address from
              it, and the holder can still prove what was recorded.
            </p>
          </li>
          <li>
            <h3>
              <a href="/standard/event-chain">A history without gaps</a>
            </h3>
            <p>
              Every event contains the previous event's hash. {EVENT_KINDS.length}{" "}
              kinds of event are defined. A chain with a missing or misplaced event does not verify.
            </p>
          </li>
          <li>
            <h3>
              <a href="/standard/heads">A signed head</a>
            </h3>
            <p>
              A chain alone does not reveal that its last events were removed. An Ed25519 signature
              over its size and tip does.
            </p>
          </li>
          <li>
            <h3>
              <a href="/standard/privacy">Nothing personal inside</a>
            </h3>
            <p>
              The chain records that an address was confirmed, never which one. Personal data stays
              with the publisher, where it can be erased.
            </p>
          </li>
        </ul>
        <p class="after">
          <a href="/standard">All {standard.sections.length} sections</a>
          <a href="/standard/test-vectors">{vectors} test vectors</a>
          <a href={codeHostUrl}>Source code</a>
        </p>
      </Section>
      <Section
        id="agents"
        title="For agents and people"
        lead="Every page here points to a server that speaks the Model Context Protocol. Agents use it to read and search the standard and to verify a chain of events. No account is needed."
      >
        <AgentFigure manifest={manifests.foundation} />
      </Section>
      <Section
        id="participate"
        title="Participate"
        lead="Anyone may read, implement and improve the standard. There is nothing to sign and nothing to pay."
      >
        <ul class="claims three">
          <li>
            <h3>
              <a href="/standard/conformance">Implement it</a>
            </h3>
            <p>
              Start with the test vectors: if your hashes match, your chains verify everywhere.
              State the version that you conform to.
            </p>
          </li>
          <li>
            <h3>
              <a href={codeHostUrl}>Change it</a>
            </h3>
            <p>
              Ask questions, report errata and make proposals in public, next to the text.
            </p>
          </li>
          <li>
            <h3>
              {contact === null
                ? <a href={`mailto:${contactEmail}`}>Write to us</a>
                : <a href={contact}>Contact us</a>}
            </h3>
            <p>
              For anything that should not be public yet, such as a vulnerability.
            </p>
          </li>
        </ul>
      </Section>
    </>
  );
}
