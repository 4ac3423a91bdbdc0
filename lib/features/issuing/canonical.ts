/** Returns JSON in which the order of members does not matter. */
export function canonical(value: unknown): string {
  return JSON.stringify(
    value,
    (_, part) =>
      part !== null && typeof part === "object" && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => a < b ? -1 : 1))
        : part,
  );
}
