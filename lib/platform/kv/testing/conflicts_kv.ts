/**
 * Returns a store that counts commits that failed because another one was faster.
 *
 * @param kv closed together with the returned store
 */
export function conflictsKv(kv: Deno.Kv): { kv: Deno.Kv; conflicts(): number } {
  let conflicts = 0;
  const atomic = () => {
    const operation = kv.atomic();
    const commit = operation.commit.bind(operation);
    return Object.assign(operation, {
      async commit() {
        const result = await commit();
        if (!result.ok) conflicts++;
        return result;
      },
    });
  };
  return {
    kv: new Proxy(kv, {
      get(target, name) {
        if (name === "atomic") return atomic;
        const value = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    }),
    conflicts: () => conflicts,
  };
}
