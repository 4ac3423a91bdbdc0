/** The response, or a copy of it where its own headers cannot be changed (`fetch`, redirects). */
export function mutable(response: Response): Response {
  try {
    response.headers.delete("x-mutable");
    return response;
  } catch {
    return new Response(response.body, response);
  }
}
