/** A witness whose store is lost. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Part } from "../steps.ts";
import { nameWitness, startsWitness } from "./install.ts";
import { logGrows, register, restart, SOUND } from "./people.ts";

export const witness: Part = {
  title: "A lost witness",
  sections: [
    {
      document: "docs/ops/witness.md",
      heading: "Its store is in no backup",
      steps: [
        {
          happens: "The machine of the witness loses its disk",
          async act({ witness, shell, moved }) {
            await witness!.stop();
            assertEquals((await shell(`rm -r ${moved("/var/lib/witness")}`)).status, 0);
          },
        },
      ],
    },
    {
      document: "docs/ops/log.md",
      heading: "When it waits",
      steps: [
        {
          says:
            "`LOG_QUORUM=optional`: the log goes on at once if `LOG_ANCHOR` agrees with the store,",
          async check(machine) {
            await restart(machine);
            await register(machine, "without-witness@example.org");
            await logGrows(machine);
          },
        },
      ],
    },
    {
      document: "docs/ops/witness.md",
      heading: "On a server",
      steps: [
        {
          ...startsWitness("witness.example/2"),
        },
      ],
    },
    {
      document: "docs/ops/witness.md",
      heading: "Its store is in no backup",
      steps: [
        {
          says: "Start a new one with an empty store, another key and another name, such as " +
            "`witness.example/2`.",
          check: async ({ witness }) =>
            assertStringIncludes(await witness!.output(), "generated now, and kept in the store"),
        },
        {
          says:
            "Give its line to the operators of the logs and to everyone whose policy names the old one,",
          check: nameWitness,
        },
      ],
    },
    ...SOUND,
  ],
};
