import { publicFile } from "../lib/platform/http/public_file.ts";
import { standardMarkdown } from "../lib/features/standard/mod.ts";
import { define, type State } from "../lib/app/state.ts";

/** Returns the whole standard as Markdown. */
export const handler = define.handlers(publicFile<State>(({ services, surface }) => ({
  body: standardMarkdown(services.standard, services.surfaces.url("foundation") ?? surface.baseUrl),
  contentType: "text/markdown; charset=utf-8",
})));
