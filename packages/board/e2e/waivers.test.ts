import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askAnew, describeInBrowser, settled, tabTo, violations } from "./support/browser.ts";
import { openAs, type SigningIn, startSigningIn } from "./support/people.ts";
import { fillShop } from "./support/shop.ts";

const cart = "?env=prod&area=shop&team=checkout&app=cart";
const waiting = "?view=waiting&env=prod";
const asked = "?view=asked&env=prod";

describeInBrowser("waivers that are asked for", () => {
  let signingIn: SigningIn;
  beforeAll(async () => {
    signingIn = await startSigningIn(fillShop);
  });
  afterAll(() => signingIn.stop());

  const opener = (page: Page, subject: string) => page.getByRole("button", { name: `Ask for a waiver of ${subject}` });
  const requestFor = (page: Page, reason: string) =>
    page.getByRole("main").getByRole("listitem").filter({ hasText: reason });
  const dialog = (page: Page) => page.getByRole("dialog").filter({ visible: true });
  const press = (page: Page, name: string) => dialog(page).getByRole("button", { name, exact: true }).click();

  const send = async (page: Page, reason: string) => {
    await page.getByLabel("Reason").fill(reason);
    await press(page, "Send the request");
    await page.getByText("Your request is sent.").waitFor();
    await press(page, "Close");
  };

  test.each([
    ["a metric", "secret_scan", "a test key"],
    ["a scorecard", "reliability", "nobody calls it"],
    ["a problem", "terraform_secret", "an example file"],
  ])("for %s are rejected with a comment, which the person who asked reads", async (_, subject, reason) => {
    const ann = await openAs(signingIn, "Ann", cart);
    await opener(ann, subject).click();
    await send(ann, reason);
    const sue = await openAs(signingIn, "Sue", waiting);
    const request = requestFor(sue, reason);
    await request.waitFor();
    await expect.poll(() => sue.title()).toMatch(/^\(\d+\) waits for me/);
    expect(await violations(sue)).toEqual([]);
    await request.getByRole("button", { name: /^Reject/ }).click();
    await sue.getByLabel("Comment").fill("no,\nmend it");
    expect(await violations(sue)).toEqual([]);
    await press(sue, "Reject");
    await sue.getByText("1 request rejected.").waitFor();
    await request.waitFor({ state: "detached" });
    await ann.goto(ann.url().replace(/\?.*/, asked));
    const own = requestFor(ann, reason);
    await own.getByText("rejected by sue@example.com").waitFor();
    await own.getByText("no, mend it").waitFor();
    expect(await violations(ann)).toEqual([]);
    await ann.getByRole("link", { name: "Waivers", exact: true }).first().click();
    await ann.getByRole("link", { name: "rejected" }).click();
    const row = ann.getByRole("row").filter({ hasText: reason });
    await row.getByText("not in force").waitFor();
    expect(await row.locator("td.text").last().textContent()).toBe(""); // given by nobody
    expect(await violations(ann)).toEqual([]);
  });

  test("are asked for once, however often a request is sent because its answer was lost", async () => {
    const ann = await openAs(signingIn, "Ann", cart);
    await opener(ann, "dast").click();
    await ann.getByLabel("Reason").fill("sent twice");
    await ann.route("**/waivers", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await press(ann, "Send the request");
    await dialog(ann).getByRole("alert").waitFor();
    await ann.unroute("**/waivers");
    await press(ann, "Cancel");
    await opener(ann, "dast").click(); // which asks how many it covers
    await dialog(ann).getByText("That is 1 application").waitFor();
    await ann.getByLabel("Reason").fill("sent twice");
    await press(ann, "Send the request");
    await ann.getByText("Your request is sent.").waitFor();
    await press(ann, "Close");
    await ann.goto(ann.url().replace(/\?.*/, asked));
    await requestFor(ann, "sent twice").waitFor();
    expect(await requestFor(ann, "sent twice").count()).toBe(1);
  });

  test("say how many applications a team is before they are sent, and what is wrong at its field", async () => {
    const page = await openAs(signingIn, "Ann", cart);
    await opener(page, "image_scan").click();
    await dialog(page).getByText("That is 1 application, 1 score today.").waitFor();
    expect(await page.getByLabel("Covers").locator("option").allInnerTexts()).toEqual([
      "cart, only in prod",
      "cart, in all environments",
      "all applications of checkout",
    ]);
    await page.getByLabel("Covers").selectOption("all applications of checkout");
    await dialog(page)
      .getByText(/^That is 3 applications, 3 scores today\.$/)
      .waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel("Reason").fill("x".repeat(1_001));
    await page.getByLabel("Link to evidence").fill("http://tracker.example.com/1");
    await press(page, "Send the request");
    const faultOf = async (field: Locator) => {
      expect(await field.getAttribute("aria-invalid")).toBe("true");
      const ids = (await field.getAttribute("aria-describedby"))?.split(" ") ?? [];
      return page.locator(`[id="${ids.at(-1)}"]`).textContent();
    };
    await page.locator('[aria-invalid="true"]').first().waitFor();
    expect(await faultOf(page.getByLabel("Reason"))).toContain("1000");
    expect(await faultOf(page.getByLabel("Link to evidence"))).toContain("https");
    await page.getByLabel("Reason").and(page.locator(":focus")).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await opener(page, "image_scan").and(page.locator(":focus")).waitFor();
  });

  test("say how many applications a team is before they are decided, too", async () => {
    const ann = await openAs(signingIn, "Ann", cart);
    await opener(ann, "image_scan").click();
    await ann.getByLabel("Covers").selectOption("all applications of checkout");
    await send(ann, "no images in this team");
    const options = { viewport: { width: 360, height: 740 } };
    const sue = await openAs(signingIn, "Sue", waiting, options);
    await requestFor(sue, "no images in this team")
      .getByRole("button", { name: /^Approve/ })
      .click();
    await dialog(sue)
      .getByText(/^That is 3 applications, 3 scores today\.$/)
      .waitFor();
    expect(await sue.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    expect(await violations(sue)).toEqual([]);
    await press(sue, "Cancel");
    await requestFor(sue, "no images in this team")
      .getByRole("button", { name: /^Reject/ })
      .click();
    await sue.getByLabel("Comment").fill("two of them have images");
    await press(sue, "Reject");
    await sue.getByText("1 request rejected.").waitFor();
  });

  test("are decided once where two people decide at the same moment, and the other sees by whom", async () => {
    const ann = await openAs(signingIn, "Ann", cart);
    await opener(ann, "unit_coverage").click();
    await send(ann, "generated code");
    const [sue, grace] = [await openAs(signingIn, "Sue", waiting), await openAs(signingIn, "Grace", waiting)];
    for (const page of [sue, grace]) {
      await requestFor(page, "generated code")
        .getByRole("button", { name: /^Approve/ })
        .click();
      await page.getByLabel("Comment").waitFor();
    }
    await Promise.all([press(sue, "Approve"), press(grace, "Approve")]);
    const won = (page: Page) => page.getByText("1 request approved.");
    const lost = (page: Page, by: string) => dialog(page).getByRole("alert").getByText(`was approved by ${by}`);
    await won(sue).or(lost(sue, "grace@example.com")).waitFor();
    await won(grace).or(lost(grace, "sue@example.com")).waitFor();
    expect((await won(sue).count()) + (await won(grace).count())).toBe(1);
    expect((await lost(sue, "grace@example.com").count()) + (await lost(grace, "sue@example.com").count())).toBe(1);
    const loser = (await won(sue).count()) === 1 ? grace : sue;
    expect(await violations(loser)).toEqual([]);
    await press(loser, "Close");
    await ann.reload();
    await ann.getByText(/^waived until .* by ann@example.com: generated code$/).waitFor();
    await ann.goto(ann.url().replace(/\?.*/, asked));
    await requestFor(ann, "generated code").getByRole("button", { name: "Ask to extend it" }).click();
    expect(await ann.getByLabel("Covers").locator("option").allInnerTexts()).toEqual(["cart, only in prod"]);
    await send(ann, "still generated");
    await askAnew(loser);
    await requestFor(loser, "still generated").getByText("extends one that ends").waitFor();
  });

  test("are decided several at once, in a narrow window too", async () => {
    const ann = await openAs(signingIn, "Ann", cart);
    for (const metric of ["dast", "sast"]) {
      await opener(ann, metric).click();
      await send(ann, `several: ${metric}`);
    }
    const sue = await openAs(signingIn, "Sue", waiting, { viewport: { width: 360, height: 740 }, colorScheme: "dark" });
    for (const metric of ["dast", "sast"]) {
      await requestFor(sue, `several: ${metric}`).getByRole("checkbox").check();
    }
    expect(await sue.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    expect(await violations(sue)).toEqual([]);
    await sue.getByRole("button", { name: "Approve 2 requests" }).click();
    await press(sue, "Approve");
    await sue.getByText("2 requests approved.").waitFor();
    await requestFor(sue, "several:").first().waitFor({ state: "detached" });
    await ann.goto(ann.url().replace(/\?.*/, asked));
    await expect.poll(() => requestFor(ann, "several:").getByText("approved by sue@example.com").count()).toBe(2);
  });

  test("whose end has passed meanwhile can only be rejected", async () => {
    const ann = await openAs(signingIn, "Ann", cart);
    await opener(ann, "secret_scan").click();
    await send(ann, "it is too late");
    const waivers = signingIn.service.database.knex("waivers");
    await waivers.where({ reason: "it is too late" }).update({ expires_at: "2020-02-03T12:00:00Z" });
    const sue = await openAs(signingIn, "Sue", waiting);
    const request = requestFor(sue, "it is too late");
    await request.getByText("Its end has passed").waitFor();
    await request.getByText("would have ended on 3 Feb 2020").waitFor();
    expect(await request.getByRole("button", { name: /^Approve/ }).count()).toBe(0);
    expect(await violations(sue)).toEqual([]);
    await request.getByRole("button", { name: /^Reject/ }).click();
    await sue.getByLabel("Comment").fill("ask anew");
    await press(sue, "Reject");
    await request.waitFor({ state: "detached" });
  });

  test("are asked for and withdrawn by keyboard alone", async () => {
    const page = await openAs(signingIn, "Ann", cart);
    await settled(page);
    const focused = () => page.locator(":focus");
    await tabTo(page, "Ask for a waiver of health_check");
    await page.keyboard.press("Enter");
    await dialog(page).waitFor();
    for (let tabs = 0; (await focused().getAttribute("name")) !== "reason"; tabs++) {
      expect(tabs).toBeLessThan(10);
      await page.keyboard.press("Tab");
    }
    await page.keyboard.type("a batch");
    await page.keyboard.press("Enter");
    await page.keyboard.type("job");
    await tabTo(page, "180 days");
    await page.keyboard.press("Space");
    const day = new Date(Date.now() + 180 * 86_400_000).toISOString().slice(0, 10);
    expect(await page.getByLabel("Ends on").inputValue()).toBe(day);
    await tabTo(page, "Send the request");
    await page.keyboard.press("Enter");
    await page.getByText("Your request is sent.").waitFor();
    await tabTo(page, "What I asked for");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "What I asked for" }).waitFor();
    await requestFor(page, "a batch job").waitFor();
    await tabTo(page, "Withdraw");
    await page.keyboard.press("Enter");
    await requestFor(page, "a batch job").getByText("withdrawn").waitFor();
    expect(await focused().textContent()).toContain("withdrawn");
  });

  test("have no buttons on paper", async () => {
    const ann = await openAs(signingIn, "Ann", cart);
    await settled(ann);
    await ann.emulateMedia({ media: "print" });
    expect(await ann.getByRole("main").getByRole("button").count()).toBe(0);
    const sue = await openAs(signingIn, "Sue", waiting);
    await settled(sue);
    await sue.emulateMedia({ media: "print" });
    expect(await sue.getByRole("main").getByRole("button").count()).toBe(0);
  });

  test("that somebody may not ask for or decide have no button and no list", async () => {
    const page = await openAs(signingIn, "Ray", cart);
    await settled(page);
    await page.getByRole("table").getByText("6 high findings").waitFor();
    expect(await page.getByRole("button", { name: /^Ask for a waiver/ }).count()).toBe(0);
    await page.getByRole("link", { name: "Waivers", exact: true }).click();
    await page.getByRole("heading", { name: "Waivers" }).waitFor();
    expect(await page.getByRole("navigation", { name: "Lists of waivers" }).count()).toBe(0);
  });

  test("stay while one signs in again in another tab", async () => {
    const page = await openAs(signingIn, "Ann", cart);
    await opener(page, "secret_scan").click();
    await page.getByLabel("Reason").fill("a key for tests");
    await page.context().clearCookies();
    await press(page, "Send the request");
    const focus = () => page.evaluate(() => dispatchEvent(new Event("focus")));
    const firstAnswer = page.waitForResponse(/board\/session/);
    await focus();
    await firstAnswer;
    const tab = page.waitForEvent("popup");
    await dialog(page).getByRole("link", { name: "Sign in in another tab" }).click();
    const other = await tab;
    await other
      .getByRole("link", { name: "Signed in as ann@example.com" })
      .or(other.getByRole("button", { name: /^Ann/ }))
      .first()
      .waitFor();
    if ((await other.getByRole("button", { name: /^Ann/ }).count()) > 0)
      await other.getByRole("button", { name: /^Ann/ }).click();
    await other.getByRole("link", { name: "Signed in as ann@example.com" }).waitFor();
    const secondAnswer = page.waitForResponse(/board\/session/);
    await focus();
    await (await secondAnswer).finished();
    await press(page, "Send the request");
    await page.getByText("Your request is sent.").waitFor();
  });
});
