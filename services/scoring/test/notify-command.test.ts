import { join } from "node:path";
import { expect, test } from "vitest";
import { isSigned, notifyFolder, type PeerAnswer, secretOf, usePeer } from "./support/peers.ts";
import { put } from "./support/requests.ts";
import { useService } from "./support/service.ts";
import { runOn, runWithoutSettings } from "./support/service-command.ts";

/** The path of a file of NOTIFY. */
async function notifyPath(text: string, secrets: Readonly<Record<string, string>> = {}): Promise<string> {
  return join(await notifyFolder(text, { secret: secretOf("one"), ...secrets }), "notify.yaml");
}

/** Sends the test message to a destination of this name, where there is `siem`, which answers so. */
async function sendTest(name: string, answer: PeerAnswer) {
  const { url, requests } = await usePeer(() => answer);
  const siem = `{ kind: webhook, url: "${url}", secret_file: secret, allow_private: true }`;
  const NOTIFY = await notifyPath(`destinations: { siem: ${siem} }\nroutes: [{ to: [siem] }]`);
  return { ...(await runWithoutSettings(["notify", "test", name], { NOTIFY })), requests };
}

test("one message is sent to a destination, signed, and said to be taken", async () => {
  const { requests, ...result } = await sendTest("siem", { status: 202 });
  expect(result).toEqual({ code: 0, stdout: "siem took the message.\n", stderr: "" });
  expect(requests.map((request) => isSigned(request, secretOf("one")))).toEqual([true]);
  expect(JSON.parse(requests[0]?.body ?? "")).toMatchObject({ type: "maturity.test" });
});

test.each([
  ["a destination that refuses", "siem", "siem did not take the message: HTTP status 401"],
  ["a destination that is not in the file", "pager", "there is no destination pager; there are siem"],
])("%s fails the command, with the reason", async (_, name, message) => {
  const { code, stdout, stderr } = await sendTest(name, { status: 401 });
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(message);
});

test("it is explained by which route and by which label a fact goes where, and why it goes nowhere", async () => {
  const webhook = '{ kind: webhook, url: "https://hooks.example.com/", secret_file: secret }';
  const service = await useService();
  const NOTIFY = await notifyPath(
    `destinations:
  siem: ${webhook}
  ann: ${webhook}
  security: { kind: slack, token_file: token, channel: "#security" }
routes:
  - { owners: [ann], to: [ann], continue: true }
  - { types: [problem.*], severities: [critical], areas: [shop], to: [siem, security] }`,
    { token: "xoxb-1" },
  );
  const names = { area: "shop", team: "checkout" };
  const apps = [
    { ...names, app: "cart", owner: "ann", labels: { notify: "security" } },
    { ...names, app: "gift", owner: "bob", labels: { notify: "gone" } },
  ];
  await put(service, "/registry", { apps });
  const about = ["notify", "explain", "--area", "shop", "--team", "checkout"];
  const explain = (...more: string[]) => runOn(service.database, [...about, ...more], { env: { NOTIFY } });
  const critical = ["--type", "problem.opened", "--severity", "critical"];
  expect(await explain("--app", "cart", ...critical)).toBe(`The registry says owner: ann.
The registry says notify: security.
To security (slack #security), by the label notify of the application.
To ann (webhook), by route 1.
To siem (webhook), by route 2.
To security (slack #security), by route 2.
`);
  expect(await explain("--app", "gift", "--type", "campaign.due")).toBe(`The registry says owner: bob.
The registry says notify: gone.
Not to gone, by the label notify of the application: there is no destination of this name.
`);
  expect(await explain("--app", "unknown", "--type", "level.lost")).toBe("No route fits: it goes nowhere.\n");
});
