import { expect, test } from "vitest";
import { blocks } from "../../../services/scoring/test/support/markdown.ts";
import { useNginx } from "../../../services/scoring/test/support/nginx.ts";
import type { TestService } from "../../../services/scoring/test/support/service.ts";
import { describeInBrowser, openAt, settled, useBoard } from "./support/browser.ts";
import { fillShop } from "./support/shop.ts";

/** Starts nginx as the page about the Board says, before a service, for one test, and returns the address of the prefix. */
async function useDocumentedNginx({ server }: TestService): Promise<string> {
  const [documented] = (await blocks("docs/board.md")).filter(({ language }) => language === "nginx");
  const location = documented?.text.replace("http://127.0.0.1:8080", server.info.uri) ?? "";
  expect(location).toContain(server.info.uri);
  return `${await useNginx(location, "/maturity/healthz")}/maturity/`;
}

describeInBrowser("behind a proxy with a prefix", () => {
  test("the address leads to the Board, where links, lists and the search work", async () => {
    const service = await useBoard();
    await fillShop(service);
    const address = await useDocumentedNginx(service);
    const page = await openAt(address);
    await page.getByRole("link", { name: "shop" }).click();
    await page.getByRole("link", { name: "checkout" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("car");
    await page.getByRole("option", { name: "cart" }).click();
    await page.getByRole("table").getByText("6 high findings").waitFor();
    expect(page.url()).toMatch(`${address}board/?`);
  });

  test("the description of the API stands, and tries the service behind the same prefix", async () => {
    const service = await useBoard();
    const address = await useDocumentedNginx(service);
    const page = await openAt(address);
    await settled(page);
    await page.getByRole("link", { name: "API" }).click();
    await page.locator("#operations-read-whoAmI").getByRole("button").first().click();
    await page.getByRole("button", { name: "Execute" }).click();
    await page.locator(".request-url").getByText(`${address}whoami`, { exact: true }).waitFor();
    await page.locator(".live-responses-table .response-col_status").getByText("200").first().waitFor();
  });
});
