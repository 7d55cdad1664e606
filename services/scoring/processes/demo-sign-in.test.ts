import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { compileCache } from "../test/support/compile-cache.ts";
import { type CookieJar, createCookieJar, signIn } from "../test/support/cookie-jar.ts";
import { refuses } from "../test/support/own-connection.ts";
import { notifyFolder, secretOf, usePeer } from "../test/support/peers.ts";
import { useDirectory } from "../test/support/service-process.ts";

const script = fileURLToPath(new URL("../../../scripts/demo.ts", import.meta.url));

interface Demo {
  readonly service: string;
  readonly provider: string;
  /** Ends it as Ctrl-C does. @returns its exit code */
  stop(): Promise<number | null>;
}

async function useDemo(TMPDIR: string, notify: string): Promise<Demo> {
  const args = ["--conditions=@maturity/source", script, "--sign-in", "--notify", notify];
  const child = spawn(process.execPath, args, {
    env: { ...compileCache, TMPDIR, PORT: "0" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exit = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await exit;
  });
  let written = "";
  for await (const text of child.stderr.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    written += text;
    const [, service] = /Sign in at (http:\/\/[\d.:]+)\/board\//.exec(written) ?? [];
    const [, provider] = /The OpenID provider is (http:\/\/localhost:\d+)\./.exec(written) ?? [];
    if (!service || !provider) continue;
    const stop = async () => {
      child.stderr.resume();
      child.kill("SIGINT");
      return (await exit)[0];
    };
    return { service, provider, stop };
  }
  throw new Error(written);
}

interface Person {
  readonly jar: CookieJar;
  get(path: string): Promise<ReturnType<typeof JSON.parse>>;
  post(path: string, body: object): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }>;
}

async function signedIn({ service }: Demo, sub: string): Promise<Person> {
  const jar = createCookieJar();
  const { address } = await signIn(jar, { service, sub, view: "board/?env=prod" });
  expect(address.href).toBe(`${service}/board/?env=prod`);
  const headers = { "content-type": "application/json", "x-maturity-board": "1", "sec-fetch-site": "same-origin" };
  return {
    jar,
    get: async (path) => (await jar.send(new URL(path, service))).json(),
    async post(path, body) {
      const response = await jar.send(new URL(path, service), {
        ...{ method: "POST", headers, body: JSON.stringify(body) },
      });
      return { status: response.status, body: await response.json() };
    },
  };
}

const inThirtyDays = new Date(Date.now() + 30 * 86_400_000).toISOString();

const asked = {
  ...{ kind: "accepted", area: "shop", team: "checkout", app: "voucher", scorecard: "security", metric: "dast" },
  ...{ reason: "the test system is rebuilt", owner: "Tom", expires_at: inThirtyDays },
};

test("demo --sign-in signs in three people, of whom one asks for a waiver and another approves it", async () => {
  const directory = await useDirectory();
  const receiver = await usePeer();
  const folder = await notifyFolder(
    `destinations: { hook: { kind: webhook, url: "${receiver.url}", secret_file: secret, allow_private: true } }
routes: [{ types: ["waiver.*"], to: [hook] }]`,
    { secret: secretOf("one") },
  );
  const demo = await useDemo(directory, join(folder, "notify.yaml"));
  const [rita, tom, sonia] = await Promise.all(["rita", "tom", "sonia"].map((sub) => signedIn(demo, sub)));
  if (!rita || !tom || !sonia) throw new Error("three people were asked for");
  expect(await rita.get("/whoami")).toMatchObject({ name: "rita@example.com", scopes: ["read"] });
  expect((await rita.get("/areas?env=prod")).items.map(({ area }: { area: string }) => area)).toEqual(["shop"]);
  expect((await tom.get("/whoami")).grants).toMatchObject([
    { bounds: { area: "shop", team: "checkout" } },
    { bounds: { area: "shop", team: "storefront" } },
  ]);
  expect((await sonia.get("/areas?env=prod")).total).toBe(5);

  expect(await rita.post("/waivers", asked)).toMatchObject({ status: 403 });
  const { status, body } = await tom.post("/waivers", asked);
  expect({ status, body }).toMatchObject({
    status: 201,
    body: { state: "requested", requested_by: "tom@example.com" },
  });
  expect(await tom.post(`/waivers/${body.id}/approve`, {})).toMatchObject({ status: 403 });
  expect((await sonia.get("/waivers?decidable=true")).items.map(({ id }: { id: string }) => id)).toContain(body.id);
  expect(await sonia.post(`/waivers/${body.id}/approve`, { comment: "until then" })).toMatchObject({
    ...{ status: 200, body: { state: "approved", decided_by: "sonia@example.com" } },
  });
  const approved = await tom.get("/waivers?requested_by=me&state=approved&team=checkout");
  expect(approved.items).toMatchObject([{ id: body.id, comment: "until then" }]);
  const heard = () => receiver.requests.map((request) => JSON.parse(request.body).type);
  await vi.waitUntil(() => heard().includes("maturity.waiver.decided"), { timeout: 30_000 });

  expect(await demo.stop()).toBe(0);
  expect(await Promise.all([refuses(demo.service), refuses(demo.provider)])).toEqual([true, true]);
  expect(await readdir(directory)).toEqual([]);
});
