import { expect, test } from "vitest";
import { hostileNames } from "../test/support/hostile-names.ts";
import { useInstances, usePrometheus } from "./support/instances.ts";
import { hostileOrganisation, submit } from "./support/organisation.ts";
import { quote } from "./support/prometheus.ts";
import { expectRollUps } from "./support/roll-ups.ts";

test("names that something might break come out of Prometheus as they went in", async () => {
  const instances = await useInstances();
  const scores = await submit(hostileOrganisation(), instances.addresses);
  const prometheus = await usePrometheus({ targets: instances.addresses });
  await prometheus.settled();
  await expectRollUps(prometheus, instances.scorecards, scores);
  const sorted = [...hostileNames].sort();
  for (const label of ["area", "team", "app", "env", "problem_type"]) {
    const response = await fetch(`${prometheus.url}/api/v1/label/${label}/values`);
    expect(((await response.json()) as { data: string[] }).data.sort()).toEqual(sorted);
  }
  const scorecard = "security";
  for (const name of hostileNames) {
    const target = { area: name, team: name, app: name, env: name };
    const matcher = (labels: readonly string[]) => labels.map((label) => `${label}=${quote(name)}`).join();
    const targetMatcher = matcher(["area", "team", "app", "env"]);
    expect(
      await prometheus.query(`max by (area, team, app, env, scorecard) (maturity_score{${targetMatcher}})`),
    ).toEqual([{ name: "", labels: { ...target, scorecard }, value: 50 }]);
    expect(await prometheus.query(`maturity:app_score{${targetMatcher}}`)).toEqual([
      { name: "maturity:app_score", labels: target, value: 50 },
    ]);
    const problem = `maturity_problem_count{${targetMatcher},${matcher(["problem_type"])}}`;
    expect(await prometheus.query(`max without (instance, job) (${problem})`)).toEqual([
      { name: "", labels: { ...target, problem_type: name, severity: "high" }, value: 1 },
    ]);
  }
});
