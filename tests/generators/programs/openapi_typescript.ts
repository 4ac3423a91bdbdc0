/** A program that uses the API with a client from `openapi-typescript`, to try the OpenAPI document. */
import createClient from "openapi-fetch";
import type { paths } from "./api";
import { api, BATCH, CSV, DOCUMENT, expect, key, VERSION } from "./shared";

const client = createClient<paths>({
  baseUrl: api,
  headers: { authorization: `Bearer ${key}` },
  bodySerializer: (body) => typeof body === "string" ? body : JSON.stringify(body),
});

/** Returns the data of a call, or throws its error. */
async function data<Data>(call: Promise<{ data?: Data; error?: unknown }>): Promise<Data> {
  const { data, error } = await call;
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const csv = { headers: { "content-type": "text/csv" }, body: CSV };
const query = BATCH;
const checked = await data(
  client.POST("/api/documents/batches/check", { params: { query }, ...csv }),
);
expect(checked.rows === 2, "check");
const issued = await data(client.POST("/api/documents", { body: DOCUMENT }));
expect(issued.mail === "postponed", "unknown value");
const params = { path: { id: issued.id } };
const { data: list } = await data(client.GET("/api/documents"));
expect(list.some(({ id }) => id === issued.id), "list");
const replaced = await data(
  client.POST("/api/documents/{id}/versions", { params, body: VERSION }),
);
expect(replaced.versions.length === 2, "replace");
const file = await data(
  client.GET("/api/documents/{id}/file", { params, parseAs: "text" }),
);
expect(file === "B", "download");
const batch = await data(client.POST("/api/documents/batches", { params: { query }, ...csv }));
const sent = await data(
  client.POST("/api/documents/batches/{id}/send", {
    params: { path: { id: batch.id } },
    body: {},
  }),
);
expect(sent.id === batch.id, "send");
const withdrawn = await data(
  client.POST("/api/documents/{id}/withdraw", { params, body: { reason: "Annulled" } }),
);
expect(withdrawn.status === "withdrawn", "withdraw");
