/** A gallery of the charts, for development only. */
import { HttpError, page } from "fresh";
import { asset, Head } from "fresh/runtime";
import Chart from "../../islands/Chart.tsx";
import ChartPlayground from "../../islands/ChartPlayground.tsx";
import {
  type Example,
  EXAMPLES,
  FAILING,
  NO_DATA,
  SOURCES,
} from "../../lib/features/chart/examples.ts";
import { balanceSample, categorySample, flowSample } from "../../lib/features/chart/samples.ts";
import { define, pageHandler } from "../../lib/app/state.ts";

const PLAYGROUND = "playground";

/**
 * The chart in every type and state. `?only=bar,empty` shows only the named examples; `?data=flow`
 * returns the data of an example that loads its data from a URL.
 */
export const handler = pageHandler({
  GET({ url, json }) {
    const source = url.searchParams.get("data");
    if (source === "failing") throw new HttpError(503);
    if (source !== null) {
      if (!Object.hasOwn(SOURCES, source)) throw new HttpError(404);
      return json(SOURCES[source]());
    }
    const all = [...Object.keys(EXAMPLES), PLAYGROUND];
    const names = url.searchParams.get("only")?.split(",") ?? all;
    if (names.some((name) => !all.includes(name))) throw new HttpError(404);
    return page({ names });
  },
});

export default define.page<typeof handler>(({ data: { names } }) => (
  <div class="gallery">
    <Head>
      <title>Charts</title>
      <link key="styles" rel="stylesheet" href={asset("/styles/pages/chart.css")} />
    </Head>
    <p class="eyebrow">
      <a href="/">Workbench</a>
    </p>
    <h1>Charts</h1>
    {names.map((name) =>
      name === PLAYGROUND ? <Playground key={name} /> : <Single key={name} {...EXAMPLES[name]} />
    )}
  </div>
));

function Single({ title, data, ...props }: Example) {
  return (
    <>
      <h2>{title}</h2>
      <Chart {...props} data={data?.() ?? NO_DATA} />
    </>
  );
}

function Playground() {
  return (
    <>
      <h2>Playground</h2>
      <ChartPlayground
        data={{
          balance: balanceSample(),
          flow: flowSample(90),
          categories: categorySample(),
          none: NO_DATA,
        }}
        sources={{ fetched: "/dev/charts?data=flow", failing: FAILING }}
      />
    </>
  );
}
