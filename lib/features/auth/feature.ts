/** The description of the feature “auth”: sign-in with mailed links, sessions and users. */
import { apart } from "../../platform/kv/mod.ts";
import { wholeNumber } from "../../platform/config/fields.ts";
import { defineSettings } from "../../platform/config/settings.ts";
import { defineFeature, type Platform } from "../../platform/feature.ts";
import type { MailOrganisation, PrepareMail } from "../../platform/mail/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { addAudit } from "../audit/mod.ts";
import type { OperatorsServices } from "../operators/feature.ts";
import { signIns } from "./metrics.ts";
import { deleteUnused } from "./delete_unused.ts";
import { createUserDeletionJob } from "./delete_user.ts";
import {
  type Auth,
  type ConsoleSessions,
  createAuth,
  createConsoleSessions,
  operatorSessions,
} from "./mod.ts";
import { authTables } from "./tables.ts";
import { type User, users } from "./users.ts";

interface AuthServices {
  auth: Auth;
  consoleSessions: ConsoleSessions;
}

type Below = Platform & OperatorsServices & {
  config: {
    signInClientLimit: number;
    organisations: Record<OrganisationKey, MailOrganisation>;
  };
};

const settings = defineSettings({
  variables: {
    SIGN_IN_CLIENT_LIMIT: wholeNumber("requests per hour up to 5000, 0 for no limit", 5000)
      .default(300),
  },
  config: ({ SIGN_IN_CLIENT_LIMIT }) => ({
    /** Sign-in requests per hour from one client address; 0 for no limit. */
    signInClientLimit: SIGN_IN_CLIENT_LIMIT,
  }),
  off: ({ signInClientLimit }) =>
    signInClientLimit === 0
      ? ["the sign-in limit per client address: SIGN_IN_CLIENT_LIMIT is 0"]
      : [],
});

export const authFeature = defineFeature({
  name: "auth",
  tables: authTables,
  settings,
  metrics: [signIns],
  create: ({ config, surfaces, operators, ...below }: Below): AuthServices => ({
    auth: createAuth({
      ...below,
      clientLimit: config.signInClientLimit,
      surfaceOf: surfaces.get,
      organisations: config.organisations,
      permits: operators.maySignIn,
      async addToSignIn(commit, { email, surface }, now) {
        const console = surfaces.get(surface);
        if (!console?.signIn?.operatorsOnly) return;
        const { organisation } = console;
        const detail = await apart(
          "Each request reads the layer again.",
          async () =>
            await operators.layerOf(email, organisation) ??
              (await operators.maySignIn(email, console) ? "invited" : "no access"),
        );
        addAudit(commit, { organisation, by: email, action: "sign_in", detail }, now);
      },
    }),
    consoleSessions: createConsoleSessions({ ...below, surfaces }),
  }),
  jobs: (services) => [createUserDeletionJob(services)],
  deletesDue: ({ kv }) => ({
    [users.prefix]: (entry: Deno.KvEntry<User>) => deleteUnused(kv, entry),
  }),
  hooks: {
    beforeMail: ({ auth }): PrepareMail => auth.resumeRequests,
    operatorData: operatorSessions,
  },
});
