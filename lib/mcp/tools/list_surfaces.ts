import { z } from "zod";
import { defineTool } from "../tool.ts";

export const listSurfaces = defineTool({
  name: "list_surfaces",
  title: "List the surfaces",
  description: "Lists the web sites and services (surfaces) of both organisations with their " +
    "address, their purpose and what each one shows.",
  input: z.strictObject({}),
  run: (_, { surfaces }) => ({ surfaces: surfaces() }),
});
