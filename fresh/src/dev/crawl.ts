/** What a site's folders hold. */
export interface Crawl {
  /** Absolute paths of island modules. */
  islands: string[];
  /** Absolute paths of route modules by path below the folder, without extension. */
  routes: Map<string, string>;
}

const SCRIPT = /\.(?:tsx|jsx|ts|js)$/;

/** Finds islands and route modules; a folder that does not exist is an empty one. */
export async function crawl(
  options: { islandDir: string; routeDir: string; ignore: RegExp[] },
): Promise<Crawl> {
  const { islandDir, routeDir, ignore } = options;
  const islands: string[] = [];
  const routes = new Map<string, string>();
  for await (const file of files(islandDir, ignore)) islands.push(file);
  for await (const file of files(routeDir, ignore)) {
    const path = file.slice(routeDir.length + 1).replace(SCRIPT, "");
    const folders = path.split("/").slice(0, -1);
    if (folders.includes("(_islands)")) islands.push(file);
    else if (!folders.some((name) => name.startsWith("(_"))) {
      routes.set(path, file);
    }
  }
  return { islands: islands.sort(), routes };
}

async function* files(folder: string, ignore: RegExp[]): AsyncGenerator<string> {
  let entries: Deno.DirEntry[];
  try {
    entries = await Array.fromAsync(Deno.readDir(folder));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw error;
  }
  for (const { name, isDirectory } of entries) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* files(path, ignore);
    else if (SCRIPT.test(name) && !ignore.some((pattern) => pattern.test(path))) yield path;
  }
}
