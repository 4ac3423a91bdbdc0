import type { Layer } from "../operators/mod.ts";
import { type Permission, permissionOf } from "./permission.ts";
import { visitorOf } from "./requests.ts";
import type { DocumentMatch } from "./store.ts";

/** The person who checks a file, in relation to the document that it matches. */
export interface CheckViewer {
  permission: Permission;
  /** The id of the grant, if the permission is one. */
  grant: string | null;
}

/** Returns who checks a file. */
export type ViewerOf = (match: Pick<DocumentMatch, "document" | "version">) => Promise<CheckViewer>;

/** The viewer of responses that are the same for everyone. */
export const anyone: ViewerOf = () => Promise.resolve({ permission: "public", grant: null });

/** The part of a request's context that says who sent it. */
type ViewerContext = Parameters<typeof visitorOf>[0] & {
  state: {
    layer: Layer | null;
    services: { clock: () => number };
  };
};

/** Returns who sent a request. Administrators are signed in only where a console is served too. */
export const viewerOf = (ctx: ViewerContext): ViewerOf => async ({ document, version }) => {
  const { layer, services: { clock } } = ctx.state;
  const operator = layer === "L1";
  const visitor = { ...await visitorOf(ctx, document.id), operator };
  const permission = permissionOf(visitor, document, version, clock());
  return { permission, grant: permission === "grant" ? visitor.grant!.id : null };
};
