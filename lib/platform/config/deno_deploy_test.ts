import { assertEquals } from "@std/assert";
import denoJson from "../../../deno.json" with { type: "json" };
import { checkInstance, isDenoDeploy, thisInstance } from "./deno_deploy.ts";

Deno.test("Deno Deploy is recognised by its variables, and no other environment is", () => {
  assertEquals(isDenoDeploy({ DENO_DEPLOY: "true" }), true);
  assertEquals(isDenoDeploy({ DENO_DEPLOYMENT_ID: "d1" }), true);
  assertEquals(isDenoDeploy({ DENO_DEPLOY: "", DENO_DEPLOYMENT_ID: " " }), false);
  assertEquals(isDenoDeploy({ DENO_TIMELINE: "production" }), false);
});

Deno.test("an instance as deno.json asks for has no problems; one without cron must not start", () => {
  const memory = denoJson.deploy.runtime.memoryLimit * 1024 ** 2;
  const instance = { ...thisInstance(), memory };
  assertEquals(checkInstance(instance), { problems: [], warnings: [] });
  assertEquals(checkInstance({ ...instance, cron: false }).problems.length, 1);
});

Deno.test("less memory and another version of Deno are warned about by name", () => {
  const instance = { deno: "2.5.0", memory: 512 * 1024 ** 2, cron: true };
  assertEquals(checkInstance(instance), {
    problems: [],
    warnings: [
      "memory: 512 MB here, but the site needs 1024 MB",
      "Deno: 2.5.0 here, but the site was tested with 2.9.6 only",
    ],
  });
});
