import { z } from "zod";
import { defineSettings } from "../../platform/config/settings.ts";
import { defineFeature } from "../../platform/feature.ts";

const settings = defineSettings({
  variables: { RECORD_APP: z.enum(["on", "off"], "on or off").default("on") },
  config: ({ RECORD_APP }) => ({
    /** True if `/my-record` is a web app with notifications and an offline page. */
    recordApp: RECORD_APP === "on",
  }),
});

export const recordAppFeature = defineFeature({
  name: "record_app",
  settings,
  create: () => ({}),
});
