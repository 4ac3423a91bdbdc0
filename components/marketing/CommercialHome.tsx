/** The start page of the commercial organisation's marketing site. */
import { asset, Head } from "fresh/runtime";
import type { ComponentChildren } from "preact";
import { EVENT_KINDS } from "../../packages/proof/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { sampleChain } from "../../lib/features/marketing/mod.ts";
import { contactUrl } from "../navigation.ts";
import { LogAdds } from "../LogAdds.tsx";
import { DocumentPath } from "./DocumentPath.tsx";
import { type ProductImage, ProductPicture } from "./ProductPicture.tsx";

const HALF = "(max-width: 639.98px) calc(100vw - 2.5rem), (max-width: 69.98rem) 46vw, 31rem";
const FULL = "(max-width: 959.98px) calc(100vw - 2.5rem), 46.5rem";

/** The commercial organisation's home page: how an organisation issues, what a stranger checks, then what runs it. */
export function CommercialHome({ state }: { state: State }) {
  const { config, surfaces } = state.services;
  const { commercial } = config.organisations;
  const trust = surfaces.baseFrom(state.surface, "trust");
  const contact = contactUrl(state) ?? `mailto:${commercial.contactEmail}`;
  return (
    <div class="commercial-home">
      <Head>
        <title>{`${commercial.name}: certificates that a stranger can check`}</title>
        <meta name="description" content={commercial.description} />
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/commercial_home.css")} />
      </Head>
      <section class="opening stack">
        <div class="opening-text">
          <p class="eyebrow">Certification infrastructure</p>
          <h1 class="below-5">Certificates that a stranger can check</h1>
          <p class="lead flush">
            Issue them by API or from a spreadsheet. {commercial.name}{" "}
            seals each with a hash and a code, and whoever receives one checks it in a browser,
            without an account and without asking us.
          </p>
          <p class="actions">
            <a class="button primary" href="#issue">Issue certificates</a>
            {trust !== null && <a class="button" href={`${trust}/check`}>Check a document</a>}
          </p>
        </div>
        <DocumentPath
          issuer={commercial.name}
          sha256={sampleChain().hash}
          checkUrl={surfaces.url("trust", "/check") ?? state.surface.baseUrl}
        />
      </section>
      <Issuing state={state} contact={contact} />
      {trust !== null && <Checks state={state} trust={trust} />}
      <Product state={state} trust={trust} />
      <Security trust={trust} />
      <Documentation state={state} />
      <Contact state={state} />
    </div>
  );
}

function Part(
  { id, title, lead, band = false, children }: {
    id: string;
    title: string;
    lead: ComponentChildren;
    /** True if the section has its own background, over the whole width. */
    band?: boolean;
    children: ComponentChildren;
  },
) {
  return (
    <section class={band ? "stretch band" : "stretch"} id={id} aria-labelledby={`${id}-title`}>
      <header class="stretch-head">
        <h2 id={`${id}-title`}>{title}</h2>
        <p class="lead flush">{lead}</p>
      </header>
      {children}
    </section>
  );
}

function Checks({ state, trust }: { state: State; trust: string }) {
  return (
    <Part
      id="verify"
      title="Ask the browser, not us"
      lead="Neither answer depends on our word: the browser computes it."
    >
      <div class="pair block-print">
        <Feature
          image="check"
          alt="The result of a check: the file matches a current document, with its issuer, its version and its place in the public log."
          sizes={HALF}
          title="Is this file the one that was issued?"
          link={{ href: `${trust}/check`, text: "Check a document" }}
        >
          One changed byte, and it no longer matches. A replaced or withdrawn document says so.
        </Feature>
        <Feature
          image="verify"
          alt="The verification of a chain: every hash and the publisher's signature are valid, followed by the events."
          sizes={HALF}
          title="Has this record's history been changed?"
          link={{ href: `${trust}/verify`, text: "Verify a record" }}
        >
          Each event contains the hash of the one before it, and a signature covers the last.
        </Feature>
      </div>
      <p class="measure-wide flush muted">
        <LogAdds state={state} />
      </p>
    </Part>
  );
}

function Feature(
  { image, alt, sizes, title, link, aside = false, children }: {
    image: ProductImage;
    alt: string;
    sizes: string;
    title: string;
    link?: { href: string; text: string };
    /** True if wide screens show the text beside the picture. */
    aside?: boolean;
    children: ComponentChildren;
  },
) {
  return (
    <div class={aside ? "feature aside" : "feature"}>
      <ProductPicture name={image} alt={alt} sizes={sizes} />
      <div class="feature-text">
        <h3 class="below-2">{title}</h3>
        <p class="flush muted">{children}</p>
        {link !== undefined && (
          <p class="more muted flex wraps gap-2-5 above-3">
            <a href={link.href}>{link.text}</a>
          </p>
        )}
      </div>
    </div>
  );
}

