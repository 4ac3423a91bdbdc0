/**
 * The names of publishers and the origins of chains (standard, "Origins"): labels separated by single
 * dots, and the port unless it is 443. Labels may end with a hyphen, because such hosts exist.
 *
 * @module
 */
const HOST = "[a-z0-9](?:-*(?:\\.-+)*\\.?[a-z0-9])*";
const PUBLISHER = `${HOST}(?::([1-9]\\d{0,4}))?`;

const PATTERN = new RegExp(`^${PUBLISHER}$`);

/** A publisher, `/` and a record hash, with any number as the port; see {@link isOrigin}. */
export const ORIGIN = new RegExp(`^${PUBLISHER}/[0-9a-f]{64}$`);

/** Returns true for a host in the form that origins have. */
export const isPublisher = (text: string): boolean => matches(PATTERN, text);

/** Returns true for a well-formed origin. */
export const isOrigin = (text: string): boolean => matches(ORIGIN, text);

function matches(pattern: RegExp, text: string): boolean {
  const match = pattern.exec(text);
  return match !== null && (match[1] === undefined || isPort(Number(match[1])));
}

/** HTTPS is the scheme of every publisher, so its port is never written. */
const isPort = (port: number): boolean => port <= 65535 && port !== 443;
