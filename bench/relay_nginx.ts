import { freePort } from "../tests/site.ts";
import { pinned } from "./load.ts";

/** A running nginx in front of an origin, with and without keep-alive to the origin. */
export interface Nginx extends AsyncDisposable {
  plainPort: number;
  keptPort: number;
}

/** Starts nginx on core 0. Returns null if it is not installed. */
export async function startNginx(originPort: number): Promise<Nginx | null> {
  try {
    await new Deno.Command("nginx", { args: ["-v"], stderr: "null" }).output();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
  const [plainPort, keptPort] = [freePort(), freePort()];
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(
    `${folder}/nginx.conf`,
    configuration(folder, originPort, plainPort, keptPort),
  );
  const [program, ...args] = pinned(0, ["nginx", "-c", `${folder}/nginx.conf`]);
  const process = new Deno.Command(program, { args, stderr: "null" }).spawn();
  await listening(keptPort);
  return {
    plainPort,
    keptPort,
    async [Symbol.asyncDispose]() {
      process.kill();
      await process.status;
      await Deno.remove(folder, { recursive: true });
    },
  };
}

function configuration(folder: string, origin: number, plain: number, kept: number): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`).join("\n  ");
  const headers = `proxy_set_header Edge-Access-Client-Id client;
      proxy_set_header Edge-Access-Client-Secret secret;`;
  return `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log /dev/null crit;
events { worker_connections 1024; }
http {
  access_log off;
  keepalive_requests 100000000;
  ${temporary}
  upstream kept { server 127.0.0.1:${origin}; keepalive 64; keepalive_requests 100000000; }
  server {
    listen 127.0.0.1:${plain};
    location / {
      proxy_pass http://127.0.0.1:${origin};
      ${headers}
    }
  }
  server {
    listen 127.0.0.1:${kept};
    location / {
      proxy_pass http://kept;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      ${headers}
    }
  }
}
`;
}

/** Waits until a port accepts connections. */
async function listening(port: number): Promise<void> {
  for (let attempt = 0;; attempt++) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return;
    } catch (error) {
      if (attempt === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
