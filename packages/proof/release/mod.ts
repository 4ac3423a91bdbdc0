/**
 * The versions of the module that are published for others, each with its types. Their files are committed in
 * `published/`, by the paths at which they are served, and never change.
 *
 * @module
 */
import published from "./published/versions.json" with { type: "json" };
import { decodeHex } from "../../../lib/base/bytes.ts";

export { VERSION } from "../verify/version.ts";

/** The module of a version. */
export const VERIFIER_FILE = "verifier.js";
/** The TypeScript declarations of the module. */
export const TYPES_FILE = "verifier.d.ts";
/** The licences of the packages that the script contains. */
export const LICENCES_FILE = "licences.txt";

/** The content types of the files. */
export const CONTENT_TYPES: Readonly<Record<string, string>> = {
  [VERIFIER_FILE]: "text/javascript; charset=utf-8",
  [TYPES_FILE]: "application/typescript; charset=utf-8",
  [LICENCES_FILE]: "text/plain; charset=utf-8",
};

/** Contains the files of `/verifier/<version>/`. */
export const RELEASES_FOLDER = new URL("./published/", import.meta.url);

/** A published version. */
export interface Release {
  version: string;
  /** When it was published: `2026-03-01`. */
  date: string;
  /** The SHA-256 of each file, in hexadecimal digits. */
  sha256: Record<string, string>;
}

/** All versions, the newest first. */
export const RELEASES: readonly Release[] = published;

/** Returns the path at which a file of a version is served. */
export const releasePath = (version: string, file: string): string =>
  `/verifier/${version}/${file}`;

/** Returns the value of `integrity` (Subresource Integrity) for a file. */
export const integrityOf = ({ sha256 }: Release, file: string): string =>
  `sha256-${decodeHex(sha256[file]).toBase64()}`;

/** Returns the content of a file of a version; null if there is none. */
export async function readRelease(version: string, file: string): Promise<string | null> {
  const release = RELEASES.find((each) => each.version === version);
  if (release === undefined || !Object.hasOwn(release.sha256, file)) return null;
  return await Deno.readTextFile(new URL(`.${releasePath(version, file)}`, RELEASES_FOLDER));
}
