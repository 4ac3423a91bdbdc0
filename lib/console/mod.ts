/**
 * The operations consoles. Other features use only the layers, which determine who may sign in
 * (spec 5.1), and add alerts.
 *
 * @module
 */
export * from "./alerts.ts";
export { layerOf, maySignIn } from "./layers.ts";
