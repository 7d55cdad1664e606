import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { blocks } from "../../../services/scoring/test/support/markdown.ts";
import { useNginx } from "../../../services/scoring/test/support/nginx.ts";
import { freePort } from "../../../services/scoring/test/support/postgres.ts";
import type { TestService } from "../../../services/scoring/test/support/service.ts";
import { useDirectory } from "../../../services/scoring/test/support/service-process.ts";
import { describeInBrowser, openAt, settled, useBoard } from "./support/browser.ts";
import { choose, startSigningIn } from "./support/people.ts";
import { fillShop } from "./support/shop.ts";

/** Starts nginx as the page about the Board says, before a service, for one test, and returns the address of the prefix. */
async function useDocumentedNginx({ server }: TestService): Promise<string> {
  const [documented] = (await blocks("docs/board.md")).filter(({ language }) => language === "nginx");
  const location = documented?.text.replace("http://127.0.0.1:8080", server.info.uri) ?? "";
  expect(location).toContain(server.info.uri);
  return `${await useNginx(location, "/maturity/healthz")}/maturity/`;
}

/** A certificate for localhost that nobody has signed. */
async function useCertificate(): Promise<string> {
  const folder = await useDirectory();
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const request = "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost".split(" ");
  await promisify(execFile)("openssl", [...request, "-keyout", key, "-out", certificate]);
  return `ssl_certificate ${certificate}; ssl_certificate_key ${key};`;
}

describeInBrowser("behind a proxy with a prefix", () => {
  test("the address leads to the Board, where links, lists and the search work", async () => {
    const service = await useBoard();
    await fillShop(service);
    const address = await useDocumentedNginx(service);
    const page = await openAt(address);
    await page.getByRole("link", { name: "shop" }).click();
    await page.locator("tbody").getByRole("link", { name: "checkout" }).waitFor();
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
    await page.getByRole("link", { name: "Docs" }).click();
    await page.locator("#operations-read-whoAmI").getByRole("button").first().click();
    await page.getByRole("button", { name: "Execute" }).click();
    await page.locator(".request-url").getByText(`${address}whoami`, { exact: true }).waitFor();
    await page.locator(".live-responses-table .response-col_status").getByText("200").first().waitFor();
  });

  test("a person signs in over TLS, comes back to the view, and signs out", async () => {
    const port = await freePort();
    const address = `https://localhost:${port}/maturity/`;
    const signingIn = await startSigningIn(fillShop, address);
    onTestFinished(() => signingIn.stop());
    const [documented] = (await blocks("docs/board.md")).filter(({ language }) => language === "nginx");
    const location = documented?.text.replace("http://127.0.0.1:8080", signingIn.service.server.info.uri) ?? "";
    await useNginx(`listen 127.0.0.1:${port} ssl; ${await useCertificate()} ${location}`, "/maturity/healthz");
    const view = `${address}board/?env=prod&area=shop&team=checkout&app=cart`;
    const page = await openAt(view, { ignoreHTTPSErrors: true });
    await page.getByRole("link", { name: "Sign in", exact: true }).click();
    await choose(page, "Ann");
    expect(page.url()).toBe(view);
    const cookies = await page.context().cookies(address);
    expect(cookies.filter(({ name }) => name.includes("maturity"))).toMatchObject([
      { name: "__Host-maturity_session", secure: true, httpOnly: true, sameSite: "Strict", path: "/" },
    ]);
    await page.getByRole("button", { name: "Ask for a waiver of secret_scan" }).click();
    await page.getByLabel("Reason").fill("a test key");
    await page.getByRole("button", { name: "Send the request", exact: true }).click();
    await page.getByText("Your request is sent.").waitFor();
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await page.getByRole("button", { name: /^Sign out/ }).click();
    await page.getByRole("link", { name: "Sign in", exact: true }).waitFor();
    expect(page.url()).toMatch(new RegExp(`^${address}board/`));
  });
});
