/** The properties of routes, such as their audience. */

/**
 * The properties of a route, from which the pipeline chooses its steps. A file in `routes/` exports them
 * as `properties`, except for those that the operations of its path have. All others have their defaults.
 */
export interface RouteProperties {
  /**
   * The callers of the route. Programs get errors as JSON, and responses without a page's policy. With
   * `both`, a posted form comes from a person, and everything else from a program. Default: `people`.
   */
  audience?: "people" | "programs" | "both";
  /**
   * True if a route for people also serves JSON to programs, which then get errors as JSON too: whatever does not
   * ask for a page (`wantsPage`) or post a form.
   */
  servesJson?: true;
  /**
   * The requests that other sites may send, because the route checks `Origin`, a signature or a token
   * itself, or is open to everyone. Default: none.
   */
  crossSite?: "all" | "POST";
  /** True if no request changes anything, so that POST works while the store is read-only. */
  onlyReads?: boolean;
  /**
   * The requests whose responses have only the headers that every response has, because each header
   * takes time. Default: none.
   */
  minimalHeaders?: "POST";
  /** True if responses depend on nobody's session, so that none is read. Default: false. */
  anonymous?: true;
  /** Why requests that change something demand no authority of their sender; absent if they demand one. */
  noAuthority?: string;
  /** Why `/openapi.json` does not describe a route that programs can call. */
  notInOpenApi?: string;
}
