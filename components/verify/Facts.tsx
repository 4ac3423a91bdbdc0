import type { ChainVerification } from "../../lib/chain/mod.ts";
import type { SavedChain } from "../../lib/chain/mod.ts";

/** What a good verdict rests on, to be compared with what is known from elsewhere. */
export function Facts(
  { chain, result }: { chain: SavedChain; result: ChainVerification & { ok: true } },
) {
  const facts = [
    ["Record", result.head.origin.slice(result.head.origin.indexOf("/") + 1)],
    ["Publisher", chain.publisher],
    ["Tip", result.tip],
    ["Signed at", result.head.at],
    ["Key", result.head.kid],
  ];
  return (
    <dl class="facts verify-facts">
      {facts.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd class="mono">{value}</dd>
        </>
      ))}
    </dl>
  );
}
