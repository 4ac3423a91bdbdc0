/** The page `/implementations` of the foundation's site. */
import { PageHead } from "../PageHead.tsx";
import type { ComponentChildren } from "preact";
import type { State } from "../../lib/app/state.ts";
import { VECTORS } from "../../packages/proof/kit/mod.ts";
import { CodeBlock } from "../CodeBlock.tsx";
import { Numbered, PageOpening } from "./Numbered.tsx";
import { hasRoute } from "./standard_documents.ts";

/** The programs that implement the standard, and how to list another one. */
export function ImplementationsPage({ state }: { state: State }) {
  const { standard, config } = state.services;
  const { foundation: { name, codeHostUrl }, commercial } = config.organisations;
  const version = standard.version;
  return (
    <div class="foundation-page">
      <PageHead
        title={`Implementations · ${name}`}
        description={`Programs that implement the ${standard.title}, what each covers, and how to list yours.`}
        styles="foundation"
      />
      <PageOpening eyebrow={`${standard.title} ${version}`} title="Implementations">
        These programs implement version{" "}
        {version}. Their code is independent, but their authors are not: all of them come from one
        project. We would like to list yours next.
      </PageOpening>
      <Numbered id="list" number={1} title="The implementations">
        <Implementation
          name="This site's own"
          path="packages/proof"
          language="TypeScript"
          roles="Publisher, verifier, discovery host"
          tested="All vectors and the conformance kit. The tests also remove each of its checks in turn, and the kit must notice."
        >
          It creates records and chains, signs heads, and verifies chains in the browser and from a
          command. {commercial.name} publishes its records with it, and{" "}
          <a href="/verify">this site's verifier</a> is part of it. You can{" "}
          <a href="/verifier">load its verifier</a> into your own page or program.
        </Implementation>
        <Implementation
          name="A verifier in Python"
          path="docs/conform/verifier.py"
          language="Python"
          roles="Verifier"
          tested="The conformance kit, if Python is installed."
        >
          A single file without packages, Ed25519 included. It is written to be read rather than to
          be fast, and it is a starting point for other languages.
        </Implementation>
      </Numbered>
      <Numbered id="tested" number={2} title="How they are tested">
        <p>
          The standard prints {VECTORS.valid.length}{" "}
          chains with every byte that is hashed and signed, and {VECTORS.invalid.length}{" "}
          altered chains, {VECTORS.heads.length} altered heads, {VECTORS.signatures.length}{" "}
          keys and signatures and {VECTORS.texts.length}{" "}
          JSON texts with the result that a verifier must report. The vectors were computed without
          any of these programs, and they never change.
        </p>
        <p>
          Passing does not prove that a program has no errors, only that it agrees with the standard
          on everything that a vector covers.
        </p>
        <p class="wrap gap-2-5 above-5">
          <a href="/standard/test-vectors">The test vectors</a>
          {hasRoute(state, "/standard/vectors.json") && (
            <a href="/standard/vectors.json">
              As JSON
            </a>
          )}
        </p>
      </Numbered>
      <Numbered id="add" number={3} title="List yours">
        <ol class="steps below-5">
          <li>
            <strong>Run the conformance kit.</strong>{" "}
            It starts your program, writes requests to its standard input as lines of JSON, and
            compares the responses with the vectors.
            <CodeBlock label="In a terminal" code="deno task conform python3 verifier.py" />
            {hasRoute(state, "/standard/kit") && (
              <a href="/standard/kit">The kit and its protocol</a>
            )}
          </li>
          <li>
            <strong>Name the role and the version.</strong> For example: "conforms to the{" "}
            {standard.title}, version {version}, as a verifier".
          </li>
          <li>
            <strong>Open a proposal</strong> at <a href={codeHostUrl}>the code host</a>{" "}
            with the program's name, its maintainer, its source or website, and the kit's report.
          </li>
        </ol>
        <p>
          Each entry is a statement by its author. {name}{" "}
          checks that the report matches the kit. It does not certify implementations.
        </p>
      </Numbered>
    </div>
  );
}

function Implementation({ name, path, language, roles, tested, children }: {
  name: string;
  /** Its folder or file in the repository. */
  path: string;
  language: string;
  roles: string;
  tested: string;
  children: ComponentChildren;
}) {
  return (
    <section class="implementation">
      <h3>{name}</h3>
      <p>{children}</p>
      <dl class="ledger">
        <dt>Role</dt>
        <dd>{roles}</dd>
        <dt>Language</dt>
        <dd>{language}</dd>
        <dt>Code</dt>
        <dd>
          <code>{path}</code>
        </dd>
        <dt>Tested with</dt>
        <dd>{tested}</dd>
      </dl>
    </section>
  );
}
