/** Adds the standard, the published texts of the site's pages, and the check of files to the site's services. */
import { defineFeature, type Platform } from "../../platform/feature.ts";
import type { ChainServices } from "../chain/feature.ts";
import type { DocumentServices } from "../documents/feature.ts";
import { type Checks, createChecks } from "../documents/mod.ts";
import type { LogServices } from "../log/feature.ts";
import type { RecordServices } from "../records/feature.ts";
import { createStandard, type Standard } from "./mod.ts";
import type { PageSettings } from "./pages/context.ts";
import { createPages, publishedPages } from "./pages/mod.ts";
import type { Pages } from "./pages/pages.ts";
import { pages as pageTable } from "./pages/store.ts";

export interface StandardServices {
  standard: Standard;
  /** The published texts of our own pages, and of the standard's sections. */
  pages: Pages;
  /** Checks whether a file is a registered document, or one of these pages, which documents do not know. */
  checks: Checks;
}

type Below = Platform & ChainServices & LogServices & DocumentServices & RecordServices & {
  config: PageSettings;
};

export const standardFeature = defineFeature({
  name: "standard",
  tables: [pageTable],
  create({ chains, ...below }: Below): StandardServices {
    const { config, surfaces, tables } = below;
    const standard = createStandard();
    const context = { config, surfaces, publisher: chains.publisher, tables };
    const pages = createPages({
      ...below,
      ...context,
      pages: publishedPages(context, standard),
    });
    return {
      standard,
      pages,
      checks: createChecks({
        ...below,
        trustUrl: (path) => surfaces.url("trust", path) ?? path,
        findPage: pages.findPage,
      }),
    };
  },
});
