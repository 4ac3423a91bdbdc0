/**
 * The operations consoles. Other features use only the layers, which determine who may sign in
 * (spec 5.1).
 *
 * @module
 */
export { layerOf, maySignIn } from "./layers.ts";
