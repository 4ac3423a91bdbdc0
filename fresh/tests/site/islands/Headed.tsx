import { Head } from "fresh/runtime";
import { useState } from "preact/hooks";

export default function Headed() {
  const [n, setN] = useState(0);
  const [more, setMore] = useState(false);
  return (
    <p>
      <Head>
        <title>Clicked {n}</title>
        <meta name="description" content={`${n}`} />
        <link key="own" rel="stylesheet" href={`/${n}.css`} />
        <link rel="alternate" href={`/feed/${n}`} />
        {more && <meta name="robots" content="noindex" />}
      </Head>
      <button type="button" onClick={() => setN(n + 1)}>{n}</button>
      <button type="button" id="more" onClick={() => setMore(true)}>more</button>
    </p>
  );
}
