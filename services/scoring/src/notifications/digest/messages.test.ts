import { expect, test } from "vitest";
import type { NewNotification } from "../outbox.ts";
import type { DigestSection } from "../words.ts";
import { textOf, wordsOf } from "../words.ts";
import { digestMessages } from "./messages.ts";

/** The place of an application is its team. */
const byTeam = ({ team }: { team: string }) => [{ destination: "chat", address: team ? `#${team}` : "#platform" }];

const monday = { subject: "digest@1", since: "Monday" };

const app = (team: string, name: string, env = "prod") => ({ area: "shop", team, app: name, env });

const ends = (scope: object) => [{ title: "Waivers that end", lines: [{ area: "shop", text: "a waiver", ...scope }] }];

const shown = ({ fact }: NewNotification) =>
  textOf(wordsOf({ fact, reports: 1, thread: null, at: new Date(), link: null }));

test.each([
  ["an area", {}, ["#checkout", "#search"]],
  ["a team", { team: "search" }, ["#search"]],
  ["an application", { team: "checkout", app: "cart" }, ["#checkout"]],
  ["an environment", { team: "search", app: "index", env: "test" }, ["#search"]],
  ["an application that never reported", { team: "new", app: "none" }, ["#new"]],
  ["an area without applications", { area: "bank" }, ["#platform"]],
])("a waiver of %s is listed at the places that it concerns", async (_, scope, channels) => {
  const apps = [
    app("checkout", "cart"),
    app("checkout", "pay"),
    app("search", "index"),
    app("search", "index", "test"),
  ];
  const messages = await digestMessages(ends(scope), apps, byTeam, monday);
  expect(messages.map(({ address }) => address)).toEqual(channels);
});

test("has a section for each kind of line", async () => {
  const [message] = await digestMessages(ends({ team: "checkout" }), [], byTeam, monday);
  expect(message && shown(message)).toBe("What changed since Monday\nWaivers that end (1)\n• a waiver");
});

test("nothing to say is no message", async () => {
  const sections = [{ title: "Worse", lines: [] }];
  expect(await digestMessages(sections, [app("checkout", "cart")], byTeam, monday)).toEqual([]);
});

test("any number of lines makes a short message, and the event loop turns meanwhile", async () => {
  const stale = Array.from({ length: 200_000 }, (_, index) => ({ ...app("checkout", `app-${index}`), text: "stale" }));
  const waivers = Array.from({ length: 5_000 }, (_, index) => ({ ...app("checkout", `app-${index}`), text: "ends" }));
  const sections = [
    { title: "Waivers that end", lines: waivers },
    { title: "Gone stale", lines: stale },
  ];
  let turned = 0;
  const counting = setInterval(() => turned++);
  const [message] = await digestMessages(sections, stale, byTeam, monday);
  clearInterval(counting);
  expect(turned).toBeGreaterThan(2);
  expect(message && shown(message).split("\n")).toHaveLength(1 + 10 + 10);
  const made = message?.fact.data.sections as readonly DigestSection[];
  expect(made.map(({ total }) => total)).toEqual([5_000, 200_000]);
});
