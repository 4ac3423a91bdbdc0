import { Head } from "fresh/runtime";
import { LINKS_PER_HOUR, TOKEN_LIFETIME } from "../../lib/auth/mod.ts";
import type { State } from "../../lib/state.ts";
import { Contacts } from "./Contacts.tsx";

export function TermsPage({ state }: { state: State }) {
  const { config, surfaces } = state.services;
  const { foundation, commercial } = config.organisations;
  const site = surfaces.url("site", "/");
  return (
    <article class="prose">
      <Head>
        <title>Terms</title>
        <meta name="description" content="The terms of use of these sites." />
      </Head>
      <h1>Terms</h1>
      <p class="lead">
        These sites are published by {foundation.name} and{" "}
        {commercial.name}. By using them you agree to these terms.
      </p>

      <h2>Access</h2>
      <p>
        The sites, the standard and the MCP servers are open to everyone without an account. An MCP
        server may limit the requests per minute from one address; its descriptor states the limit.
      </p>

      <h2>Your account</h2>
      <p>
        An account on {site === null ? config.productName : <a href={site}>{config.productName}</a>}
        {" "}
        is an email address and nothing more. There is no password: we mail a link that signs you in
        once, within{" "}
        {TOKEN_LIFETIME}. Anyone who reads that mailbox can sign in, so use an address that only you
        can read, and sign out on shared computers.
      </p>
      <p>
        Request links only for your own address. We send at most {LINKS_PER_HOUR}{" "}
        per hour to one address. An account is free, and you can have it deleted at any time: see
        the <a href="/privacy">privacy page</a>.
      </p>

      <h2>The catalogue</h2>
      <p>
        The qualification catalogue is a selection, provided without warranty. Do not rely on it
        alone: the <a href="https://training.gov.au">national register</a> is authoritative.
      </p>

      <h2>Fair use</h2>
      <p>
        Do not try to sign in as someone else, circumvent the limits or disrupt the service for
        others. If you do, we may end your sessions and close your account.
      </p>

      <h2>Questions</h2>
      <p>
        Write to the organisation whose site you used. An enquiry belongs to the organisation on
        whose site it was made, and an account on {config.productName} belongs to {commercial.name}.
      </p>
      <Contacts state={state} />
    </article>
  );
}
