import { findGrant, type Grant } from "./grants.ts";

export interface AccessOptions {
  kv: Deno.Kv;
  clock: () => number;
}

/** Requests for access to documents, and what they grant. */
export interface Access {
  /** Returns the grant that the browser of a request has for a document. */
  grantOf(request: Request, document: string): Promise<Grant | null>;
}

export function createAccess({ kv, clock }: AccessOptions): Access {
  return {
    grantOf: (request, document) => findGrant(kv, clock(), request, document),
  };
}
