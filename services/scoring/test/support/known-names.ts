import { registerApps } from "../../src/store/apps.ts";
import { ensureApplications } from "../../src/store/names.ts";
import { findUnknownEnv, findUnknownName } from "../../src/store/near-names.ts";
import { createTargets } from "../../src/store/targets.ts";
import type { TestService } from "./service.ts";

/** A target of a waiver. */
export interface Named {
  readonly area?: string;
  readonly team?: string | null | undefined;
  readonly app?: string | null | undefined;
  readonly env?: string | null | undefined;
}

const everybody = { parts: [{ bounds: {} }] };

/**
 * Makes names known, so that they can be waived: registers an application of each that nothing has, without an entry of the
 * audit, and with an environment that nothing was reported of, makes it. What has its name already stays as it is.
 */
export async function makeKnown(
  { database }: Pick<TestService, "database">,
  ...names: readonly Named[]
): Promise<void> {
  await database.knex.transaction(async (trx) => {
    for (const { area = "", team, app, env } of names) {
      const name = { area, team: team ?? "", app: app ?? "" };
      const whole = { area, team: team ?? "known", app: app ?? "known" };
      if (await findUnknownName(trx, name, "shown", everybody)) {
        const applications = await ensureApplications(trx, [whole]);
        const entry = { owner: null, repo: null, tier: null, labels: {} };
        await registerApps(
          trx,
          applications.map(({ application_id }) => ({ application_id, ...entry })),
        );
      }
      if (env && (await findUnknownEnv(trx, whole, env))) await createTargets(trx, [{ ...whole, env }], "accept");
    }
  });
}
