import { Head } from "fresh/runtime";
import type { State } from "../../lib/state.ts";
import { AgentFigure } from "../figures/AgentFigure.tsx";
import { ChainFigure } from "../figures/ChainFigure.tsx";
import { contactAddress } from "../navigation.ts";
import { Hero } from "./Hero.tsx";
import { Section } from "./Section.tsx";

/** The commercial organisation's home: what it runs, what it is, and whose standard it follows. */
export function CommercialHome({ state }: { state: State }) {
  const { standard, config, manifests, catalogue, surfaces } = state.services;
  const { foundation, commercial } = config.organisations;
  const packages = new Set(catalogue.all.map((item) => item.training_package.code));
  const contact = contactAddress(state);
  const foundationSite = surfaces.url("foundation", "/");
  const site = surfaces.url("site", "/");
  const trust = surfaces.url("trust", "/");
  return (
    <>
      <Head>
        <title>{`${commercial.name}: certification infrastructure`}</title>
        <meta name="description" content={commercial.description} />
      </Head>
      <Hero
        eyebrow="Certification infrastructure"
        title="Qualifications that hold up when someone checks"
        lead={`${commercial.name} runs what certification stands on: a catalogue of qualifications to search, ` +
          "verification that anybody can call, and underneath both an open standard that belongs to " +
          "somebody else."}
        actions={[
          { href: "#infrastructure", text: "What we run" },
          { href: "/connect", text: "Connect your agent" },
        ]}
      />
      <ChainFigure />
      <Section
        id="infrastructure"
        title="What we run"
        lead="Each part answers in public, so that you can try it before you believe it."
      >
        <ul class="claims three">
          <li>
            <h3>{site === null ? config.productName : <a href={site}>{config.productName}</a>}</h3>
            <p>
              {catalogue.size} Australian vocational qualifications from {packages.size}{" "}
              training packages, with level, status and successor.
            </p>
          </li>
          <li>
            <h3>
              <a href={manifests.commercial.mcpBaseUrl + "/"}>Verification for agents</a>
            </h3>
            <p>
              A server with eight tools: qualifications to search, the standard to read, and chains
              of events to check, each answer over real data.
            </p>
          </li>
          <li>
            <h3>{trust === null ? "Trust" : <a href={trust}>Trust</a>}</h3>
            <p>
              What we store and what you may rely on, on a host of its own that says so in two short
              pages.
            </p>
          </li>
        </ul>
        <AgentFigure manifest={manifests.commercial} />
      </Section>
      <Section
        id="standard"
        title="The standard"
        lead={`We follow the ${standard.title} ${standard.version}. It is not ours: ` +
          `${foundation.name} stewards it, and anybody may implement it without asking either of us.`}
      >
        <ul class="claims">
          <li>
            <h3>
              <a href="/standard">Read it here</a>
            </h3>
            <p>
              The same {standard.sections.length} sections, word for word, as on the steward's site.
            </p>
          </li>
          <li>
            <h3>
              {foundationSite === null
                ? foundation.name
                : <a href={foundationSite}>{foundation.name}</a>}
            </h3>
            <p>{foundation.description}</p>
          </li>
          <li>
            <h3>
              <a href="/standard/verification">Leave us out</a>
            </h3>
            <p>
              A chain verifies with anybody's tools, by the published procedure. If we were gone
              tomorrow it would still verify.
            </p>
          </li>
          <li>
            <h3>
              <a href="/standard/privacy">Keep what is yours</a>
            </h3>
            <p>Chains hold commitments and events. What they are about stays out of them.</p>
          </li>
        </ul>
      </Section>
      <Section
        id="participate"
        title="Participate"
        lead="Build on the same infrastructure, or ask us about yours."
      >
        <dl class="facts entity">
          <dt>Entity</dt>
          <dd>{commercial.name}</dd>
          <dt>Role</dt>
          <dd>{commercial.description}</dd>
          <dt>Standard</dt>
          <dd>
            <a href="/standard">{standard.title} {standard.version}</a>, stewarded by{" "}
            {foundation.name}
          </dd>
          <dt>Code</dt>
          <dd>
            <a href={commercial.codeHostUrl}>{commercial.codeHostUrl}</a>
          </dd>
          <dt>MCP server</dt>
          <dd>
            <code>{manifests.commercial.endpoint}</code>
          </dd>
          <dt>Contact</dt>
          <dd>
            {contact === null
              ? <a href={`mailto:${commercial.contactEmail}`}>{commercial.contactEmail}</a>
              : <a href={contact}>Register an enquiry</a>}
          </dd>
        </dl>
      </Section>
    </>
  );
}
