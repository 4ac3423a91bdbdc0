/** Finds misspelt environment variables at startup. */
import { levenshteinDistance } from "@std/text/levenshtein-distance";

/** Beginnings of our variables that other programs use too. */
const SHARED = new Set([
  "ALLOW",
  "ANDROID",
  "APPLE",
  "APP",
  "DATE",
  "DENO",
  "DEV",
  "HOST",
  "LOG",
  "OTEL",
  "PORT",
  "READ",
]);
/** Variables that Kubernetes sets for each service, such as `MAIL_SERVICE_HOST`. */
const OF_SERVICES = /_SERVICE_(HOST|PORT)|_PORT(_\d+_(TCP|UDP)(_\w+)?)?$/;
/** Shorter names are too likely to resemble others by chance. */
const LEAST_LENGTH = 6;

/**
 * Returns a line for each variable that nothing reads and that looks like a misspelt one: it begins or
 * reads like one of ours.
 *
 * @param given the names in the environment
 * @param known the names that are read
 */
export function unknownVariables(given: readonly string[], known: readonly string[]): string[] {
  const beginning = (name: string) => name.split("_")[0];
  const ours = new Set(known.map(beginning).filter((each) => !SHARED.has(each)));
  return given.filter((name) => !known.includes(name) && !OF_SERVICES.test(name)).flatMap(
    (name) => {
      const nearest = nearestOf(name, known);
      if (nearest !== undefined) return `${name}: unknown; did you mean ${nearest}?`;
      return name.includes("_") && ours.has(beginning(name)) ? `${name}: unknown` : [];
    },
  );
}

function nearestOf(name: string, known: readonly string[]): string | undefined {
  if (name.length < LEAST_LENGTH) return undefined;
  const [nearest] = known.filter((each) => each.length >= LEAST_LENGTH)
    .map((each) => ({ each, distance: levenshteinDistance(name.toUpperCase(), each) }))
    .filter(({ distance }) => distance <= 2)
    .sort((a, b) => a.distance - b.distance);
  return nearest?.each;
}
