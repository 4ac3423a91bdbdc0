export const FLOW_PATH = "/console/finance/flow";

/** Returns the URL of the transactions behind a sum of money. */
export const flowPath = (
  filters: { start: string; end: string; direction?: "in" | "out" },
): string => `${FLOW_PATH}?${new URLSearchParams(filters)}`;
