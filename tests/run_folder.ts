/** The variable in which `tests/run.ts` passes the folder to the processes of the tests. */
export const RUN_FOLDER = "GATEHOUSE_TEST_FOLDER";

let own: string | undefined;

/**
 * Returns a folder that only this user can read or write, for what is built once and then used by all tests
 * of a run. A test file that runs without `tests/run.ts` has its own.
 */
export function runFolder(): string {
  const given = Deno.env.get(RUN_FOLDER);
  if (given !== undefined) return given;
  if (own === undefined) {
    const folder = own = Deno.makeTempDirSync({ prefix: "gatehouse-test-" }); // mode 0700
    globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
  }
  return own;
}
