/** The ids that `crypto.randomUUID()` makes. */

/** Returns whether a text, such as a part of a URL, is such an id. The store refuses keys with long texts. */
export const isUuid = (text: string): boolean =>
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);
