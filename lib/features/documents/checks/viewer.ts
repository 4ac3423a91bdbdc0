/**
 * The person who checks a file, in relation to the document that it matches.
 *
 * @module
 */
import type { Layer } from "../../operators/mod.ts";
import { type Permission, permissionOf } from "../access/permission.ts";
import { visitorOf } from "../access/http.ts";
import type { DocumentMatch } from "../store.ts";

/** The person who checks a file, in relation to the document that it matches. */
export interface CheckViewer {
  permission: Permission;
  /** The id of the grant, if the permission is one. */
  grant: string | null;
}

/** The person who checks a file. */
export interface Checker {
  viewerOf(match: Pick<DocumentMatch, "document" | "version">): Promise<CheckViewer>;
  /** The hash of the record whose holder this is; null for everyone else. */
  record: string | null;
  /** True for an administrator, who may see every document. */
  operator: boolean;
  /** Returns the ids of the documents that a link may open in the browser. */
  granted(): string[];
}

/** The checker in responses that are the same for everyone. */
export const anyone: Checker = {
  viewerOf: () => Promise.resolve({ permission: "public", grant: null }),
  record: null,
  operator: false,
  granted: () => [],
};

/** The part of a request's context that says who sent it. */
type CheckerContext = Parameters<typeof visitorOf>[0] & {
  state: {
    layer: Layer | null;
    services: {
      clock: () => number;
      shares: { openedIn(request: Request): string[] };
    };
  };
};

/** Returns who sent a request. Administrators are signed in only where a console is served too. */
export function checkerOf(ctx: CheckerContext): Checker {
  const { layer, holder, services: { clock, shares } } = ctx.state;
  const operator = layer === "L1";
  return {
    record: holder?.record ?? null,
    operator,
    granted: () => shares.openedIn(ctx.req),
    async viewerOf({ document, version }) {
      const visitor = { ...await visitorOf(ctx, document.id), operator };
      const permission = permissionOf(visitor, document, version, clock());
      return { permission, grant: permission === "grant" ? visitor.grant!.id : null };
    },
  };
}
