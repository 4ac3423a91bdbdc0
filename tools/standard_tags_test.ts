import { assertEquals } from "@std/assert";
import { withArtifacts } from "./standard_tags.ts";

Deno.test("content that is drawn outside of all marks becomes a footer or decoration, and clips stay as they are", () => {
  const lines = [
    "q",
    "0 0 9 9 re",
    "W* n",
    "1 0 0 rg",
    "0 0 m",
    "5 5 l",
    "h",
    "f*",
    "/X1 Do",
    "BT",
    "<01> Tj",
    "ET",
    "/P <</MCID 0 >>BDC",
    "0 0 9 9 re",
    "f",
    "BT",
    "<02> Tj",
    "ET",
    "EMC",
    "Q",
  ];
  const marked = withArtifacts(lines.join("\n")).split("\n");
  assertEquals(marked, [
    ...lines.slice(0, 4),
    "/Artifact BMC",
    ...lines.slice(4, 8),
    "EMC",
    "/Artifact BMC",
    "/X1 Do",
    "EMC",
    "/Artifact <</Type /Pagination /Subtype /Footer>> BDC",
    ...lines.slice(9, 12),
    "EMC",
    ...lines.slice(12),
  ]);
});
