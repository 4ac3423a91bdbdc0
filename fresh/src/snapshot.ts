import type { ComponentType } from "preact";
import type { Command } from "./commands.ts";
import type { Island } from "./types.ts";

/** A file that `staticFiles()` answers with. */
export interface StaticFile {
  /** Unquoted content hash, the ETag's value. */
  hash: string;
  contentType: string;
  size: number;
  /** The bytes; from memory or from disk. */
  read(): Promise<Uint8Array<ArrayBuffer>>;
}

/** What a build gives to an app: file routes, islands, the browser's scripts, static files. */
export interface Snapshot<State> {
  root: string;
  /** Names this build; part of the addresses that may be cached for ever. */
  key: string;
  commands: Command<State>[];
  // deno-lint-ignore no-explicit-any
  islands: Map<ComponentType<any>, Island>;
  /** By path, for example `/styles.css`. */
  files: Map<string, StaticFile>;
  /** Address of a client module, for example `boot`. */
  client(name: string): string;
  /** Development: the page's script that reloads it after a change. */
  reload: boolean;
}

/** An app without a build: no file routes, no islands, no static files. */
export function emptySnapshot<State>(root: string): Snapshot<State> {
  return {
    root,
    key: "",
    commands: [],
    islands: new Map(),
    files: new Map(),
    client: (name) => `/_fresh/js/${name}.js`,
    reload: false,
  };
}
