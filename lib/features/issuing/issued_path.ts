import { type DocumentRow, formatDocumentId } from "../documents/mod.ts";
import { issuerPath } from "../issuers/mod.ts";

/** Returns the path of the console's page of an issued document. */
export const issuedPath = ({ id, issuer }: Pick<DocumentRow, "id" | "issuer">): string =>
  `${issuerPath(issuer.id)}/documents/${formatDocumentId(id)}`;
