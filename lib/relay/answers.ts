/** On every answer, whatever else it says: the address it was asked by holds a secret. */
const ALWAYS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
};

const REFUSALS = {
  400: ["invalid_request", "This address cannot be passed on."],
  403: ["forbidden", "This address is not open to you."],
  405: ["method_not_allowed", "A relay answers GET alone."],
  502: ["bad_gateway", "The origin gave no answer that can be passed on."],
  504: ["gateway_timeout", "The origin did not answer in time."],
} as const;

/** Puts on what every answer of a relay carries. */
export function seal(headers: Headers): Headers {
  for (const [name, value] of Object.entries(ALWAYS)) headers.set(name, value);
  return headers;
}

/** An answer of the relay's own: JSON without detail. */
export function refuse(status: keyof typeof REFUSALS): Response {
  const [error, message] = REFUSALS[status];
  const headers = new Headers(status === 405 ? { allow: "GET" } : undefined);
  headers.set("x-content-type-options", "nosniff");
  return Response.json({ error, message }, { status, headers: seal(headers) });
}

/** Leads from `/{slug}` to `/{slug}/`, so that what is relative there stays below the slug. */
export function redirect(location: string): Response {
  return new Response(null, { status: 308, headers: seal(new Headers({ location })) });
}
