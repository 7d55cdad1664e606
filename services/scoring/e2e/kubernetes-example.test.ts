import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { parseConfig } from "../src/commands/config.ts";
import { blocks, repository } from "../test/support/markdown.ts";
import { faultsOf, type Manifest, render, unknownSettings } from "./support/kubernetes.ts";
import { shipped } from "./support/tools.ts";

let example: Manifest[];
beforeAll(async () => {
  example = await renderExample();
});

/** What docs/kubernetes.md shows, in a folder of its own; also with the lines of its comments that begin so. */
async function renderExample(uncommented = /(?!)/): Promise<Manifest[]> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), "maturity-kubernetes-"));
  try {
    const shown = await blocks("docs/kubernetes.md");
    const text = (info: string) => shown.find((block) => block.info === info)?.text ?? expect.fail(`no block ${info}`);
    const overlay = text("overlay").replaceAll(/maturity\/services[\w/]+/g, (path) =>
      relative(folder, join(repository, path.replace("maturity/", ""))),
    );
    const chosen = overlay.replaceAll(/^( *)# (.*)$/gm, (line, indent, rest) =>
      uncommented.test(rest) ? `${indent}${rest}` : line,
    );
    await writeFile(join(folder, "kustomization.yaml"), chosen);
    await writeFile(join(folder, "ingress.yaml"), text("manifest"));
    for (const file of ["oidc.yaml", "policy.yaml"]) await writeFile(join(folder, file), "");
    return await render(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("the overlay that the page shows renders, fits the schemas, and gets its files to the instances", async () => {
  expect(await faultsOf(example)).toEqual([]);
  expect(await unknownSettings(example)).toEqual([]);
  const of = (kind: string, name: RegExp) => example.find((it) => it.kind === kind && name.test(it.metadata.name));
  const { containers, volumes } = of("Deployment", /^maturity$/)?.spec.template.spec ?? {};
  expect(containers[0].image).toBe("registry.internal/maturity-service:0.1.0");
  const files = of("ConfigMap", /^maturity-files-/);
  expect(Object.keys(files?.data)).toEqual(["oidc.yaml", "policy.yaml"]);
  expect(volumes.at(-1).projected.sources).toEqual([
    { configMap: { name: files?.metadata.name, optional: true } },
    { secret: { name: "maturity-files", optional: true } },
  ]);
  const settings = of("ConfigMap", /^maturity-settings-/);
  expect(settings?.data).toMatchObject({ AUTH: "token,oidc", SHUTDOWN_GRACE_MS: "10000" });
  expect(containers[0].envFrom[0].configMapRef.name).toBe(settings?.metadata.name);
  parseConfig({ ...settings?.data, DATABASE_URL: "postgres://database/maturity", CHAT_BOT_TOKEN: "xoxb-1" });
  const [{ from }] = of("NetworkPolicy", /^maturity$/)?.spec.ingress ?? [];
  expect(from[0].namespaceSelector.matchExpressions[0].values).toEqual(["ingress-nginx", "monitoring", "pipelines"]);
  const [rule] = of("Ingress", /^maturity$/)?.spec.rules ?? [];
  const { name, port } = rule.http.paths[0].backend.service;
  expect(of("Service", /^maturity$/)).toMatchObject({ metadata: { name }, spec: { ports: [{ name: port.name }] } });
});

test("the patch in its comment takes out what needs the Prometheus operator, and nothing else", async () => {
  const kinds = (manifests: Manifest[]) => manifests.map(({ kind }) => kind).toSorted();
  const ofOperator = ["PrometheusRule", "ServiceMonitor"];
  const without = kinds(await renderExample(/^(- target|\s+patch):/));
  expect(without).toEqual(kinds(example).filter((kind) => !ofOperator.includes(kind)));
  expect(kinds(example)).toEqual(expect.arrayContaining(ofOperator));
});

test("the component in its comment scrapes the Service as the example without recording rules, and keeps the alerts", async () => {
  const manifests = await renderExample(/^components:/);
  expect(await faultsOf(manifests)).toEqual([]);
  const rest = (of: Manifest[]) => of.filter(({ kind }) => !/ServiceMonitor|PrometheusRule|ScrapeConfig/.test(kind));
  expect(rest(manifests)).toEqual(rest(example));
  const all = (kind: string) => manifests.filter((it) => it.kind === kind);
  expect(all("PrometheusRule").map(({ metadata }) => metadata.name)).toEqual(["maturity-alerts"]);
  const monitors = example.filter(({ kind }) => kind === "ServiceMonitor");
  const [monitor, service] = [all("ServiceMonitor")[0], all("Service")[0]];
  expect(monitor?.spec.endpoints).toEqual(
    monitors[0]?.spec.endpoints.filter(({ path }: { path: string }) => path === "/metrics/service"),
  );
  const { metadata, spec } = service ?? expect.fail("no Service");
  const address = `${metadata.name}.${metadata.namespace}.svc:${spec.ports[0].port}`;

  const text = await readFile(join(shipped, "prometheus-rollups.yml"), "utf8");
  const { global, scrape_configs } = parse(text.replaceAll("127.0.0.1:8080", address));
  const ofBalancer = scrape_configs.filter(({ job_name }: { job_name: string }) => job_name !== "maturity-service");
  expect(all("ScrapeConfig").map((config) => jobOf(config, monitor?.spec.endpoints[0].authorization))).toEqual(
    ofBalancer.map((job: object) => ({ scrape_interval: global.scrape_interval, ...job })),
  );
});

/** The job that the Prometheus operator makes of a ScrapeConfig which sends this token. */
function jobOf({ spec }: Manifest, token: object): object {
  const { authorization, staticConfigs, metricRelabelings, ...settings } = spec;
  expect(authorization).toEqual(token);
  const [{ targets, labels }] = staticConfigs;
  const job = {
    ...{ job_name: labels.job, ...settings, static_configs: [{ targets }] },
    ...(metricRelabelings && { metric_relabel_configs: metricRelabelings }),
  };
  const snakeCase = (key: string) => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return JSON.parse(JSON.stringify(job).replaceAll(/"\w+":/g, snakeCase));
}
