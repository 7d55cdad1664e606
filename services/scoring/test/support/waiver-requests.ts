import { expect } from "vitest";
import { makeKnown } from "./known-names.ts";
import { type Caller, holderOf } from "./people.ts";
import type { Answer } from "./requests.ts";
import { createDatabase, type engines, startService, type TestService } from "./service.ts";
import { inDays } from "./waivers.ts";

/** An application with a score. */
export const cart = { area: "shop", team: "checkout", app: "cart" };

/** A waiver of one of its metrics. */
export const dast = {
  kind: "accepted",
  area: "shop",
  team: "checkout",
  app: "cart",
  scorecard: "security",
  metric: "dast",
  reason: "rebuilt until May",
  owner: "ann",
  expires_at: inDays(60) as string,
};

export const forbidden = { status: 403, code: "forbidden" };

export interface People {
  readonly service: TestService;
  readonly ann: Caller;
  readonly ben: Caller;
  readonly office: Caller;
  readonly admin: Caller;
}

/** Two who ask, an office that decides, and an admin, on a service with tokens and a score. */
export async function peopleOf(kind: (typeof engines)[number]): Promise<People> {
  const service = await startService({ auth: "token", databaseUrl: await createDatabase(kind) });
  const reader = ["read", "waiver:request"] as const;
  const admin = await holderOf(service, { name: "root", scopes: ["admin"] });
  const score = { ...cart, env: "prod", scorecard: "security", metric: "dast", raw: { high: 0, medium: 1 } };
  await admin.post("/score", score);
  await admin.post("/score", { ...score, metric: "secret_scan", raw: { found: false } });
  await makeKnown(service, { ...cart, env: "dev" }, { ...cart, area: "full" });
  return {
    ...{ service, admin },
    ann: await holderOf(service, { name: "ann", scopes: reader }),
    ben: await holderOf(service, { name: "ben", scopes: reader }),
    office: await holderOf(service, { name: "office", scopes: ["read", "waiver:write"] }),
  };
}

/** Asks for a waiver, and gives its id. */
export async function ask(caller: Caller, waiver: object = {}): Promise<string> {
  const { status, body } = await caller.post("/waivers", { ...dast, state: "requested", ...waiver });
  expect([status, body.state], JSON.stringify(body)).toEqual([201, "requested"]);
  return String(body.id);
}

type Item = Readonly<Record<string, unknown>>;

export const items = (answer: Answer): readonly Item[] => answer.body.items as readonly Item[];

/** The states of the waivers that a query finds, in the order in which they were made. */
export async function states(caller: Caller, query: string): Promise<unknown[]> {
  return items(await caller.get(`/waivers?sort=oldest&${query}`)).map(({ state }) => state);
}
