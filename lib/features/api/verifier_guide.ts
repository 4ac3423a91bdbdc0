/** The guide to the published verifier, with the versions and hashes of its files. */
import text from "../../../docs/verifier.md" with { type: "text" };
import { formatDay } from "../../base/time.ts";
import type { Surface, Surfaces } from "../../platform/surfaces/mod.ts";
import { renderMarkdown } from "../standard/mod.ts";
import {
  integrityOf,
  LICENCES_FILE,
  type Release,
  releasePath,
  RELEASES,
  TYPES_FILE,
  VERIFIER_FILE,
} from "../../../packages/proof/release/mod.ts";
import { type GuideText, parseGuide } from "./guides.ts";

/** Where the guide leads. */
interface VerifierPlace {
  /** The surface that serves the module. */
  from: Surface;
  surfaces: Surfaces;
  /** The host whose records are verified. */
  publisher: string;
  codeHostUrl: string;
}

/**
 * Renders the guide of the published module, with this deployment's addresses, the newest version and its
 * hashes, followed by all versions.
 */
export function renderVerifierGuide(place: VerifierPlace): GuideText {
  const [newest] = RELEASES;
  const guide = parseGuide("verifier", text);
  const base = place.from.baseUrl;
  const addresses = {
    "foundation.example": base,
    "api.example": place.surfaces.baseFrom(place.from, "api"),
    "trust.example": place.surfaces.baseFrom(place.from, "trust"),
    "code.example": place.codeHostUrl,
  };
  let markdown = guide.markdown;
  for (const [host, address] of Object.entries(addresses)) {
    if (address === null) continue;
    const own = host === "trust.example" ? place.publisher : new URL(address).host;
    markdown = markdown.replaceAll(`https://${host}`, address).replaceAll(host, own);
  }
  // The examples of docs/verifier.md name the version that was the newest when they were written.
  markdown = markdown.replaceAll(VERSION_IN_PATH, releasePath(newest.version, ""))
    .replaceAll("<integrity>", integrityOf(newest, VERIFIER_FILE))
    .replaceAll("<sha256>", newest.sha256[VERIFIER_FILE]);
  const versions = RELEASES.map((release) => describe(release, base));
  return { ...guide, ...renderMarkdown([markdown, ...versions].join("\n\n")) };
}

const VERSION_IN_PATH = /\/verifier\/\d+\.\d+\.\d+\//g;

/** Returns the part of the guide about a version, as Markdown. */
const describe = (release: Release, base: string): string => {
  const { version, date, sha256 } = release;
  const link = (file: string) => `[${file}](${base}${releasePath(version, file)})`;
  return [
    `### ${version}, ${formatDay(`${date}T00:00:00Z`)}`,
    `${link(VERIFIER_FILE)}, for \`integrity\`, and as SHA-256 in hexadecimal digits:`,
    `    ${integrityOf(release, VERIFIER_FILE)}`,
    "<!-- -->", // ends the code
    `    ${sha256[VERIFIER_FILE]}`,
    `${link(TYPES_FILE)}, its types:`,
    `    ${sha256[TYPES_FILE]}`,
    `${link(LICENCES_FILE)}, the licences of the packages in it:`,
    `    ${sha256[LICENCES_FILE]}`,
  ].join("\n\n");
};
