import { asset, Head } from "fresh/runtime";
import type { ComponentChildren } from "preact";
import { EVENT_KINDS } from "../../lib/features/chain/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { sampleChain } from "../../lib/features/sample_chain/mod.ts";
import { contactUrl } from "../navigation.ts";
import { LogAdds } from "../log/LogAdds.tsx";
import { DocumentPath } from "./DocumentPath.tsx";
import { type ProductImage, ProductPicture } from "./ProductPicture.tsx";

const HALF = "(max-width: 639.98px) calc(100vw - 2.5rem), (max-width: 69.98rem) 46vw, 31rem";
const FULL = "(max-width: 959.98px) calc(100vw - 2.5rem), 46.5rem";

/** The commercial organisation's home page: what a stranger can check, then what runs it. */
export function CommercialHome({ state }: { state: State }) {
  const { config, surfaces } = state.services;
  const { commercial } = config.organisations;
  const trust = surfaces.baseFrom(state.surface, "trust");
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
            {commercial.name}{" "}
            registers documents and seals them with a hash and a code. Whoever receives one can
            check it in a browser, without an account and without asking us.
          </p>
          <p class="actions">
            {trust !== null && (
              <a class="button primary" href={`${trust}/check`}>Check a document</a>
            )}
            <a class={trust === null ? "button primary" : "button"} href="#product">
              See the product
            </a>
          </p>
          <p class="opening-note muted text-small">The file is never uploaded.</p>
        </div>
        <DocumentPath
          issuer={commercial.name}
          sha256={sampleChain().hash}
          checkUrl={surfaces.url("trust", "/check") ?? state.surface.baseUrl}
        />
      </section>
      {trust !== null && <Checks state={state} trust={trust} />}
      <Audiences state={state} />
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
      lead="Neither answer depends on our word. The browser computes it from the file and from the chain, and shows its work."
    >
      <div class="pair block-print">
        <Feature
          image="check"
          alt="The result of a check: the file matches a current document, with its issuer, title, version and SHA-256."
          sizes={HALF}
          title="Is this file the one that was issued?"
          link={{ href: `${trust}/check`, text: "Check a document" }}
        >
          One changed byte, and it no longer matches. A replaced or withdrawn document says so, with
          the date.
        </Feature>
        <Feature
          image="verify"
          alt="The verification of a chain: every hash and the publisher's signature are valid, followed by the events."
          sizes={HALF}
          title="Has this record's history been changed?"
          link={{ href: `${trust}/verify`, text: "Verify a record" }}
        >
          Each event contains the hash of the one before it, and a signature covers the last.
          Without our key, nobody can insert, reorder or cut off anything unnoticed.
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
      lead="Records that their holders control, documents that strangers check, and a register of qualifications. These are our own pages, with sample data."
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
          The holder sees the chain, the documents and everyone who opened them, decides who may
          read what, and can delete the record.
        </Feature>
        <Feature
          image="document"
          alt="A sample certificate in the document viewer."
          sizes={HALF}
          title="Documents that keep their history"
          link={trust === null
            ? undefined
            : { href: `${trust}/terms`, text: "Our own terms are one of them" }}
        >
          A new version replaces the old one without hiding it. Strangers see who issued a document,
          and ask the holder if they want to read it.
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

function Audiences({ state }: { state: State }) {
  const foundation = state.services.config.organisations.foundation.name;
  const audiences = [
    {
      title: "Issuers",
      text:
        "You issue certificates, statements or reports, and do not want to be called each time " +
        "someone has to confirm one.",
    },
    {
      title: "Holders",
      text: "You earned it. You keep it, show it to whom you like, and see who looked.",
    },
    {
      title: "Verifiers",
      text: "You hire, admit or audit. You hold a file from someone you do not know, and need an " +
        "answer now.",
    },
    {
      title: "Developers",
      text: `You build on an API, an MCP server and a standard that is not ours: ${foundation} ` +
        "maintains it, and your verifier needs nothing from us.",
    },
  ];
  return (
    <Part
      id="audience"
      title="Who it is for"
      lead="People who never meet rely on the same document."
    >
      <ul class="quarter stack">
        {audiences.map(({ title, text }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
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
            kinds of event and no place for a name. 32 random bytes in the hash keep anyone from
            guessing what was recorded.
          </p>
        </li>
        <li>
          <h3>No passwords</h3>
          <p>
            People sign in with a passkey, a link by mail or a code. There is no password to leak.
          </p>
        </li>
        <li>
          <h3>No third parties</h3>
          <p>
            No tracking, no advertising and no fonts or scripts from other companies' servers on
            this page.
          </p>
        </li>
        <li>
          <h3>Deletion</h3>
          <p>
            Holders delete their record themselves. The chain stays, and nobody can tell whose it
            was.
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
      lead="Read it before you talk to us. All of it is public."
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
            <p>Chains, registration and live events, with examples for every request.</p>
          </li>
        )}
        {guide !== null && (
          <li>
            <h3>
              <a href={guide}>Embed the contact form</a>
            </h3>
            <p>One script puts it on your page, and what people send becomes a record.</p>
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
          <p>The procedure, step by step. If we disappeared tomorrow, it would still work.</p>
        </li>
        <li>
          <h3>
            <a href={commercial.codeHostUrl}>Source code</a>
          </h3>
          <p>What runs here, with a verifier for the command line.</p>
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
        Tell us who you are and what you issue. Our contact form runs on the same system: when you
        send it, you get a record with its hash, its chain and its first event.
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
