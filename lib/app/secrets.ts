import { reportSecrets } from "../features/alerts/mod.ts";
import type { SecretFiles } from "../platform/config/secret_files.ts";
import { type Config, parseConfig, readSecrets } from "./config.ts";
import { createSecretReload } from "./secret_reload.ts";
import { watchSecrets } from "./secret_watch.ts";
import type { Services } from "./services.ts";

/**
 * Replaces secrets of a running process when their files change.
 *
 * @param env the environment that the process started with
 * @param files what the files of its secrets contained then
 * @param configure makes the same changes to a parsed configuration as at the start
 * @returns the function that ends this
 */
export function reloadSecrets(
  services: Services,
  { env, files, configure }: {
    env: Record<string, string | undefined>;
    files: SecretFiles;
    configure: (config: Config) => Config;
  },
): () => void {
  const { log, schedule, replaceConfig } = services;
  const report = (variables: readonly string[]) => reportSecrets(services, variables);
  const reload = createSecretReload({
    first: files,
    read: () => readSecrets(env),
    apply: (files) => replaceConfig(configure(parseConfig(env, { files }))),
    report,
    log,
    pause: (ms) => new Promise((done) => void schedule(done, ms)),
  });
  const paths = Object.values(files.paths);
  // An earlier process may have stopped while a file was not valid. All files were valid at this start.
  if (paths.length > 0) report([]).catch(() => {});
  return watchSecrets({ paths, reload, schedule });
}
