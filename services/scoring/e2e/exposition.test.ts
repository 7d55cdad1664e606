import { expect, test } from "vitest";
import { useInstances, usePrometheus } from "./support/instances.ts";
import { hostileOrganisation, randomOrganisation, submit } from "./support/organisation.ts";
import { promtool } from "./support/tools.ts";

/** A hint on naming, the only one: `_count` is kept for histograms by convention, and the name of this series is fixed. */
const nameHint = 'maturity_problem_count non-histogram and non-summary metrics should not have "_count" suffix\n';

test("promtool finds no fault in what the service exposes, and Prometheus takes all of it", async () => {
  const { addresses } = await useInstances();
  const scores = await submit(hostileOrganisation(), addresses);
  await submit(randomOrganisation(1), addresses);
  const text = await (await fetch(`${addresses[0]}/metrics`)).text();
  expect(text).toContain("maturity_problem_count{");
  expect(await promtool(["check", "metrics"], text)).toEqual({ code: 3, output: nameHint });
  // Prometheus asks for OpenMetrics first.
  const prometheus = await usePrometheus({ targets: addresses });
  await prometheus.settled();
  const up = { health: "up", lastError: "" };
  expect(await prometheus.targets()).toMatchObject([up, up]);
  expect((await prometheus.query("maturity_score")).length).toBeGreaterThan(2 * scores.length);
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const [samples] = await prometheus.query("sum(scrape_samples_scraped)");
  expect(samples?.value).toBe(2 * lines.length);
});
