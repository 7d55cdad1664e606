import { createClient } from "@maturity/client";
import { expect, test, vi } from "vitest";
import { listeningService } from "./support/listening-service.ts";

const service = listeningService({
  applies: [
    { scorecard: "security", metric: "image_scan", unless: { labels: { kind: ["library"] } } },
    { scorecard: "reliability", metric: "mttr", from: "2999-01-01" },
    { scorecard: "application", metric: "libs_secrets", when: { tier: ["1"], env: ["prod"] } },
  ],
});

const known = { area: "shop", team: "checkout" };
const scan = ["-m", "image_scan", "-r", "critical=0", "-r", "high=0", "-r", "medium=0"];
const coverage = ["-m", "unit_coverage", "-r", "coverage_pct=60"];
const sla = ["-m", "sla", "-r", "availability_pct=99"];
const mttr = ["-m", "mttr", "-r", "minutes=90"];
const secrets = ["-m", "libs_secrets", "-r", "enabled=true"];

/** Each with the result that is stored, and that of the gate. */
const apps = {
  "is exempt from the stored result": [scan, coverage],
  "is exempt from a metric that reports for the first time": [sla, scan],
  "is exempt from all that it reports": [undefined, scan],
  "reports a metric that is announced": [coverage, mttr],
  "has another tier": [coverage, secrets],
} as const;

test("--app-min counts with the policy, as the service does once the result is stored", async () => {
  const client = createClient({ url: service.url });
  const labels = { kind: "library" };
  await client.register(Object.keys(apps).map((app) => ({ ...known, app, tier: "2", labels })));
  const promised = new Map<string, number | null>();
  for (const [app, [stored, reported]] of [...Object.entries(apps), ["is not registered", [coverage, scan]] as const]) {
    const run = (...argv: readonly string[]) => service.maturity([...argv, "--app", app]);
    if (stored) await run("submit", ...stored);
    const { stdout } = await run("gate", "--json", "--app-min", "1", ...reported);
    await run("submit", ...reported);
    promised.set(app, JSON.parse(stdout).app.score_with);
  }
  const found = await vi.waitFor(
    async () => {
      const found = await client.apps({ ...known, env: "prod", detail: true }).toArray();
      expect(found).toHaveLength(promised.size);
      return found;
    },
    { timeout: 60_000, interval: 500 }, // roll-ups are up to 15 seconds old
  );
  for (const { app, score } of found) {
    expect([app, promised.get(app)]).toEqual([app, score === null ? null : expect.closeTo(score, 9)]);
  }
  expect(found.filter(({ exempt }) => exempt > 0)).toHaveLength(promised.size);
  expect(promised.get("is exempt from all that it reports")).toBeNull();
});
