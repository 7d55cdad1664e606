import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { severities } from "@maturity/core/wire";
import { collectDefaultMetrics } from "prom-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultFamilies } from "../src/exposition/series.ts";
import { hostileNames } from "../test/support/hostile-names.ts";
import { startService, type TestService } from "../test/support/service.ts";
import { useDirectory } from "../test/support/service-process.ts";
import { waive } from "../test/support/waivers.ts";
import {
  beyondDashboards,
  type Choice,
  columnsOf,
  type Dashboard,
  dashboards,
  deploy,
  interpolate,
  linksOf,
  optionsOf,
  type Panel,
  seriesIn,
} from "./support/dashboards.ts";
import { hostileOrganisation, submit } from "./support/organisation.ts";
import { type Prometheus, type Sample, startPrometheus } from "./support/prometheus.ts";
import { promtool, shipped } from "./support/tools.ts";

const { "organisation.json": organisation, "application.json": application, "service.json": service } = dashboards;
if (!organisation || !application || !service) throw new Error("a dashboard is missing");

/** Twelve teams of one area, each with more findings than the one before. */
const teams = Array.from({ length: 12 }, (_, index) => ({
  area: "shop",
  team: `team ${index}`,
  app: "cart",
  env: "prod",
  scorecard: "security",
  metric: "image_scan",
  raw: { critical: 0, high: index, medium: 0 },
}));
const { scores, problems } = hostileOrganisation();
const data = { scores: [...scores, ...teams], problems };

const shownNames = hostileNames.filter((name) => !beyondDashboards.test(name));

const running: { stop(): Promise<void> }[] = [];
let prometheus: Prometheus;

beforeAll(async () => {
  const chat = { token: "xoxb-test", apiUrl: "http://127.0.0.1:9" }; // no channel, so nothing is sent
  const applies = [{ scorecard: "application", metric: "health_check", from: "2999-01-01" }];
  const instance = await startService({ chat, applies });
  collectDefaultMetrics({ register: instance.metrics.registry });
  running.push(instance);
  await instance.server.start();
  await submit(data, [instance.server.info.uri]);
  await waive(instance, { area: "shop", scorecard: "security", metric: "dast" });
  expect((await fetch(`${instance.server.info.uri}/nowhere`)).status).toBe(404);
  const targets = [instance.server.info.uri, await serviceMetrics(instance)];
  prometheus = await startPrometheus({ targets, params: { "collect[]": [...defaultFamilies, "levels"] } });
  running.push(prometheus);
  await prometheus.settled();
});

afterAll(async () => {
  for (const { stop } of running.reverse()) await stop();
});

/** The service's own figures under the path that the test's Prometheus scrapes; returns where. */
async function serviceMetrics({ metrics }: TestService): Promise<string> {
  const server = createServer(async (_, response) => {
    response.setHeader("content-type", metrics.registry.contentType).end(await metrics.registry.metrics());
  });
  running.push({ stop: async () => void server.close() });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return `127.0.0.1:${typeof address === "object" && address ? address.port : ""}`;
}

/** Every query of the panel; fails on an error and on an empty answer. */
async function answers({ title, targets }: Panel, choices: Readonly<Record<string, Choice>>): Promise<Sample[][]> {
  return await Promise.all(
    targets.map(async ({ refId, expr }) => {
      const query = interpolate(expr, choices);
      const samples = await prometheus.query(query).catch((error) => expect.fail(`${error} in ${query}`));
      expect(samples.length, `${title} ${refId}: ${query}`).toBeGreaterThan(0);
      return samples;
    }),
  );
}

async function answersOfAll({ panels }: Dashboard, choices: Readonly<Record<string, Choice>>): Promise<void> {
  for (const panel of panels) await answers(panel, choices);
}

describe.each(Object.entries(dashboards))("%s", (file, dashboard) => {
  const { panels, variables, text } = dashboard;

  test("is of a current schema, and has an address of its own", () => {
    expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(39);
    expect(dashboard.uid).toBe(`maturity-${file.replace(".json", "")}`);
  });

  test("distinguishes panels and queries, describes each panel, and puts none over another", () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    for (const { title, description, targets, gridPos } of panels) {
      expect(description, title).toMatch(/\.$/);
      expect(new Set(targets.map(({ refId }) => refId)).size, title).toBe(targets.length);
      expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
    }
  });

  test("asks the data source that is chosen, and no other", () => {
    for (const { datasource } of [...panels, ...variables]) expect(datasource.uid).toMatch(/^\$\{datasource\}$/);
    expect(text.match(/"datasource": \{/g)).toHaveLength(panels.length + variables.length);
  });

  test("asks only for series that exist", async () => {
    const known = (await prometheus.query('group by (__name__) ({__name__!=""})')).map(({ name }) => name);
    const asked = [
      ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
      ...variables.map(({ query }) => query.query),
    ];
    for (const query of asked) {
      expect(seriesIn(query), query).not.toEqual([]);
      expect(known).toEqual(expect.arrayContaining(seriesIn(query)));
    }
  });

  test("shows data for the first choice of each variable, and names the columns of its tables", async () => {
    const choices: Record<string, Choice> = {};
    for (const variable of variables) {
      const [first] = await optionsOf(variable, choices, prometheus.url);
      expect(first, variable.name).toBeDefined();
      choices[variable.name] = variable.allValue ? { all: variable.allValue } : String(first);
    }
    for (const panel of panels) {
      const labels = (await answers(panel, choices)).map((samples) =>
        samples.flatMap((one) => Object.keys(one.labels)),
      );
      if (!panel.targets.every(({ format }) => format === "table")) continue;
      const columns = columnsOf(panel, labels);
      for (const { matcher } of panel.fieldConfig?.overrides ?? []) {
        const pattern = matcher.id === "byName" ? `^${matcher.options}$` : matcher.options.slice(1, -1);
        expect(columns, panel.title).toContainEqual(expect.stringMatching(pattern));
      }
      for (const { url } of linksOf(panel)) {
        for (const [, column] of url.matchAll(/__data\.fields\.(\w+)/g)) expect(columns).toContain(column);
      }
    }
  });

  test("links to dashboards that exist, with variables that they have", () => {
    for (const { url } of panels.flatMap(linksOf)) {
      const [, uid, query = ""] = /^\/d\/([\w-]+)\?(.*)$/.exec(url) ?? [];
      const target = Object.values(dashboards).find((other) => other.uid === uid);
      const given = [...query.matchAll(/var-(\w+)=\$\{__data\.\w+\.\w+:percentencode\}|\$\{(\w+):queryparam\}/g)];
      const names = given.map(([, column, own]) => column ?? own);
      expect(["datasource", ...(target?.variables ?? []).map(({ name }) => name)]).toEqual(
        expect.arrayContaining(names),
      );
      expect(names).toContain("area");
    }
  });
});

