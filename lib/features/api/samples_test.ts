import { assertEquals } from "@std/assert";
import { regionsOf, samplesOf } from "./samples.ts";

Deno.test("a region is a part of a program, with its imports and without its indentation", () => {
  const program = `import { a } from "./a.ts";

// region readThing: Read it
const thing = read(
  1,
);
// end region
x = (
  # region listThings
  list \\
    --all
  # end region
)
`;
  assertEquals(regionsOf(program), [
    {
      operation: "readThing",
      title: "Read it",
      code: 'import { a } from "./a.ts";\n\nconst thing = read(\n  1,\n);',
    },
    {
      operation: "listThings",
      title: null,
      code: 'import { a } from "./a.ts";\n\nlist \\\n  --all',
    },
  ]);
});

Deno.test("samples for the shell have the address of the deployment, and other operations have none", () => {
  const [{ code }] = samplesOf("readIssuer", "http://localhost:8000");
  assertEquals(
    code.sh,
    "curl -sS --fail-with-body http://localhost:8000/api/documents/issuer \\\n" +
      '  -H "Authorization: Bearer $GATEHOUSE_API_KEY"',
  );
  assertEquals(samplesOf("searchQualifications", "http://localhost:8000"), []);
});
