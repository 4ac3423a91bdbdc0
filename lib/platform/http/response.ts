const CONTENT_TYPE = "content-type";

/**
 * Creates a response with exactly these headers. It adds them one by one, because Deno takes several
 * times as long to create a response with all of them: 8 µs instead of 1.4 µs for seven.
 */
export function responseWith(
  body: string | Uint8Array<ArrayBuffer> | null,
  headers: readonly (readonly [name: string, value: string])[],
  status = 200,
): Response {
  const type = headers.find(([name]) => name === CONTENT_TYPE)?.[1];
  const response = new Response(
    body,
    type === undefined ? { status } : { status, headers: { [CONTENT_TYPE]: type } },
  );
  // Deno adds a content type to responses with text.
  if (type === undefined && typeof body === "string") response.headers.delete(CONTENT_TYPE);
  const { headers: added } = response;
  for (const [name, value] of headers) if (name !== CONTENT_TYPE) added.append(name, value);
  return response;
}

/**
 * Returns a response with another body, and with the original's status, headers and properties. Upstream
 * Fresh keeps the nonce of a page in such a property, where its `csp()` looks for it.
 */
export function withBody(response: Response, body: Uint8Array<ArrayBuffer> | null): Response {
  const copy = new Response(body, response);
  for (const key of Reflect.ownKeys(response)) {
    // Deno's own fields, which every response has, belong to the body.
    if (key in copy) continue;
    Object.defineProperty(copy, key, Object.getOwnPropertyDescriptor(response, key)!);
  }
  return copy;
}
