/**
 * Decides which of the bundler's scripts become one file. The bundler writes one for each entry and for
 * each set of entries that share code: most of them are tiny, and a page would load dozens.
 */

/** A script of the bundler. */
export interface Chunk {
  /** The names of the scripts that load before it runs. */
  imports: readonly string[];
  /** In compressed bytes. */
  size: number;
  /** The scripts of one kind may be in one file only with scripts that have none, because their exports keep their names. */
  kind: "entry" | "dynamic" | "shared";
}

/**
 * n files cost a page as much as n² times this many bytes: each has headers and a compression of its own,
 * and the more there are, the more of them wait for others.
 */
const FILES_COST = 450;
/** The most bytes that a page may get by one joining although it does not need them. */
const MOST_UNNEEDED = 3_000;

/**
 * Divides the scripts among files: joins the two files that lower the bytes of all pages most, as long as
 * there are such. Code that a page does not need counts as well, so it joins only what is small or is
 * mostly loaded together.
 *
 * @param pages the entries that each page loads
 * @returns the names of the scripts in each file
 */
export function filesOf(
  chunks: ReadonlyMap<string, Chunk>,
  pages: Iterable<readonly string[]>,
): string[][] {
  let files: File[] = [...chunks].map(([name, { size, kind }]) => ({
    chunks: [name],
    size,
    kinds: new Set(kind === "shared" ? [] : [kind]),
    imports: new Set(),
  }));
  const initial = new Map(files.map((file) => [file.chunks[0], file]));
  for (const [name, { imports }] of chunks) {
    initial.get(name)!.imports = new Set(imports.map((other) => initial.get(other)!));
  }
  const counts = new Map<string, Load>();
  for (const entries of pages) {
    const known = counts.get(entries.join());
    if (known !== undefined) known.pages++;
    else {
      const files = loaded(entries.map((name) => initial.get(name)!));
      counts.set(entries.join(), { files, pages: 1 });
    }
  }
  const loads = [...counts.values()];
  for (let best; (best = bestPair(files, loads)) !== null;) {
    const [one, other] = best;
    const both = joined(one, other);
    files = files.filter((file) => file !== one && file !== other);
    for (const { imports } of files) {
      if (imports.delete(one) || imports.delete(other)) {
        imports.delete(other);
        imports.add(both);
      }
    }
    files.push(both);
    const closure = loaded([both]);
    for (const { files } of loads) {
      const had = files.delete(one);
      if (files.delete(other) || had) { for (const file of closure) files.add(file); }
    }
  }
  return files.map(({ chunks }) => chunks.sort()).sort(([a], [b]) => a < b ? -1 : 1);
}

/** The files that some pages load. */
interface Load {
  files: Set<File>;
  pages: number;
}

interface File {
  chunks: string[];
  size: number;
  kinds: Set<Chunk["kind"]>;
  imports: Set<File>;
}

/** Returns files with all that they import. */
function loaded(files: Iterable<File>): Set<File> {
  const all = new Set(files);
  for (const { imports } of all) for (const file of imports) all.add(file);
  return all;
}

function joined(one: File, other: File): File {
  const imports = one.imports.union(other.imports);
  imports.delete(one);
  imports.delete(other);
  return {
    chunks: [...one.chunks, ...other.chunks],
    size: one.size + other.size,
    kinds: one.kinds.union(other.kinds),
    imports,
  };
}

function bestPair(files: File[], loads: Load[]): [File, File] | null {
  const closures = new Map(files.map((file) => [file, loaded([file])]));
  const users = new Map(files.map((file) => [file, loads.filter(({ files }) => files.has(file))]));
  let best: [File, File] | null = null;
  let lowest = 0;
  files.forEach((one, i) => {
    for (const other of files.slice(i + 1)) {
      if (!canJoin(one, other)) continue;
      const change = changeOf(one, other, users, closures);
      if (change < lowest && !isCyclic(one, other, closures)) {
        best = [one, other];
        lowest = change;
      }
    }
  });
  return best;
}

/** A module that is loaded on demand keeps its names for whoever loads it, so a file has one at most. */
const canJoin = (one: File, other: File): boolean =>
  !(one.kinds.has("dynamic") && other.kinds.size > 0) &&
  !(other.kinds.has("dynamic") && one.kinds.size > 0);

/** Returns by how many bytes joining two files changes all pages; 0 if one of them would get too much. */
function changeOf(
  one: File,
  other: File,
  users: Map<File, Load[]>,
  closures: Map<File, Set<File>>,
): number {
  let change = 0;
  for (const [own, added] of [[one, other], [other, one]]) {
    for (const { files, pages } of users.get(own)!) {
      const hasBoth = files.has(added);
      if (hasBoth && own === other) continue; // it was counted for the first one
      let [bytes, count] = [0, -1];
      if (!hasBoth) {
        for (const file of closures.get(added)!) {
          if (files.has(file)) continue;
          bytes += file.size;
          count++;
        }
      }
      if (bytes > MOST_UNNEEDED) return 0;
      const [before, after] = [files.size, files.size + count];
      change += (bytes + FILES_COST * (after ** 2 - before ** 2)) * pages;
    }
  }
  return change;
}

/** Returns whether a third file would import the two, and they it. */
function isCyclic(one: File, other: File, closures: Map<File, Set<File>>): boolean {
  const leads = (from: File, to: File) =>
    [...closures.get(from)!].some((file) =>
      file !== from && file !== to && closures.get(file)!.has(to)
    );
  return leads(one, other) || leads(other, one);
}
