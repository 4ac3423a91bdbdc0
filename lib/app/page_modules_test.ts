import { assertEquals } from "@std/assert";
import { dirname } from "node:path";
import { pageModules } from "./page_modules.ts";

const FILES: Record<string, string> = {
  "routes/_app.tsx": 'import "../components/Shell.tsx";\nconst styles = x ? "other" : "site";',
  "routes/index.tsx":
    'import { Home } from "../components/Home.tsx";\nimport "../components/Sub.tsx";',
  "routes/console/index.tsx": 'import "../../components/Type.tsx";',
  "routes/console/list.tsx": 'import "../../components/List.tsx";',
  "routes/console/list/one.tsx": 'import "../../../components/One.tsx";',
  "lib/app/middlewares/errors.tsx": "",
  "lib/render.ts": 'const html = (text: string) => `<p class="number">${text}</p>`;',
  "lib/plain.ts": "",
  "components/Shell.tsx": "",
  "components/Home.tsx":
    'import {\n  Part,\n} from "./Part.tsx";\nimport type { T } from "./Type.tsx";\n<Head styles="home" />',
  "components/Part.tsx": 'await import("./late.ts");',
  "components/late.ts": "",
  "components/Type.tsx": "",
  "components/Frame.tsx": 'const Frame = ({ styles = "frame" }) => null;',
  "components/Sub.tsx": 'import { Frame } from "./Frame.tsx";\nimport "./Inner.tsx";',
  "components/Inner.tsx": "",
  "components/List.tsx": "",
  "components/One.tsx": "",
  "static/styles/pages/lists.css": "/* routes/console/list */",
  "static/styles/pages/rest.css": "/* routes/console */",
};

Deno.test("pageModules() returns what the pages of a stylesheet consist of", async () => {
  const root = await Deno.makeTempDir();
  try {
    for (const [path, text] of Object.entries(FILES)) {
      await Deno.mkdir(dirname(`${root}/${path}`), { recursive: true });
      await Deno.writeTextFile(`${root}/${path}`, text);
    }
    const modules = pageModules(root);
    const pathsOf = (sheet: string) =>
      modules(sheet).map((path) => path.slice(root.length + 1))
        .filter((path) => path.startsWith("components/"))
        .map((path) => path.slice("components/".length).replace(/\.tsx?$/, "")).sort();
    assertEquals(
      pathsOf("home"),
      ["Home", "Part", "Shell", "late"],
      "with its imports and the frame",
    );
    assertEquals(pathsOf("frame"), ["Frame", "Inner", "Shell", "Sub"], "with what is put into it");
    assertEquals(pathsOf("lists"), ["List", "One"], "of the routes that it names");
    assertEquals(pathsOf("rest"), ["Type"], "but not of those of a longer name");
    assertEquals(pathsOf("site").length, 10, "of all pages without their own");
    for (const sheet of ["home", "lists"]) {
      const inLib = modules(sheet).filter((path) => path.startsWith(`${root}/lib/`));
      assertEquals(inLib, [`${root}/lib/render.ts`], "and what writes HTML, without an import");
    }
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
