import { expect, test } from "vitest";
import { useDirectory } from "../../../test-support/trees.ts";
import { jenkinsfile } from "../test/support/ci-systems.ts";
import { listeningService } from "../test/support/listening-service.ts";
import { recipes } from "../test/support/recipe-reports.ts";
import { addNpm, useShell } from "../test/support/shell.ts";

const service = listeningService();

test("the step of Jenkins sends a score", async () => {
  const shell = await useShell({ maturity: false });
  await addNpm(shell);
  await shell.program("trivy", `cat report > reports/trivy.json`);
  await shell.program("gitleaks", `echo '[]' > reports/gitleaks.json`);
  await shell.write("report", JSON.stringify(recipes.Trivy?.report));
  const environment = Object.fromEntries(
    [...jenkinsfile.matchAll(/^ +(MATURITY_\w+) = '(.*)'$/gm)].map(([, name, value]) => [name, value]),
  );
  const steps = [...jenkinsfile.matchAll(/^ +sh '(.*)'$/gm)].map(([, script]) => script);
  expect(steps).toHaveLength(5);
  const app = "cart of Jenkins";
  const env = {
    ...{ ...environment, MATURITY_URL: service.url, MATURITY_APP: app, MATURITY_TOKEN: "t0ken" },
    WORKSPACE_TMP: await useDirectory(),
  };
  for (const script of steps) expect(await shell.run(script ?? "", env)).toMatchObject({ code: 0 });
  const scores = (await service.rows("scores")).filter((row) => row.app === app);
  expect(scores.map(({ area, team, metric }) => [area, team, metric]).sort()).toEqual([
    ["shop", "checkout", "image_scan"],
    ["shop", "checkout", "secret_scan"],
  ]);
  expect((await service.rows("problems")).filter((row) => row.app === app)).toMatchObject([
    { area: "shop", team: "checkout", app, env: "prod", count: 0 },
  ]);
});
