import { expect, test } from "vitest";
import { report } from "./support/campaigns.ts";
import { holderOf } from "./support/people.ts";
import { expectRefusal, post, put } from "./support/requests.ts";
import { useService } from "./support/service.ts";
import { cart, dast } from "./support/waiver-requests.ts";

const scores = { "security.dast": { high: 0, medium: 1 } };

test("a waiver of a name shows a caller with bounds nothing of areas and teams outside", async () => {
  const open = await useService();
  await report(open, { ...cart, env: "prod" }, scores);
  await report(open, { ...cart, area: "bank", team: "loans", env: "prod" }, scores);
  const service = await useService({ auth: "token", databaseUrl: open.databaseUrl });
  const scopes = ["waiver:request"] as const;
  const [ofTeam, ofApp] = [
    await holderOf(service, { name: "team", scopes, bounds: { team: cart.team } }),
    await holderOf(service, { name: "app", scopes, bounds: { team: "pay", app: cart.app } }),
  ];
  const tried = async (by: typeof ofTeam, name: object) => {
    const { status, body } = await by.post("/waivers?dry_run=true", { ...dast, app: undefined, ...name });
    return { status, message: String(body.message) };
  };
  const unknown = (message: string) => ({ status: 400, message: expect.stringMatching(message) });
  expect(await tried(ofTeam, {})).toMatchObject({ status: 200 });
  for (const area of ["bank", "none"]) {
    expect(await tried(ofTeam, { area })).toEqual(unknown(`no area "${area}"; there is "shop"; a name is known`));
  }
  for (const area of ["shop", "bank", "none"]) {
    expect(await tried(ofApp, { area, team: "pay", app: cart.app })).toEqual(
      unknown(`no area "${area}"; a name is known`),
    );
  }
});

test("a waiver of an environment asks for those of its application alone, which may be any before the first report", async () => {
  const service = await useService();
  await report(service, { ...cart, env: "prod" }, scores);
  await report(service, { ...cart, app: "other", env: "dev" }, scores);
  await put(service, "/registry", { ...cart, app: "silent" });
  const tried = (name: object) => post(service, "/waivers?dry_run=true", { ...dast, ...name });
  for (const env of ["dev", "none"]) {
    const message = new RegExp(`nothing was reported of the environment "${env}"; there is "prod"`);
    expectRefusal(await tried({ env }), { paths: ["env"], message });
  }
  for (const name of [{ env: "prod" }, { app: "silent", env: "dev" }, { app: "silent", env: "none" }]) {
    expect(await tried(name)).toMatchObject({ status: 200 });
  }
});
