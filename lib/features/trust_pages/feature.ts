import { defineFeature, type Platform } from "../../platform/feature.ts";
import type { ChainServices } from "../chain/feature.ts";
import type { DocumentServices } from "../documents/feature.ts";
import { type Checks, createChecks } from "../documents/mod.ts";
import type { LogServices } from "../log/feature.ts";
import type { RecordServices } from "../records/feature.ts";
import type { StandardServices } from "../standard/feature.ts";
import type { PageSettings } from "./context.ts";
import { createPages } from "./mod.ts";
import { publishedPages } from "./pages.ts";
import { type Pages } from "./pages.ts";
import { pages as pageTable } from "./store.ts";

interface TrustPageServices {
  /** The published texts of our own pages. */
  pages: Pages;
  /** Checks whether a file is a registered document, or one of these pages. */
  checks: Checks;
}

type Below =
  & Platform
  & ChainServices
  & LogServices
  & DocumentServices
  & RecordServices
  & StandardServices
  & {
    config: PageSettings;
  };

export const trustPagesFeature = defineFeature({
  name: "trust_pages",
  tables: [pageTable],
  create({ chains, standard, ...below }: Below): TrustPageServices {
    const { config, surfaces, tables } = below;
    const context = { config, surfaces, publisher: chains.publisher, tables };
    const pages = createPages({
      ...below,
      ...context,
      pages: publishedPages(context, standard),
    });
    return {
      pages,
      checks: createChecks({
        ...below,
        trustUrl: (path) => surfaces.url("trust", path) ?? path,
        findPage: pages.findPage,
      }),
    };
  },
});