function Product({ state, trust }: { state: State; trust: string | null }) {
  const { catalogue, config, surfaces } = state.services;
  const packages = new Set(catalogue.all.map((item) => item.training_package.code));
  const site = surfaces.url("site", "/");
  return (
    <Part
      id="product"
      band
      title="What we run"
      lead="Our own pages, with sample data."
    >
      <div class="pair block-print">
        <Feature
          image="record"
          alt="A holder's record: level 3 of 4, and the certificate that was issued to the holder."
          sizes={HALF}
          title="Records that belong to their holders"
          link={trust === null
            ? undefined
            : { href: `${trust}/levels`, text: "What each level means" }}
        >
          The holder sees everyone who opened a document, decides who may read it, and can delete
          the record.
        </Feature>
        <Feature
          image="shared"
          alt="A certificate that its holder has shared: genuine, issued by Example College, unchanged and in force, with its first page."
          sizes={HALF}
          title="Documents that keep their history"
          link={trust === null
            ? undefined
            : { href: `${trust}/terms`, text: "Our own terms are one of them" }}
        >
          A new version replaces the old one without hiding it. Strangers see the issuer, and ask
          the holder if they want to read it.
        </Feature>
      </div>
      <Feature
        image="qualifications"
        alt={`A search for current qualifications with “care” in ${config.productName}, with level, training package and status.`}
        sizes={FULL}
        aside
        title={config.productName}
        link={site === null ? undefined : { href: site, text: "Search qualifications" }}
      >
        {catalogue.size} Australian vocational qualifications from {packages.size}{" "}
        training packages, each with its level, status and successor.
      </Feature>
    </Part>
  );
}

/** The steps by which an organisation becomes an issuer. */
function Issuing({ state, contact }: { state: State; contact: string }) {
  const guide = state.services.surfaces.url("api", "/docs/issuing");
  return (
    <Part
      id="issue"
      title="Become an issuer"
      lead="Schools, registers and certifiers issue in their own name, with their own domain."
    >
      <ol class="quarter steps-three stack">
        <li>
          <h3>Write to us</h3>
          <p>
            Say what you issue, and ask for the price. We approve your organisation once, and verify
            its web domain.
          </p>
        </li>
        <li>
          <h3>Try it with a test key</h3>
          <p>Nothing is real, and nobody is emailed. The first certificate takes one request.</p>
        </li>
        <li>
          <h3>Issue</h3>
          <p>
            One by API, or thousands from a file. Each recipient gets an email and keeps a record.
          </p>
        </li>
      </ol>
      <p class="actions">
        <a class="button primary" href={contact}>Become an issuer</a>
        {guide !== null && <a class="button" href={guide}>How issuing works</a>}
      </p>
    </Part>
  );
}

function Security({ trust }: { trust: string | null }) {
  return (
    <Part
      id="security"
      title="Built so that there is little to steal"
      lead="The public part of a record contains no personal data, and the private part can be deleted."
    >
      <ul class="quarter stack">
        <li>
          <h3>Hashes in public, data in private</h3>
          <p>
            A chain has {EVENT_KINDS.length}{" "}
            kinds of event and no place for a name. 32 random bytes in its hash prevent guesses.
          </p>
        </li>
        <li>
          <h3>No passwords</h3>
          <p>
            People sign in with a passkey, a link by email or a code.
          </p>
        </li>
        <li>
          <h3>No third parties</h3>
          <p>
            No tracking, no advertising, nothing from other companies' servers on this page.
          </p>
        </li>
        <li>
          <h3>Deletion</h3>
          <p>
            Holders delete their record themselves. Nobody can tell whose chain it was.
          </p>
        </li>
      </ul>
      <p class="more flex wraps gap-2-5">
        <a href="/security">How it is secured</a>
        {trust !== null && <a href={`${trust}/privacy`}>What is stored about you</a>}
        <a href="/status">Status of the services</a>
      </p>
    </Part>
  );
}

function Documentation({ state }: { state: State }) {
  const { standard, surfaces, manifests, config } = state.services;
  const { foundation, commercial } = config.organisations;
  const api = surfaces.url("api", "/docs");
  const guide = surfaces.url("api", "/docs/contact-form");
  return (
    <Part
      id="documentation"
      band
      title="Documentation"
      lead="All of it is public."
    >
      <ul class="library stack gap-4">
        <li>
          <h3>
            <a href="/standard">The standard</a>
          </h3>
          <p>
            {standard.title} {standard.version}, {standard.sections.length} sections.{" "}
            {foundation.name} maintains it, and anyone may implement it.
          </p>
        </li>
        {api !== null && (
          <li>
            <h3>
              <a href={api}>API reference</a>
            </h3>
            <p>Issuing, chains and live events, with examples for every request.</p>
          </li>
        )}
        {guide !== null && (
          <li>
            <h3>
              <a href={guide}>Embed the contact form</a>
            </h3>
            <p>One script on your page. What people send becomes a record.</p>
          </li>
        )}
        <li>
          <h3>
            <a href="/connect">Connect an agent</a>
          </h3>
          <p>
            Add <code>{manifests.commercial.endpoint}</code> to your MCP client.
          </p>
        </li>
        <li>
          <h3>
            <a href="/standard/verification">Verify without us</a>
          </h3>
          <p>Step by step. It works even if we disappear.</p>
        </li>
        <li>
          <h3>
            <a href={commercial.codeHostUrl}>Source code</a>
          </h3>
          <p>What runs here, with a command-line verifier.</p>
        </li>
      </ul>
    </Part>
  );
}

function Contact({ state }: { state: State }) {
  const { commercial } = state.services.config.organisations;
  const contact = contactUrl(state);
  return (
    <section class="closing stack" id="participate" aria-labelledby="participate-title">
      <h2 id="participate-title">Issue your first certificate</h2>
      <p class="lead flush">
        Tell us who you are and what you issue. What you send becomes a record of its own.
      </p>
      <p class="actions">
        {contact === null
          ? (
            <a class="button primary" href={`mailto:${commercial.contactEmail}`}>
              {commercial.contactEmail}
            </a>
          )
          : <a class="button primary" href={contact}>Contact us</a>}
        <a class="button" href="/standard">Read the standard</a>
      </p>
    </section>
  );
}
