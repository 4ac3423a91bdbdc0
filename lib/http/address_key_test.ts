import { assertEquals } from "@std/assert";
import { addressKey } from "./address_key.ts";

Deno.test("an address stands for one client, an IPv6 network for one too", () => {
  const cases = [
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::ffff:cb00:7107", "203.0.113.7"],
    ["2001:db8::1", "2001:db8:0:0"],
    ["2001:DB8:0:0:1:2:3:4", "2001:db8:0:0"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:db8:1:2::", "2001:db8:1:2"],
    ["fe80::1%eth0", "fe80:0:0:0"],
    ["::1", "0:0:0:0"],
    ["unix:socket", "unix:socket"],
    ["", ""],
  ];
  for (const [address, key] of cases) assertEquals(addressKey(address), key, address);
});
