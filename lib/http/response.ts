/**
 * Creates a response with exactly these headers. It adds them one by one, because Deno takes several
 * times as long to create a response with all of them: 8 µs instead of 1.4 µs for seven.
 *
 * @example
 * ```ts
 * const response = responseWith(text, [["content-type", "text/plain"], ["etag", etag]]);
 * ```
 */
export function responseWith(
  body: string | Uint8Array<ArrayBuffer> | null,
  headers: readonly (readonly [name: string, value: string])[],
  status = 200,
): Response {
  const response = new Response(body, { status });
  // Deno adds a content type to responses with text.
  if (typeof body === "string") response.headers.delete("content-type");
  for (const [name, value] of headers) response.headers.append(name, value);
  return response;
}
