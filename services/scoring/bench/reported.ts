/**
 * Stores each score that the load reports, so that none of it is the first report of its key.
 *
 * @param beside so many other environments of each application get scores too, 40,000 each
 */
export async function fillReported(url: string, beside = 0): Promise<void> {
  await fillEnvironment(url, "prod");
  for (let index = 1; index <= beside; index++) await fillEnvironment(url, `staging-${index}`);
}

async function fillEnvironment(url: string, env: string): Promise<void> {
  for (let first = 0; first < 10_000; first += 250) {
    const scores = Array.from({ length: 250 }, (_, index) => first + index).flatMap((app) => {
      const team = Math.floor(app / 20);
      const target = {
        area: `area-${Math.floor(team / 10)}`,
        team: `team-${team}`,
        app: `application-${app}`,
        env,
      };
      return [
        { ...target, scorecard: "security", metric: "image_scan", raw: { critical: 0, high: 70, medium: 12 } },
        { ...target, scorecard: "security", metric: "dast", raw: { high: 70, medium: 3 } },
        { ...target, scorecard: "reliability", metric: "mttr", raw: { minutes: 70 } },
        { ...target, scorecard: "application", metric: "unit_coverage", raw: { coverage_pct: 70 } },
      ];
    });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${url}/scores`, { method: "POST", headers, body: JSON.stringify({ scores }) });
    if (!answer.ok) throw new Error(`filling ${url} failed: ${await answer.text()}`);
  }
}