test("the dashboard of the organisation leads to that of an application", () => {
  expect(organisation.panels.flatMap(linksOf).map(({ url }) => url)).toEqual(
    Array.from({ length: 3 }, () => expect.stringContaining(`/d/${application.uid}?`)),
  );
});

test.each(shownNames)("%j can be chosen at every level, and nothing else is chosen with it", async (name) => {
  const choices = { area: name, team: name, app: name, env: name };
  await answersOfAll(application, choices);
  for (const variable of application.variables.filter((one) => one.name !== "area")) {
    expect(await optionsOf(variable, choices, prometheus.url)).toEqual([name]);
  }
  for (const area of [name, [name], ["shop", name], { all: ".+" }])
    await answersOfAll(organisation, { env: name, area });
  const areas = await answers(panel(organisation, "Areas"), { env: name, area: { all: ".+" } });
  expect(areas.map((samples) => samples.map(({ labels }) => labels))).toEqual(areas.map(() => [{ area: name }]));
});

test("the lowest teams are ten, the same in each column", async () => {
  const columns = await answers(panel(organisation, "Lowest teams"), { env: "prod", area: "shop" });
  const lowest = teams.slice(2).map(({ area, team }) => ({ area, team }));
  for (const column of columns) {
    expect(column.map(({ labels }) => labels)).toEqual(expect.arrayContaining(lowest));
    expect(column).toHaveLength(10);
  }
});

test("every severity has a colour of its own", () => {
  const { fieldConfig } = panel(organisation, "Open findings by severity");
  expect(fieldConfig?.overrides.map(({ matcher }) => matcher.options)).toEqual([...severities]);
});

function panel({ panels }: Dashboard, title: string): Panel {
  const found = panels.find((one) => one.title === title);
  return found ?? expect.fail(`no panel ${title}`);
}

describe("what is provisioned", () => {
  const read = (path: string) => readFileSync(`${deploy}${path}`, "utf8");
  const compose = read("compose.yaml");

  test("every folder that is mounted exists, and Grafana looks for the dashboards where they are mounted", () => {
    const mounts = [...compose.matchAll(/- \.\/(\S+?):(\S+?):ro$/gm)].map(([, from, to]) => ({ from, to }));
    expect(mounts).toHaveLength(4);
    for (const { from } of mounts) expect(existsSync(`${deploy}${from}`), from).toBe(true);
    const [, path] =
      /^apiVersion: 1\n[\s\S]*\n {6}path: (\S+)\n$/.exec(read("grafana/provisioning/dashboards/maturity.yaml")) ?? [];
    expect(mounts).toContainEqual({ from: "grafana/dashboards", to: path });
    const [, home] = /HOME_DASHBOARD_PATH: (\S+)/.exec(compose) ?? [];
    expect(existsSync(`${deploy}${home?.replace("/etc/grafana", "grafana")}`), home).toBe(true);
  });

  test("Grafana asks the Prometheus of the trial", () => {
    const [, host] =
      /^apiVersion: 1\n[\s\S]*\n {4}url: http:\/\/(\w+):9090\n/.exec(
        read("grafana/provisioning/datasources/prometheus.yaml"),
      ) ?? [];
    expect(compose).toMatch(new RegExp(`^  ${host}:\n    image: prom/prometheus:`, "m"));
  });

  test("promtool takes the configuration of the Prometheus of the trial", async () => {
    const [, content = ""] = /^ {4}content: \|\n((?: {6}.*\n)+)/m.exec(compose) ?? [];
    const config = content.replaceAll(/^ {6}/gm, "").replaceAll("/etc/prometheus/maturity/", shipped);
    expect(config).toContain("metrics_path: /metrics/service");
    const file = join(await useDirectory(), "prometheus.yml");
    await writeFile(file, config);
    const { code, output } = await promtool(["check", "config", file]);
    expect(code, output).toBe(0);
    expect(output).toContain("2 rule files found");
  });

  test("nothing of the trial listens beyond this machine", () => {
    const ports = [...compose.matchAll(/ports: \["(.+)"\]/g)].map(([, port]) => port);
    expect(ports).toHaveLength(3);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });
});
