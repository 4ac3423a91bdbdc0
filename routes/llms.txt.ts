import { publicFile } from "../lib/platform/http/public_file.ts";
import { llmsText } from "../lib/features/standard/mod.ts";
import type { State } from "../lib/app/state.ts";

/** Describes the site for language models, with links to Markdown (llmstxt.org). */
export const handler = publicFile<State>(({ services, surface }) => {
  const { surfaces, config, manifests, standard } = services;
  const { name, description } = config.organisations[surface.organisation];
  const foundation = surfaces.url("foundation");
  return {
    body: llmsText({
      standard,
      name,
      description,
      standardBase: foundation ?? surface.baseUrl,
      hasDocuments: foundation !== null,
      siteBase: surface.baseUrl,
      mcpEndpoint: manifests[surface.organisation].endpoint,
      api: surfaces.url("api"),
      trust: surfaces.url("trust"),
    }),
    contentType: "text/plain; charset=utf-8",
  };
});
