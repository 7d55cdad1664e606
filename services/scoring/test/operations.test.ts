import { expect, test } from "vitest";
import { parse } from "yaml";
import { parseConfig } from "../src/commands/config.ts";
import { blocks } from "./support/markdown.ts";

const { shutdownGraceMs } = parseConfig({ DATABASE_URL: "pglite::memory:" });

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: number };
  readonly periodSeconds: number;
  readonly failureThreshold: number;
}

/** What a probe asks, and how many milliseconds pass before it believes in a failure. */
function probe({ httpGet, periodSeconds, failureThreshold }: Probe) {
  return { ...httpGet, noticesMs: periodSeconds * failureThreshold * 1_000 };
}

test("the example for Kubernetes fits the default of SHUTDOWN_GRACE_MS", async () => {
  const [example] = (await blocks("docs/operations.md")).filter(({ info }) => info === "kubernetes");
  const { terminationGracePeriodSeconds, containers } = parse(example?.text ?? "").spec.template.spec;
  const [{ startupProbe, readinessProbe, livenessProbe }] = containers;
  expect(terminationGracePeriodSeconds * 1_000).toBeGreaterThan(shutdownGraceMs);
  expect(probe(readinessProbe)).toMatchObject({ path: "/healthz", port: 8080 });
  expect(probe(readinessProbe).noticesMs).toBeLessThan(shutdownGraceMs / 2);
  expect(probe(livenessProbe)).toMatchObject({ path: "/livez", port: 8080 });
  expect(probe(startupProbe)).toEqual({ path: "/livez", port: 8080, noticesMs: 3_600_000 });
});
