/** A site with issuers and their API keys, for tests of the issuers' API. */
import type { DocumentObject } from "../lib/features/issuing/mod.ts";
import { addIssuer } from "./key_site.ts";
import { type RecordFixture, recordFixture } from "./record_site.ts";
import type { SiteOverrides } from "./site.ts";

export const RECIPIENT = { name: "Grace Student", email: "grace@example.org" };

/** The body of a request that issues a text file. */
export const documentBody = (changes: Record<string, unknown> = {}) => ({
  recipient: RECIPIENT,
  title: "Certificate III in Early Childhood",
  type: "Certificate",
  file: btoa("A certificate"),
  file_name: "certificate.txt",
  ...changes,
});

/** A request of the API. */
interface ApiCall {
  method?: string;
  json?: unknown;
  form?: FormData;
  stream?: ReadableStream<Uint8Array>;
  /** The `Idempotency-Key`. */
  once?: string;
  headers?: Record<string, string>;
}

/** Sends a request with a key of one issuer. */
export type Call = (path: string, request?: ApiCall) => Promise<Response>;

export interface ApiClient {
  issuer: { id: string; name: string };
  live: Call;
  test: Call;
  /** Returns the client with other keys. */
  another(): Promise<Omit<ApiClient, "another">>;
}

export interface IssuerApiFixture extends RecordFixture, ApiClient {
  /** Adds another issuer with its keys. */
  addClient(name: string): Promise<ApiClient>;
}

/** Creates a site for testing the API for issuers. PDFs have no issued copies, unless a test needs them. */
export async function issuerApiFixture(
  env: Record<string, string> = {},
  overrides: SiteOverrides = {},
): Promise<IssuerApiFixture> {
  const fixture = await recordFixture({ API_KEY_RATE_LIMIT: "0", ...env }, {
    issuePdf: null,
    ...overrides,
  });
  async function addClient(name: string): Promise<ApiClient> {
    const client = await addIssuer(fixture.site, name);
    const { issuer, call } = client;
    const clientOf = async (mode: "live" | "test"): Promise<Call> => {
      const key = await client.key(mode);
      return (path, { method, json, form, stream, once, headers = {} } = {}) => {
        const body = json === undefined ? form ?? stream : JSON.stringify(json);
        return call(key, {
          path,
          method: method ?? (body === undefined ? "GET" : "POST"),
          body,
          headers: {
            ...typeof body === "string" && {
              "content-type": "application/json",
              "content-length": String(new TextEncoder().encode(body).length),
            },
            ...once !== undefined && { "idempotency-key": once },
            ...headers,
          },
        });
      };
    };
    const newClient = async () => ({
      issuer,
      live: await clientOf("live"),
      test: await clientOf("test"),
    });
    return { ...await newClient(), another: newClient };
  }
  return {
    ...fixture,
    ...await addClient("Harbour College"),
    addClient,
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

/** Returns the document in a response with a status. */
export async function documentIn(
  responding: Response | Promise<Response>,
  status = 201,
): Promise<DocumentObject> {
  const response = await responding;
  const text = await response.text();
  if (response.status !== status) throw new Error(`${response.status} ${text}`);
  return JSON.parse(text);
}

/** Returns the status and the code of an error. */
export async function errorIn(responding: Promise<Response>): Promise<[number, string]> {
  const response = await responding;
  return [response.status, (await response.json()).error];
}
