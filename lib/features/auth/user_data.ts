import { transact } from "../../platform/kv/mod.ts";
import { userKey } from "./users.ts";

/** Returns the key of what a user has stored. It is deleted in the commit that deletes the user. */
export const userDataKey = (id: number): Deno.KvKey => ["user_data", id];

/** One value per user. It is written only while the user exists. */
export interface UserData<Data extends object> {
  read(id: number): Promise<Data | null>;
  /**
   * Replaces the value in one commit. `change` may run again, and returns the given value if there is
   * nothing to write.
   *
   * @returns false if the user has been deleted
   */
  update(id: number, change: (data: Data | null) => Data | null): Promise<boolean>;
}

/**
 * @example
 * ```ts
 * const notes = createUserData<{ text: string }>(kv);
 * await notes.update(1, () => ({ text: "hello" }));
 * ```
 */
export function createUserData<Data extends object>(kv: Deno.Kv): UserData<Data> {
  return {
    read: async (id) => (await kv.get<Data>(userDataKey(id))).value,
    update: (id, change) =>
      transact(async () => {
        const [user, row] = await kv.getMany<[object, Data]>([userKey(id), userDataKey(id)]);
        if (user.value === null) return { result: false };
        const data = change(row.value);
        if (data === row.value || data === null) return { result: true };
        return { result: true, commit: kv.atomic().check(user, row).set(row.key, data) };
      }),
  };
}
