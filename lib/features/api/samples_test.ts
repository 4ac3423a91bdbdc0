import { assertEquals } from "@std/assert";
import { regionsOf, samplesOf } from "./samples.ts";

Deno.test("a region is a part of a program, with the imports that it uses and without its indentation", () => {
  const program = `import { read, write } from "./files.ts";
import { dataOf } from "./client.ts";
from base64 import b64encode

// region readThing: Read it
const thing = dataOf(
  "x",
);
// end region
x = (
  # region listThings
  b64encode(read)
    .close()
  # end region
)
// region removeThing
remove();
// end region
`;
  assertEquals(regionsOf(program), [
    {
      operation: "readThing",
      title: "Read it",
      code: 'import { dataOf } from "./client.ts";\n\nconst thing = dataOf(\n  "x",\n);',
    },
    {
      operation: "listThings",
      title: null,
      code: 'import { read, write } from "./files.ts";\nfrom base64 import b64encode\n\n' +
        "b64encode(read)\n  .close()",
    },
    { operation: "removeThing", title: null, code: "remove();" },
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
