import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createToken, hashToken } from "../../../services/scoring/src/auth/token.ts";
import { insertToken, revokeToken } from "../../../services/scoring/src/auth/tokens.ts";
import type { Bounds, Scope } from "../../../services/scoring/src/model/grant.ts";
import type { TestService } from "../../../services/scoring/test/support/service.ts";
import { askAnew, describeInBrowser, openBoard, startBoard, violations } from "./support/browser.ts";

describeInBrowser("a service that asks for a token", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startBoard({ auth: "token" });
    const { token } = await make({ scopes: ["score:write"] });
    const score = { env: "prod", scorecard: "security", metric: "secret_scan", raw: { found: false } };
    const scores = ["shop", "payments"].map((area) => ({ area, team: "checkout", app: "cart", ...score }));
    await service.server.inject({
      ...{ method: "POST", url: "/scores", payload: { scores } },
      headers: { authorization: `Bearer ${token}` },
    });
  });
  afterAll(() => service.stop());

  const make = async ({ scopes = ["read"], bounds = {} }: { scopes?: readonly Scope[]; bounds?: Bounds } = {}) => {
    const token = createToken();
    const id = await insertToken(service.database.knex, { name: "Ann", hash: hashToken(token), scopes, bounds });
    return { token, id };
  };
  const signIn = async (page: Page, token: string) => {
    await page.getByLabel("Your token").fill(token);
    await page.getByRole("button", { name: "Sign in" }).click();
  };

  test("shows a field for a token, and everything after it, also when the page is loaded again", async () => {
    const { token } = await make();
    const page = await openBoard(service);
    await page.getByLabel("Your token").waitFor();
    expect(await violations(page)).toEqual([]);
    await signIn(page, "wrong");
    await page.getByRole("alert").getByText(/./).waitFor();
    await signIn(page, token);
    await page.getByRole("link", { name: "payments" }).waitFor();
    await page.reload();
    await page.getByRole("link", { name: "payments" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Your token").waitFor();
  });

  test("says that nobody was signed out when the service did not do it", async () => {
    const { token } = await make();
    const page = await openBoard(service);
    await signIn(page, token);
    await page.route("**/board/session", (route) => route.abort());
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("alert").getByText("Not signed out: the service does not answer").waitFor();
  });

  test("shows what the bounds of the token leave", async () => {
    const { token } = await make({ bounds: { area: "shop" } });
    const page = await openBoard(service);
    await signIn(page, token);
    await page.getByRole("link", { name: "shop" }).waitFor();
    expect(await page.getByRole("link", { name: "payments" }).count()).toBe(0);
    for (const view of ["", "sheet", "metrics", "levels", "changes"]) {
      await page.goto(new URL(`?env=prod&view=${view}`, page.url()).href);
      await page.getByText("A part of the organisation: you may read area shop.").waitFor();
      expect(await violations(page)).toEqual([]);
    }
  });

  test("says why a token is not good to read with", async () => {
    const { token } = await make({ scopes: ["score:write"] });
    const page = await openBoard(service);
    await signIn(page, token);
    await page.getByRole("alert").getByText("read").waitFor();
  });

  test("names the bound beyond which an address is", async () => {
    const { token } = await make({ bounds: { area: "shop" } });
    const page = await openBoard(service, "?env=prod&area=payments");
    await signIn(page, token);
    await page.getByText("Ann is bound to area shop").waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test.each([
    {
      ...{
        from: { area: "shop", team: "checkout", app: "till" },
        to: { area: "payments", team: "hidden", app: "till" },
      },
      search: "?env=prod&area=shop&team=checkout&app=till",
    },
    {
      ...{ from: { area: "shop", team: "kiosk" }, to: { area: "payments", team: "kiosk" } },
      search: "?env=prod&area=shop&team=kiosk",
    },
    { from: { area: "yard" }, to: { area: "hidden" }, search: "" },
  ])("says that $from has moved out of the bounds, and not where it went", async ({ from, to, search }) => {
    const { token: admin } = await make({ scopes: ["admin"] });
    const send = async (method: "PUT" | "POST", url: string, payload: object) => {
      const headers = { authorization: `Bearer ${admin}` };
      expect(await service.server.inject({ method, url, payload, headers })).toMatchObject({ statusCode: 200 });
    };
    await send("PUT", "/registry", { team: "checkout", app: "till", ...from });
    await send("POST", "/apps/move", { from, to });
    const { token } = await make({ bounds: { area: from.area } });
    const page = await openBoard(service, search);
    await signIn(page, token);
    await page.getByRole("heading", { name: "Moved away" }).waitFor();
    const name = Object.values(from).join("/");
    await page.getByText(`${name} has moved out of your bounds.`).waitFor();
    expect(await page.getByText(/payments|hidden/).count()).toBe(0);
    expect(await violations(page)).toEqual([]);
  });

  test("says by which grant one sees what one sees, and leads back to it", async () => {
    const { token } = await make({ bounds: { area: "shop" } });
    const page = await openBoard(service, "?env=prod&area=payments");
    await signIn(page, token);
    await page.getByRole("link", { name: "Why can't I see this?" }).click();
    await page.getByRole("heading", { name: "Yours" }).waitFor();
    await page.getByRole("row", { name: "token read area shop" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("link", { name: "The organisation" }).click();
    await page.getByRole("link", { name: "shop" }).waitFor();
  });

  test("shows the field again when the token is revoked", async () => {
    const { token, id } = await make();
    const page = await openBoard(service);
    await signIn(page, token);
    await page.getByRole("link", { name: "payments" }).waitFor();
    await revokeToken(service.database.knex, id);
    await askAnew(page);
    await page.getByLabel("Your token").waitFor();
  });
});
