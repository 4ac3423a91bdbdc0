import { publicJson } from "../../lib/platform/http/public_file.ts";
import { integrityOf, releasePath, RELEASES } from "../../packages/proof/release/mod.ts";
import type { RouteProperties, State } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  notInOpenApi: "Belongs to the verifier module, which its own page describes.",
};

/** Returns all versions of the verifier module with the hashes of their files, to any origin. */
export const handler = publicJson<State>(({ surface }) => ({
  versions: RELEASES.map((release) => ({
    version: release.version,
    date: release.date,
    files: Object.entries(release.sha256).map(([name, sha256]) => ({
      name,
      url: surface.baseUrl + releasePath(release.version, name),
      sha256,
      integrity: integrityOf(release, name),
    })),
  })),
}), { cacheControl: "public, max-age=300" });
