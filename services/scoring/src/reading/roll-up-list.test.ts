import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test, vi } from "vitest";
import { unlimited } from "../model/grant.ts";
import { type RollUpSources, readGroup } from "./roll-up-list.ts";

test("a sorted list does not keep the applications of a former reading in memory", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  let areas = [{ area: "shop", env: "prod", score: 50, reported: 1 }];
  const former = new WeakRef(areas[0] as object);
  const none = async () => [];
  const sources = {
    rollUps: { read: async () => ({ asOf: new Date(0), areas: async () => areas }) },
    days: { read: async () => ({ apps: none, teams: none, areas: none }) },
    trends: { read: none },
  } as unknown as RollUpSources;
  const read = readGroup(sources, {
    itemsOf: (now) => now.areas(),
    group: "areas",
    names: ["area", "env"],
    show: ({ score }) => ({ score }),
  });
  const paging = { limit: 10, after: undefined, counted: true };
  const items = async () => (await read({ sort: "score", trend: false, detail: false }, unlimited, paging)).items;
  expect(await items()).toEqual([{ score: 50 }]);
  areas = [];
  expect(await items()).toEqual([]);
  vi.advanceTimersByTime(20_000);
  await turn();
  collect();
  expect(former.deref()).toBeUndefined();
  vi.useRealTimers();
});
