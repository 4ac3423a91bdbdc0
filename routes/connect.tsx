import { Head } from "fresh/runtime";
import { connectPropsOf } from "../components/mcp/ConnectBadge.tsx";
import { Sections } from "../components/mcp/Explainer.tsx";
import { clientsUrl, explainerSections } from "../components/mcp/sections.tsx";
import { TEXTS } from "../components/mcp/texts.ts";
import { define, sharedPage } from "../lib/app/state.ts";

export const handler = sharedPage();

/** The content of the badge's dialog as a page, which leads to the server's own page for the steps of each client. */
export default define.page<typeof handler>(({ state }) => {
  const props = connectPropsOf(state);
  const title = `Connect your agent to ${props.entityName}`;
  const description =
    `What the Model Context Protocol is, and how to connect an AI assistant to ${props.endpoint}.`;
  return (
    <article class="connect-page">
      <Head>
        <title>{title}</title>
        <meta name="description" content={description} />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={description} />
      </Head>
      <header class="connect-opening stack bottom">
        <div>
          <p class="eyebrow">Model Context Protocol</p>
          <h1>{title}</h1>
          <p class="lead above-4">{TEXTS[props.entity].lead}</p>
          <p class="actions flush above-4">
            <a class="button primary" href={clientsUrl(props)}>Steps for your client</a>
          </p>
        </div>
      </header>
      <Sections sections={explainerSections(props)} />
    </article>
  );
});
