/** Prints a value as a line of JSON at once, for the test that has started this process. */
export const printLine = (value: unknown): number =>
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(value) + "\n"));
