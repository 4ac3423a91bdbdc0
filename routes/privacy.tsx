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
  const { contactEmail } = state.services.config.organisations[state.surface.organisation];
  return (
    <article class="prose">
      <Head>
        <title>Privacy</title>
      </Head>
      <h1>Privacy</h1>
      <p class="lead">What these sites keep of you: as little as they can.</p>
      <h2>What is stored</h2>
      <p>
        Nothing about you is stored on our servers. Your address is held in memory for a minute to
        count requests to an MCP server, and then forgotten.
      </p>
      <h2>Cookies</h2>
      <p>
        One, and only if you switch between dark and light:{" "}
        <code>theme</code>, which holds that word for a year. There is no tracking and no other
        party's script.
      </p>
      <h2>Questions</h2>
      <p>
        Write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>.
      </p>
    </article>
  );
});
