import { describe, expect, test } from "vitest";
import { post } from "./support/requests.ts";
import { createDatabase, engines, type TestService, useService } from "./support/service.ts";

const checkout = { area: "shop", team: "checkout" };
const till = { area: "shop", team: "till" };
const raw = { high: 0, medium: 0 };

/** More former names than conflicts are listed, which sort before all others. */
const former = Array.from({ length: 101 }, (_, index) => `a${index}`);

const submission = (name: object) => ({ ...name, env: "prod", scorecard: "security", metric: "dast", raw });

/** What stands in the way of a merge of till into checkout. */
const cases = {
  "a name of which one of the two is retired": {
    stands: { ...checkout, app: "z" },
    kind: "retired",
    code: "app-retired",
    async make(service: TestService) {
      for (const team of [checkout, till]) await done(service, "/score", submission({ ...team, app: "z" }));
      await done(service, "/apps/retire", { ...till, app: "z", reason: "replaced" });
    },
  },
  "a former name of another application": {
    stands: { ...checkout, app: "z" },
    kind: "former-name",
    code: "app-exists",
    async make(service: TestService) {
      await done(service, "/score", submission({ ...checkout, app: "z" }));
      await done(service, "/apps/move", {
        from: { ...checkout, app: "z" },
        to: { area: "bank", team: "loans", app: "z" },
      });
      await done(service, "/score", submission({ ...till, app: "z" }));
    },
  },
} as const;

async function done(service: TestService, url: string, body: object): Promise<void> {
  expect(await post(service, url, body)).toMatchObject({ status: 200 });
}

describe.each(engines)("behind more former names than are listed, on %s,", (kind) => {
  test.each(Object.entries(cases))("%s stops a merge", async (_, { stands, kind: conflict, code, make }) => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    await done(service, "/scores", { scores: former.map((app) => submission({ ...till, app })) });
    // As after a move of each.
    await service.database.knex.raw(
      "INSERT INTO names (area, team, app, application_id) SELECT area, 'checkout', app, id FROM applications",
    );
    const merge = { from: till, to: checkout, merge: true };
    const dry = async (body: object) => (await post(service, "/apps/move", { ...body, dry_run: true })).body;
    expect(await dry(merge)).toMatchObject({ conflicts: [] });
    await make(service);
    expect(await dry(merge)).toMatchObject({ conflicts: [{ ...stands, kind: conflict }] });
    expect(await post(service, "/apps/move", merge)).toMatchObject({ status: 409, body: { code } });
    // Without a merge the names that are given back stand in the way too, and the first hundred of all are listed.
    const { conflicts } = await dry({ from: till, to: checkout });
    expect(conflicts).toHaveLength(100);
    expect(conflicts).toMatchObject([
      { ...stands, kind: conflict },
      ...former.slice(1, 100).map(() => ({ kind: "exists" })),
    ]);
    expect(await post(service, "/apps/move", { from: till, to: checkout })).toMatchObject({
      ...{ status: 409, body: { code } },
    });
    // Each name still takes its reports.
    for (const app of ["a0", "a100"]) {
      const moved_to = { ...till, app };
      expect((await post(service, "/score", submission({ ...checkout, app }))).body).toMatchObject({ moved_to });
    }
  });
});
