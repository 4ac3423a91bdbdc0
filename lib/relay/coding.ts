/** The codings that are undone here, by the format's name in `DecompressionStream`. */
const FORMATS: Record<string, CompressionFormat> = {
  gzip: "gzip",
  "x-gzip": "gzip",
  deflate: "deflate",
};

/** An answer's body, and the headers that describe it. */
export interface Content {
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null;
  headers: Headers;
}

/**
 * Undoes the coding of a body whose origin compressed although it was asked not to. What is coded
 * in another way, and a part of a coded body, stay as they are, and say so.
 *
 * @param status of the answer: 206 is a part
 */
export function decode({ body, headers }: Content, status: number): Content {
  const coding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (coding === "" || coding === "identity") headers.delete("content-encoding");
  if (body === null || status === 206 || !Object.hasOwn(FORMATS, coding)) return { body, headers };
  const decoded = body.pipeThrough(new DecompressionStream(FORMATS[coding]));
  headers.delete("content-encoding");
  return { body: decoded, headers: describeAnew(headers) };
}

/**
 * Whether the caller takes a coding (RFC 9110, 12.5.3). One who says nothing of it is taken at the
 * letter of a reader that knows none.
 */
export function accepts(acceptEncoding: string | null, coding: string): boolean {
  const wanted = (acceptEncoding ?? "").toLowerCase().split(",").map((part) => {
    const [name, ...parameters] = part.split(";").map((piece) => piece.trim());
    return { name, refused: parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) };
  });
  const named = wanted.find(({ name }) => name === coding) ??
    wanted.find(({ name }) => name === "*");
  return named !== undefined && !named.refused;
}

/**
 * Takes away what no longer holds of a body that was changed on its way: lengths, digests, ranges.
 * The tag turns weak, so that it still answers `If-None-Match` but joins no ranges.
 */
export function describeAnew(headers: Headers): Headers {
  for (
    const name of [
      "content-length",
      "accept-ranges",
      "content-md5",
      "digest",
      "content-digest",
      "repr-digest",
    ]
  ) headers.delete(name);
  const tag = headers.get("etag");
  if (tag?.startsWith('"')) headers.set("etag", `W/${tag}`);
  return headers;
}
