import { Head } from "fresh/runtime";
import { CodeBlock } from "../components/CodeBlock.tsx";
import { clientGuide } from "../components/mcp/client_guide.tsx";
import { connectPropsOf } from "../components/mcp/ConnectBadge.tsx";
import { Sections } from "../components/mcp/Explainer.tsx";
import { introduction, management } from "../components/mcp/sections.tsx";
import { TEXTS } from "../components/mcp/texts.ts";
import { define, sharedPage } from "../lib/app/state.ts";

export const handler = sharedPage();

/** The content of the badge's dialog as a page, which also works without scripts. */
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
          <p class="lead above-4 flush">{TEXTS[props.entity].why(props.entityName)}</p>
        </div>
        <div>
          <CodeBlock label="Copy the server's URL" code={props.endpoint} />
          <p class="note">Every client below accepts it.</p>
        </div>
      </header>
      <Sections
        sections={[...clientGuide(state), ...introduction(props), management(props)]}
      />
    </article>
  );
});
