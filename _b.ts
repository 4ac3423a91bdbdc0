import { run } from "./bench/batches.ts";
import { formatTable } from "./bench/table.ts";
for (const t of await run()) console.log(formatTable(t));
Deno.exit(0);
