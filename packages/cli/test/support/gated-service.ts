import { createClient } from "@maturity/client";
import { beforeAll } from "vitest";
import { listeningService } from "./listening-service.ts";

/** The target of the results. */
export const cart = { area: "shop", team: "checkout", app: "cart", env: "prod" } as const;

/** The flags of a result of sast. */
export function sast(high: number, medium = 0): string[] {
  return ["-m", "sast", "-r", "critical=0", "-r", `high=${high}`, "-r", `medium=${medium}`];
}

/** A service that has stored scores to compare with. */
export function gatedService(): ReturnType<typeof listeningService> {
  const service = listeningService();
  beforeAll(async () => {
    await createClient({ url: service.url }).submitAll([
      { ...cart, scorecard: "security", metric: "sast", raw: { critical: 0, high: 4, medium: 0 } },
      { ...cart, scorecard: "security", metric: "secret_scan", raw: { found: false } },
      { ...cart, scorecard: "reliability", metric: "sla", raw: { availability_pct: 99 } },
    ]);
  });
  return service;
}
