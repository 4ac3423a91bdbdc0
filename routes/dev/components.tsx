import { asset, Head } from "fresh/runtime";
import { ComponentSamples } from "../../components/pages/ComponentSamples.tsx";
import ComponentDemos from "../../islands/ComponentDemos.tsx";
import CopyCode from "../../islands/CopyCode.tsx";
import { define, pageHandler } from "../../lib/app/state.ts";

export const handler = pageHandler();

export default define.page<typeof handler>(() => (
  <div class="gallery">
    <Head>
      <title>Components</title>
      <link key="styles" rel="stylesheet" href={asset("/styles/pages/gallery.css")} />
    </Head>
    <p class="eyebrow">
      <a href="/">Workbench</a>
    </p>
    <h1>Components</h1>

    <ComponentSamples />

    <h2>Code</h2>
    <CopyCode label="Start" code="npx -y deno@2.9.6 task start" />

    <h2>Modal and toast</h2>
    <ComponentDemos />
  </div>
));
