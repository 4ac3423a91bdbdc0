/**
 * The operations consoles. Other features need only the layers: who may sign in (spec 5.1).
 *
 * @module
 */
export { type Layer, layerOf, maySignIn } from "./layers.ts";
