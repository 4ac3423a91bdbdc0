/**
 * Runs units and other processes of the rehearsal, and answers the stand-ins of systemd's programs.
 *
 * @module
 */
import { dirname, join } from "node:path";

/** A process that runs until it is stopped. */
export interface Service {
  /** Ends it, and resolves to its status. */
  stop(): Promise<number>;
  kill(signal: Deno.Signal): void;
  /** Resolves to its status when it has ended. */
  ended: Promise<number>;
  /** Resolves to the lines that it has printed. */
  output(): Promise<string>;
}

interface SpawnOptions {
  cwd: string;
  env: Record<string, string>;
  runAs?: number | null;
}

export interface Services extends AsyncDisposable {
  /** Where the stand-ins send their arguments. */
  port: number;
  spawn(name: string, command: string[], options: SpawnOptions): Service;
}

interface ServicesOptions {
  /** The folder of the logs. */
  journal: string;
  /** The folder of the units. */
  units: string;
  env: Record<string, string>;
  /** The user of units with a `User`; null for the one of this process. */
  runAs: number | null;
}

/** The parts of a unit that are used. */
interface Unit {
  isOneshot: boolean;
  cwd: string;
  env: Record<string, string>;
  before: string[];
  command: string[];
}

/** How long a unit has to stop, as its file says. */
const STOP_MS = 15_000;
const RESTART_MS = 1_000;

export function createServices(options: ServicesOptions): Services {
  const { journal, env, runAs } = options;
  const running = new Map<string, Service>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const services = new Set<Service>();
  const turns = new Map<string, number>();

  function spawn(
    name: string,
    command: string[],
    { cwd, env, runAs = null }: SpawnOptions,
  ): Service {
    const path = join(journal, `${name}.log`);
    const child = new Deno.Command("bash", {
      args: ["-c", 'umask 0077; exec "$@"', name, ...command],
      cwd,
      env,
      clearEnv: true,
      ...runAs !== null && { uid: runAs, gid: runAs },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const append = async (stream: ReadableStream<Uint8Array>) => {
      for await (const bytes of stream) await Deno.writeFile(path, bytes, { append: true });
    };
    const written = Promise.all([append(child.stdout), append(child.stderr)]);
    const ended = child.status.then(async ({ code }) => {
      await written;
      services.delete(service);
      return code;
    });
    function kill(signal: Deno.Signal) {
      try {
        child.kill(signal);
      } catch {
        // It has ended already.
      }
    }
    const service: Service = {
      ended,
      kill,
      output: () => Deno.readTextFile(path).catch(() => ""),
      async stop() {
        const timer = setTimeout(() => kill("SIGKILL"), STOP_MS);
        kill("SIGTERM");
        const code = await ended;
        clearTimeout(timer);
        return code;
      },
    };
    services.add(service);
    return service;
  }

  /** Counts the starts and stops of a unit, and returns the number of this one. */
  function nextTurn(name: string): number {
    const turn = (turns.get(name) ?? 0) + 1;
    turns.set(name, turn);
    return turn;
  }

  /** Starts a unit, and starts it again whenever it ends. */
  async function startUnit(name: string): Promise<number> {
    const { isOneshot, before, command, ...unit } = await readUnit(
      join(options.units, `${name}.service`),
    );
    const at = { cwd: unit.cwd, env: { ...unit.env, PATH: env.PATH }, runAs };
    const turn = nextTurn(name);
    const checked = before.length === 0 ? 0 : await spawn(name, before, at).ended;
    if (isOneshot && checked === 0) return await spawn(name, command, at).ended;
    if (turns.get(name) !== turn) return 0; // it was stopped or restarted meanwhile
    if (checked !== 0) {
      restartLater(name);
      return checked;
    }
    const service = spawn(name, command, at);
    running.set(name, service);
    service.ended.then(() => {
      if (running.get(name) === service) restartLater(name);
    }).catch(reportError);
    return 0;
  }

  function restartLater(name: string): void {
    timers.set(name, setTimeout(() => void startUnit(name).catch(reportError), RESTART_MS));
  }

  async function stopUnit(name: string): Promise<number> {
    nextTurn(name);
    clearTimeout(timers.get(name));
    const service = running.get(name);
    running.delete(name);
    await service?.stop();
    return 0;
  }

  const actions: Record<string, (name: string) => Promise<number>> = {
    start: startUnit,
    enable: startUnit,
    stop: stopUnit,
    restart: async (name) => (await stopUnit(name), await startUnit(name)),
    reload: (name) => Promise.resolve(running.get(name)?.kill("SIGHUP") === undefined ? 0 : 1),
    "daemon-reload": () => Promise.resolve(0),
  };

  async function systemctl([action, ...rest]: string[]): Promise<Response> {
    const names = rest.filter((name) => !name.startsWith("-") && !name.endsWith(".timer"));
    for (const name of action === "daemon-reload" ? [""] : names) {
      const status = await actions[action](name);
      if (status !== 0) {
        return new Response(`Job for ${name}.service failed (${status}).\n`, { status: 500 });
      }
    }
    return new Response();
  }

  async function journalctl(args: string[]): Promise<Response> {
    const value = (flag: string) => args[args.indexOf(flag) + 1];
    const text = await Deno.readTextFile(join(journal, `${value("-u")}.log`)).catch(() => "");
    const pattern = args.includes("-g") ? new RegExp(value("-g")) : /./;
    const lines = text.split("\n").filter((line) => pattern.test(line));
    return new Response(lines.slice(-Number(value("-n"))).map((line) => `${line}\n`).join(""));
  }

  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const args = (await request.text()).split("\n").slice(0, -1);
      return await (new URL(request.url).pathname === "/systemctl" ? systemctl : journalctl)(args);
    },
  );

  return {
    port: server.addr.port,
    spawn,
    async [Symbol.asyncDispose]() {
      await Promise.all([...running.keys(), ...timers.keys()].map(stopUnit));
      await Promise.all([...services].map((service) => service.stop()));
      await server.shutdown();
    },
  };
}

/** Reads a unit as systemd does, as far as the units in docs/ops need it. */
async function readUnit(path: string): Promise<Unit> {
  const values: Record<string, string[]> = {};
  for (const line of (await Deno.readTextFile(path)).split("\n")) {
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (name !== undefined) (values[name] ??= []).push(value);
  }
  const env: Record<string, string> = {};
  for (const pair of (values.Environment ?? []).flatMap((line) => line.split(" "))) {
    const [name, ...value] = pair.split("=");
    env[name] = value.join("=");
  }
  for (const file of values.EnvironmentFile ?? []) {
    Object.assign(env, readVariables(await Deno.readTextFile(file)));
  }
  return {
    isOneshot: values.Type?.[0] === "oneshot",
    cwd: values.WorkingDirectory[0],
    env: { HOME: dirname(env.KV_PATH), ...env },
    before: (values.ExecStartPre ?? [""])[0].split(" ").filter((word) => word !== ""),
    command: values.ExecStart[0].split(" "),
  };
}

/** Reads a file of variables. Values in quotes may have several lines. */
export function readVariables(text: string): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const [, name, value] of text.matchAll(/^(\w+)=('[^']*'|"[^"]*"|.*)$/gm)) {
    variables[name] = value.replace(/^(['"])([^]*)\1$/, "$2");
  }
  return variables;
}
