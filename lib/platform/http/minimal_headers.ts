/** Returns the headers that every response has (design, section 8). */
export function minimalHeaders({ hsts }: { hsts?: string }): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    ...hsts === undefined ? {} : { "strict-transport-security": hsts },
  };
}
