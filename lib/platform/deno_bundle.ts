/**
 * Bundles a script or style sheet for browsers with `deno bundle`, minified.
 *
 * @param args further options, and the entry file
 * @param cwd the folder to run in
 */
export async function denoBundle(args: readonly string[], cwd?: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", "--minify", "--platform=browser", ...args],
    cwd,
    stdout: "piped",
    stderr: "piped",
  }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`deno bundle failed:\n${decoder.decode(stderr)}`);
  return decoder.decode(stdout).trimEnd();
}
