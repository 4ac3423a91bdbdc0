/**
 * The operations consoles: who may see what (spec 5.1), and what there is to see.
 *
 * @module
 */
export { isSplit, showsTransactions, treasuryOf } from "./console.ts";
export { gate } from "./gate.tsx";
export { type Layer, layerOf, type Operator, reaches, requireLayer } from "./layers.ts";
export {
  readRegistry,
  type RegisteredRelay,
  type RegisteredRoute,
  type RegisteredSurface,
  type Registry,
  type RouteState,
  type SignInRegister,
} from "./registry.ts";
