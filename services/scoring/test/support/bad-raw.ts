import type { BadRequest } from "./bad-bodies.ts";

type Range = readonly [minimum: number, maximum: number, whole?: "whole"];

const percentage: Range = [0, 100];
const minutes: Range = [0, 5_256_000];
const findings: Range = [0, 1_000_000_000, "whole"];

/** The raw input of each metric: the ends of each number, or that it is a flag. */
export const rawInputs: Readonly<Record<string, Readonly<Record<string, Range | "flag">>>> = {
  "reliability.sla": { availability_pct: percentage },
  "reliability.change_failure_rate": { rate_pct: percentage },
  "reliability.mttr": { minutes },
  "reliability.mttd": { minutes },
  "security.image_scan": { critical: findings, high: findings, medium: findings },
  "security.sast": { critical: findings, high: findings, medium: findings },
  "security.dast": { high: findings, medium: findings },
  "security.secret_scan": { found: "flag" },
  "application.unit_coverage": { coverage_pct: percentage },
  "application.integration_coverage": { coverage_pct: percentage },
  "application.stress_test": { error_rate: [0, 1], p95_ms: [0, 86_400_000], checks_pct: percentage },
  "application.libs_observability": { enabled: "flag" },
  "application.libs_secrets": { enabled: "flag" },
  "application.health_check": { enabled: "flag" },
  "application.unique_db_user": { enabled: "flag" },
};

/** For each metric the raw inputs at either end of what it takes. */
export function edgesOfRaw(): { metric: string; raw: Record<string, unknown> }[] {
  return Object.entries(rawInputs).flatMap(([metric, fields]) =>
    [0, 1].map((end) => ({
      metric,
      raw: Object.fromEntries(
        Object.entries(fields).map(([name, range]) => [name, range === "flag" ? end === 1 : range[end]]),
      ),
    })),
  );
}

/** For each field of each metric: missing, of another type, outside its range. */
export function badRaw(good: object): BadRequest[] {
  return edgesOfRaw()
    .filter((_, index) => index % 2 === 0)
    .flatMap(({ metric: path, raw }) => {
      const [scorecard, metric] = path.split(".");
      const fields = Object.entries(rawInputs[path] ?? {});
      const send = (name: string, changed: object, paths: readonly string[], message = /./): BadRequest => ({
        name: `${path}: ${name}`,
        payload: { ...good, scorecard, metric, raw: changed },
        code: "invalid-raw",
        paths,
        message,
      });
      return [
        send(
          "an empty raw",
          {},
          fields.map(([field]) => `raw.${field}`),
          new RegExp(`does not fit ${path}: .*is required`),
        ),
        ...fields.flatMap(([field, range]) => [
          send(`${field} missing`, { ...raw, [field]: undefined }, [`raw.${field}`], /is required/),
          ...Object.entries(range === "flag" ? notAFlag : notANumber(field, range)).map(([name, value]) =>
            send(`${field} ${name}`, { ...raw, [field]: value }, [`raw.${field}`], aboutFraction(field, value)),
          ),
        ]),
      ];
    });
}

const notAFlag: Readonly<Record<string, unknown>> = {
  "as text": "true",
  "as the text 1": "1",
  null: null,
  "of 2": 2,
  "below 0": -1,
  "a list": [true],
};

function notANumber(field: string, [minimum, maximum, whole]: Range): Readonly<Record<string, unknown>> {
  return {
    "as text": "1",
    null: null,
    "a flag": true,
    "a list": [1],
    "below its range": minimum - (whole ? 1 : 0.001),
    "above its range": maximum + (whole ? 1 : 0.001),
    ...(whole && { "a fraction": 1.5 }),
    ...(field === "error_rate" && { "in percent": 1.5 }),
  };
}

/** A share above 1 is most likely a percentage, so the refusal says what is expected. */
function aboutFraction(field: string, value: unknown): RegExp {
  return field === "error_rate" && typeof value === "number" && value > 1 ? /fraction from 0 to 1.*0\.02 is 2 %/ : /./;
}
