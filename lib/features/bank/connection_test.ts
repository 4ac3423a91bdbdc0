import { assertEquals } from "@std/assert";
import { totalOf, viewAccounts } from "./connection.ts";

Deno.test("viewAccounts() drops archived and deleted accounts, and only active ones are counted", () => {
  const upstream = ["active", "pending", "archived", "deleted", "frozen"];
  const accounts = viewAccounts(upstream.map((status) => (
    { id: status, nickname: "", kind: "checking", balance: 0.1, last4: "", status }
  )));
  assertEquals(accounts.map(({ id, status }) => [id, status]), [
    ["active", "active"],
    ["pending", "restricted"],
    ["frozen", "restricted"],
  ]);
  assertEquals(totalOf(accounts), { total_balance: 0.1, active_accounts: 1 });
});
