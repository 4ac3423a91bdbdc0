import { formatSavedChain, type SavedChain } from "../../lib/chain/mod.ts";

/** Gives a chain to the browser as a file to keep. */
export function saveChain(chain: SavedChain): void {
  const blob = new Blob([formatSavedChain(chain)], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `chain-${chain.hash.slice(0, 8)}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
