import { type OidcConfig, parseOidcConfig } from "../../src/auth/oidc-config.ts";
import type { TestIssuer } from "./oidc-issuer.ts";
import type { TestService } from "./service.ts";

/** What an ID token says. */
export type Claims = Readonly<Record<string, unknown>>;

/** As GitHub Actions makes them out for a push to the main branch. */
export const github: Claims = {
  sub: "repo:acme/checkout-cart:ref:refs/heads/main",
  repository: "acme/checkout-cart",
  repository_id: "74",
  repository_owner: "acme",
  ref: "refs/heads/main",
  ref_protected: "true",
  event_name: "push",
};

/** As GitLab CI does. */
export const gitlab: Claims = {
  sub: "project_path:acme/search/index:ref_type:branch:ref:main",
  project_path: "acme/search/index",
  project_id: "1203",
  ref: "main",
  ref_type: "branch",
  ref_protected: "true",
  runner_id: 12_270_835,
  groups_direct: ["acme/search"],
};

/** Takes the ID tokens of this issuer, for what the claims above are for and a little more. */
export function trustIn({ url }: TestIssuer): OidcConfig {
  return parseOidcConfig(rules(url), "oidc.yaml");
}

const rules = (url: string) => `
audience: maturity
issuers:
  - url: ${url}
    rules:
      - match: { repository: "acme/checkout-{app}", ref: refs/heads/main, environment: production }
        grant: { area: shop, team: checkout, app: "{app}", scopes: [score:write, problem:write, read] }
      - match: { repository: "acme/checkout-{app}", ref: refs/heads/main }
        grant: { area: shop, team: checkout, app: "{app}", scopes: [score:write] }
      - match: { project_path: "acme/{team}/{app}", ref_type: branch, ref_protected: true, runner_id: 12270835 }
        grant: { area: shop, team: "{team}", app: "{app}", scopes: [score:write] }
      - match: { repository_id: 999 }
        grant: { scopes: [metrics:read] }
`;

let addresses = 0;

/** Reports a score of this target, from an address of its own. */
export async function reportFrom(
  { server }: TestService,
  token: string,
  target: object = { area: "shop", team: "checkout", app: "cart" },
): Promise<{ status: number; headers: Readonly<Record<string, unknown>>; code?: string; message?: string }> {
  const body = { ...target, env: "prod", scorecard: "security", metric: "secret_scan", raw: { found: false } };
  const { statusCode, headers, payload } = await server.inject({
    method: "POST",
    url: "/score",
    remoteAddress: `10.0.${Math.floor(++addresses / 250)}.${addresses % 250}`,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    payload: JSON.stringify(body),
  });
  const { code, message } = JSON.parse(payload);
  return { status: statusCode, headers, code, message };
}

/** How many wrong tokens the service has counted. */
export async function failuresOf({ metrics }: TestService): Promise<number> {
  const text = await metrics.registry.getSingleMetricAsString("maturity_authentication_failures_total");
  return Number(/_total (\d+)$/m.exec(text)?.[1]);
}
