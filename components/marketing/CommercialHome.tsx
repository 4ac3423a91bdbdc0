import { Head } from "fresh/runtime";
import { mcpTools } from "../../lib/mcp/mod.ts";
import type { State } from "../../lib/state.ts";
import { contactUrl } from "../navigation.ts";
import { AgentFigure, ChainFigure } from "./figures.tsx";
import { Hero } from "./Hero.tsx";
import { Section } from "./Section.tsx";

export function CommercialHome({ state }: { state: State }) {
  const { standard, config, manifests, catalogue, surfaces } = state.services;
  const { foundation, commercial } = config.organisations;
  const packages = new Set(catalogue.all.map((item) => item.training_package.code));
  const contact = contactUrl(state);
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
        lead={`${commercial.name} runs infrastructure for certification: a searchable catalogue of ` +
          "qualifications and verification that anyone can call, both built on an open standard " +
          "that an independent foundation maintains."}
        actions={[
          { href: "#infrastructure", text: "What we run" },
          { href: "/connect", text: "Connect your agent" },
        ]}
      />
      <ChainFigure />
      <Section
        id="infrastructure"
        title="What we run"
        lead="Every part is public, so you can try it before you trust it."
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
              A server with {mcpTools.length}{" "}
              tools that search qualifications, read the standard and verify chains of events, all
              on real data.
            </p>
          </li>
          <li>
            <h3>{trust === null ? "Trust" : <a href={trust}>Trust</a>}</h3>
            <p>
              What we store and what you can rely on, on its own host: verification, terms and
              privacy.
            </p>
          </li>
        </ul>
        <AgentFigure manifest={manifests.commercial} />
      </Section>
      <Section
        id="standard"
        title="The standard"
        lead={`We follow the ${standard.title} ${standard.version}. It is not ours: ` +
          `${foundation.name} stewards it, and anyone may implement it without asking either of us.`}
      >
        <ul class="claims">
          <li>
            <h3>
              <a href="/standard">Read it here</a>
            </h3>
            <p>
              The same {standard.sections.length}{" "}
              sections, word for word, as on the foundation's site.
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
              <a href="/standard/verification">Verify without us</a>
            </h3>
            <p>
              Anyone can verify a chain with their own tools, by the published procedure. If we
              disappeared tomorrow, it would still verify.
            </p>
          </li>
          <li>
            <h3>
              <a href="/standard/privacy">Your data stays yours</a>
            </h3>
            <p>Chains contain commitments and events, never the data itself.</p>
          </li>
        </ul>
      </Section>
      <Section
        id="participate"
        title="Participate"
        lead="Build on the same infrastructure, or talk to us about yours."
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
