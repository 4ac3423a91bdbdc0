import type { Identity } from "../auth/mod.ts";
import { layerOf } from "../console/mod.ts";
import { type HolderSession, isOwnReading } from "../records/mod.ts";
import type { Access } from "./access.ts";
import type { DocumentRow } from "./store.ts";

/** Who asks, in relation to a document. `public` is everyone else. */
export type CheckViewer = "holder" | "grant" | "operator" | "public";

/** Returns who asks about a document. */
export type ViewerOf = (document: Pick<DocumentRow, "id" | "record">) => Promise<CheckViewer>;

/** The part of a request's context that says who sent it. */
interface ViewerContext {
  req: Request;
  state: {
    holder: HolderSession | null;
    session: Identity | null;
    services: { access: Access; config: { ops: Parameters<typeof layerOf>[1] } };
  };
}

/** Returns who sent a request, for each document. */
export const viewerOf =
  ({ req, state: { holder, session, services } }: ViewerContext): ViewerOf =>
  async ({ id, record }) => {
    if (isOwnReading(holder, record)) return "holder";
    if (session !== null && layerOf(session.email, services.config.ops) === "L1") return "operator";
    return await services.access.grantOf(req, id) === null ? "public" : "grant";
  };
