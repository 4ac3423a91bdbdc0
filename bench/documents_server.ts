/**
 * The whole app in its own process, for `documents.ts`, with a document and a static file of 10 MiB.
 * The first argument is the path of the store. It prints one line of JSON ({@link Served}) and serves
 * until it is killed.
 *
 * @module
 */
import { Builder } from "fresh/dev";
import { freshConfig } from "../fresh.config.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { createApp } from "../main.ts";
import { readAppModule, writeAppModule } from "../tests/built_site.ts";
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
/** Has {@linkcode SIZE} bytes in this build. */
const FILE = "/video/backdrop.mp4";

const [store] = Deno.args;
const fixture = await documentFixture({}, { kv: await openKv(store) });
const bytes = new Uint8Array(SIZE);
for (let at = 0; at < SIZE; at += 65536) crypto.getRandomValues(bytes.subarray(at, at + 65536));
const { id } = await fixture.add(bytes, { file_name: "file.bin" });

const outDir = `${store}.build`;
const builder = new Builder({ ...freshConfig, outDir });
builder.onTransformStaticFile(
  { pluginName: "documents", filter: /\/video\/backdrop\.mp4$/ },
  () => ({ content: bytes.subarray(0, SIZE / 2).toHex() }),
);
await builder.build();
await writeAppModule(outDir);
const handlerOf = await readAppModule(outDir);

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
}, handlerOf(createApp(fixture.site.services)));
