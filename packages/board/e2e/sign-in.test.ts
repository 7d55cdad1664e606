import { afterAll, beforeAll, expect, test } from "vitest";
import { askAnew, describeInBrowser, hold, openAt, openBoard, tabTo, violations } from "./support/browser.ts";
import { choose, openAs, type SigningIn, startSigningIn } from "./support/people.ts";
import { report } from "./support/shop.ts";

const secretScan = { app: "cart", scorecard: "security", metric: "secret_scan", raw: { found: false } };

describeInBrowser("a service that signs people in", () => {
  let signingIn: SigningIn;
  beforeAll(async () => {
    signingIn = await startSigningIn((service) =>
      report(service, [
        secretScan,
        { ...secretScan, team: "search", app: "finder" },
        { ...secretScan, area: "payments", team: "books", app: "ledger" },
      ]),
    );
  });
  afterAll(() => signingIn.stop());

  test("leads back to the view that was asked for, by keyboard alone", async () => {
    const page = await openBoard(signingIn.service, "?view=applications&env=prod&q=a b&sort=name");
    await page.getByRole("heading", { name: "Sign in to read" }).waitFor();
    expect(await page.getByLabel("Your token").count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await tabTo(page, "Sign in");
    await page.keyboard.press("Enter");
    await choose(page, "Ray");
    await page.getByRole("heading", { name: "Applications" }).waitFor();
    const query = new URL(page.url()).searchParams;
    expect([query.get("q"), query.get("sort"), query.get("env")]).toEqual(["a b", "name", "prod"]);
    await page.getByRole("link", { name: "Signed in as ray@example.com" }).waitFor();
  });

  test("begins at the one team that a person's rules name, with the organisation a click away", async () => {
    const page = await openAs(signingIn, "Ann");
    await page.getByRole("heading", { name: "checkout" }).waitFor();
    await page.getByRole("link", { name: "cart" }).waitFor();
    await page.getByRole("link", { name: "Organisation" }).first().click();
    await page.getByText("A part of the organisation: you may read area shop, team checkout.").waitFor();
    expect(await page.getByRole("link", { name: "payments" }).count()).toBe(0);
  });

  test("finds the area of a team where a rule does not name it", async () => {
    const page = await openAs(signingIn, "Tim");
    await page.getByRole("heading", { name: "checkout" }).waitFor();
    await page.getByRole("navigation", { name: "Above this" }).getByRole("link", { name: "shop" }).waitFor();
  });

  test("begins at a short list for a person with several teams, and with the organisation for one without", async () => {
    const page = await openAs(signingIn, "Bob");
    await page.getByRole("heading", { name: "Yours" }).waitFor();
    const own = page.getByRole("main").getByRole("listitem");
    await own.getByText("100").nth(1).waitFor();
    expect(await own.allInnerTexts()).toEqual([expect.stringContaining("checkout"), expect.stringContaining("search")]);
    expect(await violations(page)).toEqual([]);
    await own.getByRole("link", { name: "search" }).click();
    await page.getByRole("link", { name: "finder" }).waitFor();
    const other = await openAs(signingIn, "Ray");
    await other.getByRole("heading", { name: "Organisation" }).waitFor();
    await other.getByRole("link", { name: "payments" }).waitFor();
  });

  test("keeps the view that a link names, and says by which rule one does not see it", async () => {
    const page = await openAs(signingIn, "Ann", "?env=prod&area=payments");
    await page.getByText("ann@example.com is bound to area shop, team checkout").waitFor();
    await page.getByRole("link", { name: "Why can't I see this?" }).click();
    await page.getByRole("row", { name: /^sign_in\.rules\[0\] .*area shop, team checkout$/ }).waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test.each(["light", "dark"] as const)(
    "says in a narrow window, %s, why a sign-in ended, and what to do",
    async (colorScheme) => {
      const { uri } = signingIn.service.server.info;
      const options = { viewport: { width: 360, height: 740 }, colorScheme };
      for (const [path, title, link] of [
        ["/sign-in/callback?code=x&state=x", "This sign-in was not begun here", "Sign in again"],
        ["/sign-in?to=//evil.example", "There is no such view", "Go to the Board"],
      ] as const) {
        const page = await openAt(`${uri}${path}`, options);
        await page.getByRole("heading", { name: title }).waitFor();
        expect(await violations(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
        await tabTo(page, link);
      }
      const page = await openBoard(signingIn.service, "?env=prod", options);
      await page.getByRole("link", { name: "Sign in", exact: true }).click();
      await page.getByRole("button", { name: /^Nobody/ }).click();
      await page.getByText("The provider says that access was refused.").waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByRole("link", { name: "Sign in again" }).click();
      await choose(page, "Ray");
      expect(page.url()).toMatch(/\?env=prod$/);
    },
  );

  test("signs out here and at the provider", async () => {
    const page = await openAs(signingIn, "Ann", "?env=prod");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to read" }).waitFor();
    await page.getByRole("link", { name: "Sign in", exact: true }).click();
    // The provider asks again: its own session ended, too.
    await choose(page, "Ray");
  });

  test("says that a session was revoked, and keeps the view", async () => {
    const { service } = signingIn;
    const page = await openAs(signingIn, "Ann", "?view=problems&env=prod");
    await page.getByRole("heading", { name: "Open problems" }).waitFor();
    await service.database.knex("sessions").del();
    await askAnew(page);
    await page.getByRole("heading", { name: "You were signed out" }).waitFor();
    expect(await page.locator(":focus").textContent()).toBe("You were signed out");
    expect(await violations(page)).toEqual([]);
    await page.getByRole("link", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { name: "Open problems" }).waitFor();
  });

  test("shows another person's Board where another tab of the browser signed in as that person", async () => {
    const page = await openAs(signingIn, "Ann", "?env=prod");
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    await tab.getByRole("button", { name: "Sign out" }).click();
    await tab.getByRole("link", { name: "Sign in", exact: true }).click();
    await choose(tab, "Ray");
    await page.evaluate(() => dispatchEvent(new Event("focus")));
    await page.getByRole("link", { name: "Signed in as ray@example.com" }).waitFor();
  });

  test("shows a window nothing of another person who signed in meanwhile, and loads again when asked to", async () => {
    const page = await openAs(signingIn, "Ann", "?env=prod&area=shop&team=checkout");
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    await tab.getByRole("button", { name: "Sign out" }).click();
    await tab.getByRole("link", { name: "Sign in", exact: true }).click();
    await choose(tab, "Ray");
    await askAnew(page);
    await page.getByRole("heading", { name: "Somebody else has signed in" }).waitFor();
    await page.getByText("This window shows what ann@example.com may see").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("link", { name: "Load the page again" }).click();
    await page.getByRole("link", { name: "Signed in as ray@example.com" }).waitFor();
  });

  test("sends nothing in the name of another person who signed in meanwhile", async () => {
    const page = await openAs(signingIn, "Ann", "?env=prod&area=shop&team=checkout&app=cart");
    await page.getByRole("button", { name: "Ask for a waiver of secret_scan" }).click();
    await page.getByLabel("Reason").fill("it is checked elsewhere");
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    await tab.getByRole("button", { name: "Sign out" }).click();
    await tab.getByRole("link", { name: "Sign in", exact: true }).click();
    await choose(tab, "Sue");
    await page.getByRole("button", { name: "Send the request" }).click();
    await page.getByRole("alert").getByText("another window of this browser has signed in somebody else").waitFor();
    expect(await signingIn.service.database.knex("waivers")).toEqual([]);
  });

  test("makes a badge of an application for who may, and shows it to all who read there", async () => {
    const cart = "?env=prod&area=shop&team=checkout&app=cart";
    const sue = await openAs(signingIn, "Sue", cart);
    await sue.getByText("Badge for a README").click();
    await sue.getByRole("button", { name: "Make one of the score" }).click();
    const widthOf = (page: typeof sue) =>
      page
        .getByRole("img", { name: "badge of the score" })
        .evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth));
    expect(await widthOf(sue)).toBeGreaterThan(50);
    expect(await sue.getByRole("button", { name: "Make one of the score" }).count()).toBe(0);
    expect(await violations(sue)).toEqual([]);
    const ray = await openAs(signingIn, "Ray", cart);
    await ray.getByText("Badge for a README").click();
    expect(await widthOf(ray)).toBeGreaterThan(50);
    expect(await ray.getByRole("button", { name: "Make one of the level" }).count()).toBe(0);
  });

  test("makes no campaign but the one that was shown", async () => {
    const page = await openAs(signingIn, "Sue", "?view=campaigns&env=prod");
    const bodies: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST" && !request.url().includes("dry_run")) bodies.push(request.postData() ?? "");
    });
    await page.getByRole("button", { name: "Make a campaign" }).click();
    const dialog = page.getByRole("dialog").filter({ visible: true });
    const press = (name: string) => dialog.getByRole("button", { name, exact: true }).click();
    await dialog.getByLabel("Name").fill("Images without weaknesses");
    await dialog.getByLabel("Why").fill("Two incidents began in an image.");
    await dialog.getByRole("checkbox", { name: "shop" }).check();
    await dialog.getByLabel("Teams").selectOption("shop / search");
    await press("See whom it is for");
    await dialog.getByText(/^That is 2 members/).waitFor();
    await dialog.getByRole("button", { name: /^shop \/ search/ }).click();
    await dialog.getByText(/^That is/).waitFor({ state: "detached" });
    const letThrough = await hold(page, /dry_run/);
    await press("See whom it is for");
    await dialog.getByLabel("Name").fill("Images");
    const answer = page.waitForResponse(/dry_run/);
    letThrough();
    await (await answer).finished();
    await dialog.getByRole("button", { name: "See whom it is for", disabled: false }).waitFor();
    expect(await dialog.getByText(/^That is/).count()).toBe(0);
    await press("See whom it is for");
    await dialog.getByText(/^That is 2 members/).waitFor();
    // A field changes without an event, as where a part of the form comes late.
    await dialog.getByLabel("Owner").evaluate((owner: HTMLInputElement) => {
      owner.value = "the office";
    });
    await press("Make the campaign");
    await dialog.getByRole("button", { name: "Make the campaign", disabled: false }).waitFor();
    expect(bodies).toEqual([]);
  });

  test("lets who may make campaigns see whom one is for, make it, and end it", async () => {
    const ray = await openAs(signingIn, "Ray", "?view=campaigns&env=prod");
    await ray.getByText("There is no campaign").waitFor();
    expect(await ray.getByRole("button", { name: "Make a campaign" }).count()).toBe(0);
    const sue = await openAs(signingIn, "Sue", "?view=campaigns&env=prod");
    await sue.getByRole("button", { name: "Make a campaign" }).click();
    const dialog = sue.getByRole("dialog").filter({ visible: true });
    const press = (name: string) => dialog.getByRole("button", { name, exact: true }).click();
    await dialog.getByLabel("Name").fill("Images without weaknesses");
    await dialog.getByLabel("Why").fill("Two incidents began in an image.");
    await press("See whom it is for");
    await dialog.getByText(/^Must name areas or teams within the area "shop"/).waitFor();
    expect(await dialog.getByRole("checkbox", { name: "payments" }).count()).toBe(0);
    await dialog.getByRole("checkbox", { name: "shop" }).check();
    await dialog.getByLabel("Tiers").fill("9");
    await press("See whom it is for");
    await dialog.getByText(/^There is no tier "9"/).waitFor();
    await dialog.locator('[name="tier"]:focus').waitFor();
    expect(await violations(sue)).toEqual([]);
    await dialog.getByLabel("Tiers").fill("");
    await press("See whom it is for");
    await dialog.getByText("That is 2 members today: 0 meet the goal, 2 are left.").waitFor();
    expect(await signingIn.service.database.knex("campaigns")).toEqual([]);
    await dialog.getByLabel("Goal").selectOption("the application has a level");
    const levels = dialog.locator("[name=level]").getByRole("option");
    await levels.first().waitFor({ state: "attached" });
    expect(await levels.allTextContents()).toEqual(["bronze", "silver", "gold"]);
    await dialog.getByLabel("Goal").selectOption("no problem is open");
    await press("See whom it is for");
    await dialog.getByText("That is 2 members today: 2 meet the goal, 0 are left.").waitFor();
    expect(await violations(sue)).toEqual([]);
    await press("Make the campaign");
    await sue.getByRole("heading", { name: "Images without weaknesses" }).waitFor();
    await sue.getByText("Nobody is left").waitFor();
    const end = sue.getByRole("button", { name: "End it now" });
    await end.click();
    expect(await violations(sue)).toEqual([]);
    await press("End it now");
    await sue.getByText("The campaign has ended.").waitFor();
    await end.waitFor({ state: "detached" });
    await sue.getByText("ended by sue@example.com").waitFor();
    await ray.goto(sue.url());
    await ray.getByText("Nobody is left").waitFor();
    expect(await ray.getByRole("button", { name: "Put it away" }).count()).toBe(0);
    const actions = await signingIn.service.database.knex("audit").whereLike("action", "campaign.%").orderBy("id");
    expect(actions.map(({ action }) => action)).toEqual(["campaign.create", "campaign.end"]);
  });
});
