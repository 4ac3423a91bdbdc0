/** The interface that handlers of API requests write to: input, failures, and a response saved for repeats. */
import type { Failure } from "../../base/result.ts";
import type { UnitOfWork } from "../../platform/kv/mod.ts";
import type { ApiKeyRow } from "./key_rows.ts";
import type { IssuerRow } from "./rows.ts";

/** The response to a request of the API, as JSON. */
export interface ApiResponse {
  status: number;
  body: unknown;
  /** The id of the recipient whom the body names. The unit that saves the response checks their row. */
  recipient?: string | null;
}

/** The caller of the API. */
export interface ApiCaller {
  issuer: IssuerRow;
  /** True for a test key, which sees and makes only test data. */
  test: boolean;
  key: Pick<ApiKeyRow, "id" | "last4" | "scopes" | "expires_at">;
}

/** The issuer that calls the API with one of its keys. */
export type Caller = Pick<ApiCaller, "issuer" | "test"> & { key: Pick<ApiCaller["key"], "id"> };

/**
 * A POST of the API whose body has arrived. The response or failure that its handler returns is saved for requests
 * that are repeated. An exception that ends it, as `require` and `input` throw, is not: nothing has run.
 *
 * @example
 * ```ts
 * const { document } = call.require(await find(call.caller, id));
 * const { reason } = call.input();
 * return await call.commit(async (unit) => {
 *   const withdrawn = await documents.write.withdraw(unit, document.id, { reason, by });
 *   return withdrawn.ok ? { status: 200, body: describe(withdrawn.document) } : withdrawn;
 * });
 * ```
 */
export interface Call<Input = unknown, File = unknown> {
  caller: Caller;
  /** The file of the request, as it was received; null if there is none. */
  file: File | null;
  /** Returns the valid fields of the request, or ends it. Whatever a change needs to exist is found before. */
  input(): Input;
  /** Returns a result that is a success, or ends the request. */
  require: {
    (failure: Failure): never;
    <Result extends { ok: true }>(result: Result | Failure): Result;
  };
  /**
   * Runs a unit of work that returns the response, and saves the response in its commit: both happen or neither. The
   * unit is refused if another request with the same key runs instead.
   */
  commit(
    write: (unit: UnitOfWork) => Promise<ApiResponse | Failure>,
  ): Promise<ApiResponse | Failure>;
}
