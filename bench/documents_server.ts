/**
 * The whole app in its own process, for `documents.ts`, with a document and a static file of 10 MiB.
 * The first argument is the path of the store. It prints one line of JSON ({@link Served}) and serves
 * until it is killed.
 *
 * @module
 */
import { relative } from "node:path";
import { applyDiskBuild, type DiskBuild } from "../fresh/src/internal.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import type { State } from "../lib/app/state.ts";
import { createApp } from "../main.ts";
import { builtSite } from "../tests/built_site.ts";
import { documentFixture } from "../tests/document_site.ts";

/** The values that the requests need from the server. */
export interface Served {
  port: number;
  host: string;
  /** The holder's session. The holder's own readings are not counted. */
  cookie: string;
  document: string;
  file: string;
}

const SIZE = 10 * 1024 * 1024;
const FILE = "/ten-mebibytes.bin";

const [store] = Deno.args;
const fixture = await documentFixture({}, { kv: await openKv(store) });
const bytes = new Uint8Array(SIZE);
for (let at = 0; at < SIZE; at += 65536) crypto.getRandomValues(bytes.subarray(at, at + 65536));
const { id } = await fixture.add(bytes, { file_name: "file.bin" });
const path = `${store}.bin`;
await Deno.writeFile(path, bytes);

const { folder } = await builtSite();
const { default: build }: { default: DiskBuild<State> } = await import(`${folder}/snapshot.js`);
const app = createApp(fixture.site.services);
const record = {
  path: relative(build.root.pathname, path),
  hash: "0".repeat(16),
  contentType: "application/octet-stream",
  size: SIZE,
};
applyDiskBuild(app, { ...build, files: [...build.files, [FILE, record]] });

Deno.serve({
  port: 0,
  hostname: "127.0.0.1",
  onListen: ({ port }) => {
    const served: Served = {
      port,
      host: new URL(fixture.site.services.surfaces.url("trust")!).host,
      cookie: fixture.cookie,
      document: `/d/${id}/file`,
      file: FILE,
    };
    console.log(JSON.stringify(served));
  },
}, app.handler());
