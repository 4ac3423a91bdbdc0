/**
 * The surroundings of an instance of the stand-in: a clock that can be set
 * forward, and a public network on which `localhost` is a server on port 443.
 *
 * @module
 */
import net from "node:net";
import { relative } from "node:path";
import { freshConfig } from "../../fresh.config.ts";

const [clock, port, build] = ["CLOCK", "PORT", "BUILD"].map((name) =>
  Deno.env.get(`STAND_IN_${name}`)!
);

freshConfig.outDir = relative(freshConfig.root, build);

const RealDate = Date;

/** Returns the time by how much the file of the clock says it is ahead. */
const now = () => RealDate.now() + Number(Deno.readTextFileSync(clock));

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, self) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, self),
  get: (target, name) => name === "now" ? now : Reflect.get(target, name),
});

/** A globally routable address, for the site connects to no other one that a stranger has chosen. */
const PUBLIC = "93.184.215.14";

Deno.resolveDns =
  ((_: string, type: string) =>
    Promise.resolve(type === "A" ? [PUBLIC] : [])) as typeof Deno.resolveDns;

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (this: net.Socket, options: unknown, ...rest: unknown[]) {
  const to = options as { host?: string; port?: number };
  if (to?.host === PUBLIC) Object.assign(to, { host: "127.0.0.1", port: Number(port) });
  return Reflect.apply(connect, this, [options, ...rest]);
} as typeof connect;
