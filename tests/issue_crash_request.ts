import { newDocumentSchema } from "../lib/features/issuing/mod.ts";
import type { Services } from "../lib/app/services.ts";
import { documentBody } from "./issuer_api_site.ts";

/** Sends the request that issues a document, with an `Idempotency-Key`, to the function of its route. */
export async function postDocument(
  { issuerApi, issuers }: Services,
  issuerId: string,
  key: string,
): Promise<Response> {
  const issuer = await issuers.read("commercial", issuerId);
  const caller = { issuer: issuer!, test: false, key: { id: "k" } };
  const request = new Request("http://api.localhost/api/documents", {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify(documentBody({ recipient: { name: "Ada", email: `${key}@example.org` } })),
  });
  return await issuerApi.posts.document(
    request,
    caller,
    newDocumentSchema,
    (call) => issuerApi.issue(call),
  );
}
