/**
 * Runs the tests of accounts, enquiries, records, documents and apps on a store that takes 20 ms longer
 * for each call, as one in another region does. Arguments replace the default files.
 *
 *     deno task test:slow-kv
 *     deno task test:slow-kv tests/oauth_tokens_test.ts
 *
 * @module
 */
const DELAY_MS = 20;

/** Matches the names of the test files of these features. */
const FEATURES =
  /^(access|account|check|codes|contact|document|documents|issued|key|my_record|oauth|passkeys|record|sign_in)_/;

const files = [...Deno.readDirSync(import.meta.dirname!)].map(({ name }) => name)
  .filter((name) => FEATURES.test(name) && name.endsWith("_test.ts")).sort()
  .map((name) => `tests/${name}`);

const began = performance.now();
const { code } = await new Deno.Command(Deno.execPath(), {
  args: [
    "run",
    "-A",
    "--frozen",
    "--lock=dev.lock",
    "tests/run.ts",
    ...Deno.args.length > 0 ? Deno.args : files,
  ],
  cwd: new URL("..", import.meta.url),
  env: { TEST_KV_DELAY_MS: String(DELAY_MS) },
}).spawn().status;
console.log(`${Math.round((performance.now() - began) / 1000)} s with ${DELAY_MS} ms per call`);
Deno.exit(code);
