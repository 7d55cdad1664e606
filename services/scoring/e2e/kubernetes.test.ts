import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parseConfig } from "../src/commands/config.ts";
import { get } from "../test/support/own-connection.ts";
import { createDatabase, until } from "../test/support/service.ts";
import { runCommand } from "../test/support/service-command.ts";
import { useDirectory, useServiceProcess } from "../test/support/service-process.ts";
import { faultsOf, kubernetes, type Manifest, render, unknownSettings } from "./support/kubernetes.ts";

const names = ["trial", "production"] as const;
const rendered = new Map<string, Manifest[]>();
beforeAll(async () => {
  for (const name of names) rendered.set(name, await render(join(kubernetes, "overlays", name)));
});

const all = (overlay: string) => rendered.get(overlay) ?? [];
const one = (overlay: string, kind: string): Manifest =>
  all(overlay).find((manifest) => manifest.kind === kind) ?? expect.fail(`no ${kind} in ${overlay}`);
const pod = (overlay: string) => one(overlay, "Deployment").spec.template;
const container = (overlay: string) => pod(overlay).spec.containers[0];

/** What the settings of the overlay come to, with these in its secret. */
function environment(overlay: string, secret: Record<string, string>): Record<string, string> {
  const { data } = one(overlay, "ConfigMap");
  const named = (container(overlay).env ?? []).map(
    ({ name, valueFrom }: { name: string; valueFrom: { secretKeyRef: { key: string } } }) => [
      name,
      secret[valueFrom.secretKeyRef.key] ?? expect.fail(`${name} is not in the secret`),
    ],
  );
  return { ...data, ...secret, ...Object.fromEntries(named) };
}

describe.each(names)("the overlay %s", (overlay) => {
  test("fits the published schemas", async () => {
    expect(await faultsOf(all(overlay))).toEqual([]);
  });

  test("asks only for what the level `restricted` of the Pod Security Standards allows, and for a root that is only read", () => {
    expect(one(overlay, "Namespace").metadata.labels).toEqual({ "pod-security.kubernetes.io/enforce": "restricted" });
    const { spec } = pod(overlay);
    expect(spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 1000, // kubelets cannot see by a name that a user is not root
      seccompProfile: { type: "RuntimeDefault" },
    });
    expect(spec.containers).toHaveLength(1);
    expect(container(overlay).securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    for (const host of ["hostNetwork", "hostPID", "hostIPC", "initContainers"]) expect(spec).not.toHaveProperty(host);
    for (const volume of spec.volumes) expect(volume).not.toHaveProperty("hostPath");
  });

  test("gives the instances no token of the cluster", () => {
    expect(pod(overlay).spec).toMatchObject({ serviceAccountName: "maturity", automountServiceAccountToken: false });
    expect(one(overlay, "ServiceAccount")).toMatchObject({ automountServiceAccountToken: false });
  });

  test("what names another object names one that is there", () => {
    const has = (kind: string, name: string) =>
      all(overlay).some((it) => it.kind === kind && it.metadata.name === name);
    for (const { metadata, kind } of all(overlay))
      if (kind !== "Namespace") expect(metadata.namespace, kind).toBe("maturity");
    const { labels } = pod(overlay).metadata;
    expect(one(overlay, "Deployment").spec.selector.matchLabels).toEqual(labels);
    expect(one(overlay, "Service").spec.selector).toEqual(labels);
    expect(one(overlay, "Service").spec.ports[0].targetPort).toBe(container(overlay).ports[0].name);
    expect(has("ConfigMap", container(overlay).envFrom[0].configMapRef.name)).toBe(true);
    const mounted = container(overlay).volumeMounts.map(({ name }: { name: string }) => name);
    expect(pod(overlay).spec.volumes.map(({ name }: { name: string }) => name)).toEqual(mounted);
    const claims = pod(overlay).spec.volumes.flatMap(
      (volume: Manifest) => volume.persistentVolumeClaim?.claimName ?? [],
    );
    for (const claim of claims) expect(has("PersistentVolumeClaim", claim), claim).toBe(true);
    expect(claims).toHaveLength(overlay === "trial" ? 1 : 0);
  });

  test("the stop of an instance is noticed, and ends, within the time that it is given", () => {
    const { shutdownGraceMs } = parseConfig(environment(overlay, { DATABASE_URL: "postgres://database/maturity" }));
    const { terminationGracePeriodSeconds } = pod(overlay).spec;
    const { startupProbe, readinessProbe } = container(overlay);
    const noticesMs = ({ periodSeconds, failureThreshold }: { periodSeconds: number; failureThreshold: number }) =>
      periodSeconds * failureThreshold * 1_000;
    expect(terminationGracePeriodSeconds * 1_000).toBeGreaterThan(shutdownGraceMs);
    expect(noticesMs(readinessProbe)).toBeLessThan(shutdownGraceMs / 2);
    expect(noticesMs(startupProbe)).toBe(3_600_000);
    expect(container(overlay).ports).toEqual([{ name: "http", containerPort: 8080 }]);
  });
});

test("each setting is one that the service has", async () => {
  expect(await unknownSettings(names.flatMap(all))).toEqual([]);
});

test("a field that the schemas lack, and a value that they refuse, are found", async () => {
  const deployment = structuredClone(one("trial", "Deployment"));
  deployment.spec.template.spec.containers[0].securityContext.readOnlyRootFilesytem = true;
  deployment.spec.replicas = "two";
  const faults = (await faultsOf([deployment])).join("\n");
  expect(faults).toContain("replicas");
  expect(faults).toContain("readOnlyRootFilesytem");
  const monitor = structuredClone(one("production", "ServiceMonitor"));
  monitor.spec.endpoints[0].honourLabels = true;
  monitor.spec.endpoints[1].interval = "often";
  const wrong = (await faultsOf([monitor])).join("\n");
  expect(wrong).toContain("honourLabels");
  expect(wrong).toContain("interval");
});

