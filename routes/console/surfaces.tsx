import { page } from "fresh";
import { asset, Head } from "fresh/runtime";
import { ConsoleFrame } from "../../components/console/ConsoleFrame.tsx";
import { RegistryPage } from "../../components/console/registry/RegistryPage.tsx";
import { gate, readRegistry } from "../../lib/ops/mod.ts";
import { define } from "../../lib/state.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const operator = await gate(ctx, "L2");
    if (operator instanceof Response) return operator;
    return page({ operator, registry: await readRegistry(ctx.state.services) });
  },
});

/** The surface registry, for both layers: it has counts and times, and nobody's address. */
export default define.page<typeof handler>(({ data: { operator, registry }, state, url, req }) => (
  <ConsoleFrame {...{ state, url, req, operator }} title="Surfaces">
    <Head>
      <link rel="stylesheet" href={asset("/styles/registry.css")} />
    </Head>
    <RegistryPage registry={registry} />
  </ConsoleFrame>
));
