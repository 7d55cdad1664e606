import type { Knex } from "knex";
import type { Problem } from "../../src/model/problem.ts";
import type { NewWaiver } from "../../src/model/waiver.ts";
import { type Registered, type RegisteredApp, registerApps } from "../../src/store/apps.ts";
import { ensureApplications } from "../../src/store/names.ts";
import { type StoredProblem, saveProblem } from "../../src/store/problems.ts";
import { insertWaiver } from "../../src/store/waiver-changes.ts";

/** Stores a problem without a waiting caller. */
export function storeProblem(knex: Knex, problem: Problem): Promise<StoredProblem> {
  return knex.transaction((trx) => saveProblem(trx, problem));
}

/** Stores a waiver without a waiting caller. */
export function storeWaiver(knex: Knex, waiver: NewWaiver, by: string): ReturnType<typeof insertWaiver> {
  const { area, team, app } = waiver;
  return knex.transaction(async (trx) => {
    const [found] = team && app ? await ensureApplications(trx, [{ area, team, app }]) : [];
    const application_id = found?.application_id ?? null;
    return insertWaiver(trx, { ...waiver, application_id }, "approved", { name: by, caller: by });
  });
}

/** Registers applications without a waiting caller. */
export function registerNames(knex: Knex, apps: readonly RegisteredApp[]): Promise<Registered> {
  return knex.transaction(async (trx) => {
    const found = await ensureApplications(trx, apps);
    return registerApps(
      trx,
      apps.map((app, place) => ({ ...app, application_id: found[place]?.application_id as number })),
    );
  });
}
