import { page } from "fresh";
import { Head } from "fresh/runtime";
import { define } from "../lib/state.ts";

export const handler = define.handlers({
  GET(ctx) {
    ctx.state.scripts = false;
    return page();
  },
});

export default define.page<typeof handler>(({ state }) => {
  const { organisations } = state.services.config;
  return (
    <article class="prose">
      <Head>
        <title>Terms</title>
      </Head>
      <h1>Terms</h1>
      <p class="lead">
        These pages are published by {organisations.foundation.name} and{" "}
        {organisations.commercial.name}.
      </p>
      <h2>Reading and calling</h2>
      <p>
        The sites, the standard and the MCP servers are open to everybody without an account. An MCP
        server answers a limited number of requests a minute from one address; its descriptor names
        the number.
      </p>
      <h2>No warranty of the catalogue</h2>
      <p>
        The qualification catalogue is a selection for search. Decide nothing by it alone: the
        national register is the authority.
      </p>
    </article>
  );
});
