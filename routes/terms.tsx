import { page } from "fresh";
import { Head } from "fresh/runtime";
import { define } from "../lib/state.ts";

export const handler = define.handlers({
  GET(ctx) {
    ctx.state.scripts = false;
    return page();
  },
});

/** What holds between us and whoever uses the sites. */
export default define.page<typeof handler>(({ state }) => {
  const { config, surfaces } = state.services;
  const { foundation, commercial } = config.organisations;
  const site = surfaces.url("site", "/");
  return (
    <article class="prose">
      <Head>
        <title>Terms</title>
        <meta name="description" content="What holds when you use these sites." />
      </Head>
      <h1>Terms</h1>
      <p class="lead">
        These sites are published by {foundation.name} and{" "}
        {commercial.name}. By using them you agree to what follows; it is short.
      </p>

      <h2>Reading and calling</h2>
      <p>
        The sites, the standard and the MCP servers are open to everybody without an account. An MCP
        server answers a limited number of requests a minute from one address; its descriptor names
        the number.
      </p>

      <h2>Your account</h2>
      <p>
        An account on {site === null ? config.productName : <a href={site}>{config.productName}</a>}
        {" "}
        is an email address and nothing more. There is no password: a link that we mail to the
        address opens it, once and within 15 minutes. Whoever reads the mail of that address can
        sign in, so use an address that is yours alone, and sign out on machines that others use.
      </p>
      <p>
        Ask for links for your own address only. We send at most three an hour to one address. An
        account costs nothing, and you may have it deleted at any time; the{" "}
        <a href="/privacy">privacy page</a> says how.
      </p>

      <h2>The catalogue</h2>
      <p>
        The qualification catalogue is a selection for search, without warranty. Decide nothing by
        it alone: the <a href="https://training.gov.au">national register</a> is the authority.
      </p>

      <h2>Fair use</h2>
      <p>
        Do not try to sign in as somebody else, to get around the limits, or to disturb the service
        for others. We may end sessions and close accounts that do.
      </p>

      <h2>Questions</h2>
      <p>
        Write to <a href={`mailto:${commercial.contactEmail}`}>{commercial.contactEmail}</a>.
      </p>
    </article>
  );
});
