import { readFile } from "node:fs/promises";
import { type Rolled, rollUp } from "@maturity/core";
import { isThin } from "@maturity/core/wire";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useInstances, usePrometheus } from "../../../services/scoring/e2e/support/instances.ts";
import { randomOrganisation, submit } from "../../../services/scoring/e2e/support/organisation.ts";
import { expectRollUps } from "../../../services/scoring/e2e/support/roll-ups.ts";
import { percent, wholeScore } from "../src/page/format.ts";
import { csvOf } from "../src/page/parts/csv.ts";
import { describeInBrowser, openAt, settled } from "./support/browser.ts";

/** Another organisation for each run; E2E_SEED brings one back. */
const seed = Number(process.env.E2E_SEED ?? Date.now() % 2 ** 31);

interface Named extends Rolled {
  readonly area: string;
  readonly team?: string;
  readonly app?: string;
  readonly env: string;
  readonly lowest?: number;
  readonly scorecards?: readonly (Rolled & { readonly scorecard: string })[];
}

describeInBrowser(`what the page shows (E2E_SEED=${seed})`, () => {
  test("is what core rolls up, and what Prometheus records by the shipped rules", async () => {
    const instances = await useInstances();
    const scores = await instances.age(await submit(randomOrganisation(seed), instances.addresses), seed);
    const prometheus = await usePrometheus({ targets: instances.addresses });
    await prometheus.settled();
    expect(await expectRollUps(prometheus, instances.scorecards, scores)).toBeGreaterThan(0);

    const { areas, teams, apps } = rollUp(instances.scorecards, scores, new Date());
    const page = await openAt(`${instances.addresses[0]}/board/`);
    for (const env of new Set(areas.map((area) => area.env))) {
      const inEnv = <One extends Named>(all: readonly One[]) => all.filter((one) => one.env === env);
      await expectShown(page, `?${new URLSearchParams({ env })}`, inEnv(areas), ({ area }) => [area]);
      const views = { teams: inEnv(teams), applications: inEnv(apps) };
      for (const [view, rolled] of Object.entries(views)) {
        const query = `?${new URLSearchParams({ view, env, all: "1" })}`;
        await expectShown(page, query, rolled, ({ area, team = "", app }) => [area, team, ...(app ? [app] : [])]);
      }
    }
  });
});

/** The most that two decimals are away from what they stand for. */
const rounding = 0.005 + 1e-9;

/** Expects a list to have exactly these roll-ups: in its cells as people read them, and in its CSV, which has two decimals. */
async function expectShown(
  page: Page,
  query: string,
  rolled: readonly Named[],
  namesOf: (one: Named) => readonly string[],
): Promise<void> {
  await page.goto(new URL(query, page.url()).href);
  await settled(page);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV", exact: true }).click();
  const [head = [], ...all] = linesOf(await readFile(await (await download).path(), "utf8"));
  // Core rolls up what has a score; the list ends with the other applications.
  const lines = all.filter((line) => line[head.indexOf("score")] !== "");
  const names = ["area", "team", "app"].map((name) => head.indexOf(name)).filter((at) => at >= 0);
  const idOf = (texts: readonly (string | undefined)[]) => JSON.stringify(texts);
  const shown = new Map(lines.map((line) => [idOf(names.map((at) => line[at])), line]));
  expect(lines).toHaveLength(rolled.length);
  const byId = new Map(rolled.map((one) => [idOf(namesOf(one).map((name) => linesOf(csvOf([[name]]))[0]?.[0])), one]));
  for (const one of rolled) {
    const line = shown.get(idOf(namesOf(one).map((name) => linesOf(csvOf([[name]]))[0]?.[0])));
    const scorecards = (one.scorecards ?? []).map(({ scorecard, score }) => [scorecard, score] as const);
    const values = { score: one.score, fresh: one.fresh, ...Object.fromEntries(scorecards) };
    for (const [column, value] of Object.entries({
      ...values,
      ...(one.lowest !== undefined && { lowest: one.lowest }),
    })) {
      const written = Number(line?.[head.indexOf(column)]);
      expect(Math.abs(written - value), `${namesOf(one)}: ${column}`).toBeLessThan(rounding);
    }
  }
  const cells = await page
    .locator("[role=grid] tbody tr:not(.gap)")
    .evaluateAll((rows) =>
      rows.map((row) => [
        row.querySelector("td.heat > .heat:not(.none)")?.firstChild?.textContent ??
          row.querySelector("td.heat")?.textContent,
        row.querySelector("td.shares .number")?.textContent,
        row.querySelector("td.heat > .heat")?.classList.contains("thin"),
      ]),
    );
  const best = all.slice(0, cells.length).map((line) => {
    if (!lines.includes(line)) return ["–missing", percent(0), false];
    const one = byId.get(idOf(names.map((at) => line[at])));
    return [String(wholeScore(one?.score ?? 0)), percent(one?.fresh ?? 0), one !== undefined && isThin(one)];
  });
  expect(cells.length).toBeGreaterThan(0);
  expect(cells).toEqual(best);
}

/** The lines of a CSV by RFC 4180. */
function linesOf(csv: string): string[][] {
  const fields = csv.matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(,|\r\n)/g);
  const lines: string[][] = [[]];
  for (const [, field = "", end] of fields) {
    lines.at(-1)?.push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field);
    if (end !== ",") lines.push([]);
  }
  return lines.slice(0, -1);
}
