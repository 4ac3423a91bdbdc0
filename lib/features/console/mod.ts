/**
 * The operations consoles. Other features use only the layers, which determine who may sign in
 * (spec 5.1), and add alerts and entries of the audit log.
 *
 * @module
 */
export * from "../alerts/alerts.ts";
export * from "../audit/audit_log.ts";
export { chainAlert, mailAlert } from "./alert_sources.ts";
export { layerOf, maySignIn } from "../operators/layers.ts";
