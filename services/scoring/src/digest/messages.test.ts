import { expect, test } from "vitest";
import type { Ending, Happenings } from "./happenings.ts";
import { digestMessages } from "./messages.ts";

const nothing: Happenings = { better: [], worse: [], ending: [], stale: [], apps: [] };

/** The channel of an application is its team. */
const byTeam = ({ team }: { team: string }) => [team ? `#${team}` : "#platform"];

const ending: Ending = {
  ...{ area: "shop", team: null, app: null, env: null, scorecard: "security", metric: null, problem_type: null },
  ...{ reason: "later", owner: "ann", expires_at: new Date("2026-12-01T00:00:00Z") },
};

const app = (team: string, name: string, env = "prod") => ({ area: "shop", team, app: name, env });

test.each([
  ["an area", {}, ["#checkout", "#search"]],
  ["a team", { team: "search" }, ["#search"]],
  ["an application", { team: "checkout", app: "cart" }, ["#checkout"]],
  ["an environment", { team: "search", app: "index", env: "test" }, ["#search"]],
  ["an application that never reported", { team: "new", app: "none" }, ["#new"]],
  ["an area without applications", { area: "bank" }, ["#platform"]],
])("a waiver of %s is told in the channels that it concerns", async (_, scope, channels) => {
  const apps = [
    app("checkout", "cart"),
    app("checkout", "pay"),
    app("search", "index"),
    app("search", "index", "test"),
  ];
  const messages = await digestMessages({ ...nothing, apps, ending: [{ ...ending, ...scope }] }, byTeam, "Monday");
  expect(messages.map(({ channel }) => channel)).toEqual(channels);
});

test("tells of a waived problem by its kind", async () => {
  const problem = {
    ...ending,
    scorecard: null,
    problem_type: "secret <b>",
    team: "checkout",
    app: "cart",
    env: "prod",
  };
  const [message] = await digestMessages({ ...nothing, ending: [problem] }, byTeam, "Monday");
  expect(message?.text).toBe(
    "*What changed since Monday*\n*Waivers that end* (1)\n• 2026-12-01: secret &lt;b&gt; of shop/checkout/cart (prod); ann: later",
  );
});

test("nothing to tell is no message", async () => {
  expect(await digestMessages({ ...nothing, apps: [app("checkout", "cart")] }, byTeam, "Monday")).toEqual([]);
});

test("any number of lines makes a short message, and the event loop turns meanwhile", async () => {
  const stale = Array.from({ length: 200_000 }, (_, index) => ({
    ...app("checkout", `app-${index}`),
    ...{ metric: "security.sast", reported_at: new Date(0) },
  }));
  const waivers = Array.from({ length: 5_000 }, (_, index) => ({ ...ending, team: "checkout", app: `app-${index}` }));
  let turned = 0;
  const counting = setInterval(() => turned++);
  const [message] = await digestMessages({ ...nothing, apps: stale, stale, ending: waivers }, byTeam, "Monday");
  clearInterval(counting);
  expect(turned).toBeGreaterThan(2);
  expect(message?.text.split("\n")).toHaveLength(1 + 10 + 10);
});
