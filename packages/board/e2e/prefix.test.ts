import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { blocks } from "../../../services/scoring/test/support/markdown.ts";
import { freePort } from "../../../services/scoring/test/support/postgres.ts";
import { type TestService, until } from "../../../services/scoring/test/support/service.ts";
import { useDirectory } from "../../../services/scoring/test/support/service-process.ts";
import { describeInBrowser, openAt, settled, useBoard } from "./support/browser.ts";
import { fillShop } from "./support/shop.ts";

/** Starts nginx as the page about the Board says, before a service, for one test, and returns the address of the prefix. */
async function useNginx({ server }: TestService): Promise<string> {
  const [documented] = (await blocks("docs/board.md")).filter(({ language }) => language === "nginx");
  const location = documented?.text.replace("http://127.0.0.1:8080", server.info.uri) ?? "";
  expect(location).toContain(server.info.uri);
  const directory = await useDirectory();
  await chmod(directory, 0o755); // where root starts it, its workers run as another user
  const [port, file] = [await freePort(), join(directory, "nginx.conf")];
  const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${directory};`);
  await writeFile(
    file,
    `daemon off; pid ${directory}/pid; error_log stderr; events {}
    http { access_log off; ${folders.join(" ")} server { listen 127.0.0.1:${port}; ${location} } }`,
  );
  const child = spawn("nginx", ["-p", directory, "-c", file], { stdio: ["ignore", "ignore", "pipe"] });
  await once(child, "spawn").catch(() => {
    throw new Error("nginx is not installed: apt-get install nginx");
  });
  onTestFinished(() => stop(child));
  const address = `http://127.0.0.1:${port}/maturity/`;
  await until(async () => (await fetch(`${address}healthz`).catch(() => undefined))?.ok === true);
  return address;
}

async function stop(child: ChildProcess): Promise<void> {
  const closed = once(child, "close");
  child.kill("SIGQUIT");
  await closed;
}

describeInBrowser("behind a proxy with a prefix", () => {
  test("the address leads to the Board, where links, lists and the search work", async () => {
    const service = await useBoard();
    await fillShop(service);
    const address = await useNginx(service);
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
    const address = await useNginx(service);
    const page = await openAt(address);
    await settled(page);
    await page.getByRole("link", { name: "API" }).click();
    await page.locator("#operations-read-whoAmI").getByRole("button").first().click();
    await page.getByRole("button", { name: "Execute" }).click();
    await page.locator(".request-url").getByText(`${address}whoami`, { exact: true }).waitFor();
    await page.locator(".live-responses-table .response-col_status").getByText("200").first().waitFor();
  });
});
