import { publicFile } from "../lib/platform/http/public_file.ts";
import { standardMarkdown } from "../lib/features/standard/mod.ts";
import { textOf } from "../lib/features/standard/http.ts";
import type { State } from "../lib/app/state.ts";

/** Returns the whole standard as Markdown, by default in the current version. */
export const handler = publicFile<State>(({ services, surface }, url) => ({
  body: standardMarkdown(
    textOf(services.standard, url),
    services.surfaces.url("foundation") ?? surface.baseUrl,
  ),
  contentType: "text/markdown; charset=utf-8",
}));
