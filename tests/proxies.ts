/**
 * nginx and Caddy with the configuration files in docs/ops. Only paths, ports, hosts and certificates are
 * replaced, and timeouts if a test asks for it.
 *
 * @module
 */
import { until } from "../lib/testing/until.ts";
import { freePort } from "./site.ts";

const file = (path: string) => new URL(`../${path}`, import.meta.url).pathname;
export const CERTIFICATE = file("lib/platform/mail/testing/cert.pem");
export const KEY = file("lib/platform/mail/testing/key.pem");
export const OPS = file("docs/ops");

export interface Proxy {
  command: string;
  /**
   * Writes the configuration for a port and those of the site. Returns the arguments.
   *
   * @param seconds replaces the times that clients have for a head or body
   */
  configure(
    folder: string,
    port: number,
    sites: readonly number[],
    seconds?: number,
  ): Promise<string[]>;
}

export const PROXIES: Record<string, Proxy> = {
  nginx: {
    command: "nginx",
    async configure(folder, port, sites, seconds) {
      const conf = (await Deno.readTextFile(`${OPS}/nginx.conf`))
        .replaceAll(/^ *listen \[::\].*\n/gm, "")
        .replaceAll("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
        .replaceAll(/^ *listen 80;\n/gm, "")
        .replaceAll("server_name qualpack.example ", "server_name localhost ")
        .replace(
          /^ *server 127\.0\.0\.1:8000(.*)$/m,
          (_, rest) => sites.map((site) => `  server 127.0.0.1:${site}${rest}`).join("\n"),
        )
        .replaceAll("/etc/ssl/gatehouse/fullchain.pem", CERTIFICATE)
        .replaceAll("/etc/ssl/gatehouse/privkey.pem", KEY)
        .replaceAll("/etc/nginx/gatehouse_proxy.conf", `${OPS}/nginx_proxy.conf`)
        .replaceAll("/var/log/nginx/", `${folder}/`)
        .replaceAll(
          /(client_(?:header|body)_timeout) \d+s/g,
          seconds === undefined ? "$&" : `$1 ${seconds}s`,
        );
      return await writeNginx(folder, conf);
    },
  },
  Caddy: {
    command: "caddy",
    async configure(folder, port, sites, seconds) {
      const faulty = await caddyVersion() === "2.11.7";
      const conf = (await Deno.readTextFile(`${OPS}/Caddyfile`))
        .replace(/# (?=read_body_idle )/, faulty ? "" : "$&")
        .replace(/^\{\n/m, "{\n\tadmin off\n\tauto_https off\n")
        .replace(
          /^qualpack\.example, [^{]*\{$/m,
          `https://localhost:${port} {\n\ttls ${CERTIFICATE} ${KEY}`,
        )
        .replace(
          /^docs\.relay\.example \{$/m,
          `https://relay.localhost:${port} {\n\ttls ${CERTIFICATE} ${KEY}`,
        )
        .replace(
          "reverse_proxy 127.0.0.1:8000",
          `reverse_proxy ${sites.map((site) => `127.0.0.1:${site}`).join(" ")}`,
        )
        .replaceAll(
          /(read_(?:header|body)|idle) \d+s/g,
          seconds === undefined ? "$&" : `$1 ${seconds}s`,
        );
      await Deno.writeTextFile(`${folder}/Caddyfile`, conf);
      return ["run", "--adapter", "caddyfile", "--config", `${folder}/Caddyfile`];
    },
  },
};

/** Returns the version of the Caddy that is installed. Releases print it with a `v`, Debian without. */
export async function caddyVersion(): Promise<string> {
  const { stdout } = await new Deno.Command("caddy", { args: ["version"] }).output();
  return /^v?(\S+)/.exec(new TextDecoder().decode(stdout))![1];
}

/** nginx with the files for a KV server in front of it, on the port for its own machine. */
export const KV_PROXY: Proxy = {
  command: "nginx",
  async configure(folder, port, [server]) {
    const conf = (await Deno.readTextFile(`${OPS}/denokv-nginx.conf`))
      .replace(/^# For sites on other machines[^]*/m, "")
      .replaceAll("127.0.0.1:4512", `127.0.0.1:${server}`)
      .replaceAll("127.0.0.1:4513", `127.0.0.1:${port}`)
      .replaceAll("/etc/nginx/denokv_proxy.conf", `${OPS}/denokv_proxy.conf`);
    return await writeNginx(folder, conf);
  },
};

/** Writes the configuration of nginx with a file of docs/ops. Returns the arguments. */
export async function writeNginx(folder: string, conf: string): Promise<string[]> {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${folder}/${name};`).join("\n");
  await Deno.writeTextFile(`${folder}/gatehouse.conf`, conf);
  await Deno.writeTextFile(
    `${folder}/nginx.conf`,
    `${Deno.uid() === 0 ? "user root;" : ""}
daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
http { ${temporary} include ${folder}/gatehouse.conf; }`,
  );
  return ["-p", folder, "-e", `${folder}/error.log`, "-c", `${folder}/nginx.conf`];
}

/** Starts a proxy, and waits until it listens. */
export async function startProxy(
  { command, configure }: Proxy,
  sites: readonly number[],
  seconds?: number,
): Promise<{ port: number; folder: string } & AsyncDisposable> {
  const folder = await Deno.makeTempDir();
  const port = freePort();
  const process = new Deno.Command(command, {
    args: await configure(folder, port, sites, seconds),
    env: { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdout: "null",
    stderr: "null",
  }).spawn();
  const connect = () => Deno.connect({ hostname: "127.0.0.1", port }).catch(() => null);
  (await until(connect, `${command} listens`)).close();
  return {
    port,
    folder,
    async [Symbol.asyncDispose]() {
      process.kill("SIGTERM");
      await process.status;
      await Deno.remove(folder, { recursive: true });
    },
  };
}

export async function isInstalled(command: string): Promise<boolean> {
  try {
    await new Deno.Command(command, { args: ["-h"], stdout: "null", stderr: "null" }).output();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