describe("the trial", () => {
  test("never has two instances on its volume", () => {
    expect(one("trial", "Deployment").spec).toMatchObject({ replicas: 1, strategy: { type: "Recreate" } });
  });

  test("keeps its data below a mounted volume, over a restart", async () => {
    const { DATABASE_URL = "", ...others } = environment("trial", {});
    const { mountPath } = container("trial").volumeMounts.find(({ name }: { name: string }) => name === "data");
    expect(DATABASE_URL).toBe(`pglite:${mountPath}/maturity`);
    const volume = await useDirectory();
    const settings = { ...others, DATABASE_URL: DATABASE_URL.replace(mountPath, volume) };
    for (const start of [1, 2]) {
      const service = await useServiceProcess(settings);
      const address = await service.address();
      expect(await get(address, "/apps")).toContain(`"total":${start - 1}`);
      await report(address, "cart");
      service.kill("SIGTERM");
      expect(await service.exit).toEqual({ code: 0, signal: null });
    }
  });
});

async function report(address: string, app: string, headers: Record<string, string> = {}): Promise<number> {
  const target = { area: "shop", team: "checkout", app, env: "prod" };
  const body = JSON.stringify({ ...target, scorecard: "security", metric: "secret_scan", raw: { found: false } });
  const type = { "content-type": "application/json" };
  return (await fetch(`${address}/score`, { method: "POST", headers: { ...type, ...headers }, body })).status;
}

describe("production", () => {
  test("runs two instances, of which one stays while nodes are drained and while a version is rolled out", () => {
    const { replicas, strategy, selector } = one("production", "Deployment").spec;
    expect({ replicas, strategy }).toEqual({
      replicas: 2,
      strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
    });
    expect(one("production", "PodDisruptionBudget").spec).toEqual({ maxUnavailable: 1, selector });
    expect(one("production", "NetworkPolicy").spec).toMatchObject({ podSelector: selector });
    const [spread] = pod("production").spec.topologySpreadConstraints;
    expect(spread.labelSelector).toEqual(selector);
  });

  test("lets in callers by the port of the instances alone, and out to names, PostgreSQL and TLS", () => {
    const { policyTypes, ingress, egress } = one("production", "NetworkPolicy").spec;
    expect(policyTypes).toEqual(["Ingress", "Egress"]);
    expect(ingress.map(({ ports }: Manifest) => ports)).toEqual([[{ protocol: "TCP", port: "http" }]]);
    expect(egress.flatMap(({ ports }: Manifest) => ports.map(({ port }: { port: number }) => port)).toSorted()).toEqual(
      [443, 53, 53, 5432],
    );
  });

  test("two instances start, and answer the probes and every scrape of the monitor with a token alone", async () => {
    const settings = environment("production", { DATABASE_URL: await createDatabase("postgres") });
    const instances = await Promise.all([useServiceProcess(settings), useServiceProcess(settings)]);
    const addresses = await Promise.all(instances.map((instance) => instance.address()));
    const token = async (...scopes: string[]) => {
      const args = ["token", "create", "--name", "kubernetes", ...scopes.flatMap((scope) => ["--scope", scope])];
      const { stdout } = await runCommand(args, settings);
      return { authorization: `Bearer ${stdout.trim().split("\n").at(-1)}` };
    };
    const [pipeline, scrape] = [await token("score:write"), await token("metrics:read")];
    expect(await report(addresses[0] as string, "cart")).toBe(401);
    expect(await report(addresses[0] as string, "cart", pipeline)).toBe(200);

    const { startupProbe, readinessProbe, livenessProbe } = container("production");
    const { endpoints, selector } = one("production", "ServiceMonitor").spec;
    expect(one("production", "Service").metadata.labels).toEqual(selector.matchLabels);
    const [{ name: port }] = one("production", "Service").spec.ports;
    for (const address of addresses) {
      for (const { httpGet } of [startupProbe, readinessProbe, livenessProbe]) {
        expect(httpGet.port).toBe(container("production").ports[0].name);
        expect((await fetch(`${address}${httpGet.path}`)).status, httpGet.path).toBe(200);
      }
      const scrapes = await Promise.all(
        endpoints.map(async (endpoint: Manifest) => {
          expect(endpoint.port).toBe(port);
          const query = new URLSearchParams();
          for (const [key, values] of Object.entries(endpoint.params ?? {}))
            for (const value of values as string[]) query.append(key, value);
          const url = `${address}${endpoint.path}?${query}`;
          expect((await fetch(url)).status, url).toBe(401);
          const answer = await fetch(url, { headers: scrape });
          expect(answer.status, url).toBe(200);
          return answer.text();
        }),
      );
      expect(scrapes).toEqual([
        expect.stringContaining('maturity_score{area="shop",team="checkout",app="cart"'),
        expect.stringContaining("maturity_app_level{"),
        expect.stringContaining("http_request_duration_seconds"),
      ]);
    }
    const [first] = instances;
    first?.kill("SIGTERM");
    const [leaving = ""] = addresses;
    await until(async () => (await fetch(`${leaving}${readinessProbe.httpGet.path}`)).status === 503);
    expect((await fetch(`${leaving}${livenessProbe.httpGet.path}`)).status).toBe(200);
    expect(await first?.exit).toEqual({ code: 0, signal: null });
  });

  test("without the address of its database an instance does not start", () => {
    const [named] = container("production").env;
    expect(named).toEqual({
      name: "DATABASE_URL",
      valueFrom: { secretKeyRef: { name: "maturity", key: "DATABASE_URL" } },
    });
  });
});
