/**
 * Bundles a script or style sheet for browsers with `deno bundle`.
 *
 * @param args further options, and the entry file
 * @param options.cwd the folder to run in
 * @param options.minify default: true
 */
export async function denoBundle(
  args: readonly string[],
  { cwd, minify = true }: { cwd?: string; minify?: boolean } = {},
): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", "--platform=browser", ...minify ? ["--minify"] : [], ...args],
    cwd,
    stdout: "piped",
    stderr: "piped",
  }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`deno bundle failed:\n${decoder.decode(stderr)}`);
  return decoder.decode(stdout).trimEnd();
}
