import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createToken, hashToken } from "../src/auth/token.ts";
import { insertToken } from "../src/auth/tokens.ts";
import { until, useService } from "../test/support/service.ts";
import { useDirectory } from "../test/support/service-process.ts";
import { usePrometheus } from "./support/instances.ts";
import { shipped } from "./support/tools.ts";

/** An example as it ships, for the service at this address and with little patience. */
async function exampleFor(file: string, host: string): Promise<string> {
  const text = await readFile(join(shipped, file), "utf8");
  return text
    .replaceAll("127.0.0.1:8080", host)
    .replaceAll(/(scrape_interval|scrape_timeout): \S+/g, "$1: 2s")
    .replaceAll(/^ {2}- (maturity\.\S+\.yml)$/gm, (_, rules) => `  - ${join(shipped, rules)}`);
}

async function scraped(configuration: string, jobs: number) {
  const prometheus = await usePrometheus({ configuration });
  await until(async () => (await prometheus.targets()).filter(({ health }) => health !== "unknown").length === jobs);
  return (await prometheus.targets()).map(({ health, lastError }) => ({ health, lastError }));
}

test.each(["prometheus.yml", "prometheus-by-area.yml", "prometheus-rollups.yml"])(
  "%s scrapes a service that wants a token once its lines for one are used",
  async (file) => {
    const { server, database } = await useService({ auth: "token" });
    await server.start();
    const token = createToken();
    await insertToken(database.knex, {
      ...{ name: "prometheus", hash: hashToken(token), scopes: ["metrics:read"], bounds: {} },
    });
    const credentials = join(await useDirectory(), "maturity-token");
    await writeFile(credentials, token);
    const example = await exampleFor(file, new URL(server.info.uri).host);
    const withToken = example
      .replaceAll("    # authorization:", "    authorization:")
      .replaceAll("/etc/prometheus/maturity-token", credentials);

    const refused = { health: "down", lastError: "server returned HTTP status 401 Unauthorized" };
    const jobs = [...example.matchAll(/job_name/g)].length;
    expect(await scraped(example, jobs)).toEqual(Array(jobs).fill(refused));
    expect(await scraped(withToken, jobs)).toEqual(Array(jobs).fill({ health: "up", lastError: "" }));
  },
);
