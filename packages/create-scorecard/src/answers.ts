import { isBuiltin } from "node:module";
import { basename } from "node:path";
import { type AnyMetric, createEngine, defineScorecard, MaturityError } from "@maturity/core";

/** What is asked: nothing is written where it is not answered so that the service takes the scorecard. */
export interface Answers {
  /** `@acme/cost` */
  readonly package: string;
  /** `cost` */
  readonly scorecard: string;
  readonly dimension: string;
  readonly weight: number;
  readonly metrics: readonly AskedMetric[];
  /** Whose pipelines test it. */
  readonly ci: Ci;
  /** The registry of Maturity's packages and of the package's scope, where it is not the one of the user's own settings. */
  readonly registry: string | undefined;
}

/** What runs the pipelines of the package. */
export type Ci = (typeof cis)[number];

const cis = ["github", "gitlab", "none"] as const;

/** A metric: a `value` is a number on a scale, a `count` how many of something there are. */
export interface AskedMetric {
  readonly kind: "value" | "count";
  readonly name: string;
  /** The fields of `raw` that it reads, at least one. */
  readonly fields: readonly string[];
  /** Its words, where they are not made of its name. */
  readonly words?: Words;
}

/** What people read of a metric. */
export interface Words {
  readonly title: string;
  /** What is scored: of a value the subject of its sentence, of a count the singular and the plural. */
  readonly subject: string | readonly [one: string, many: string];
  readonly unit?: string;
  readonly weight: number;
  /** How its cases are called, in the order of the template. */
  readonly cases: readonly string[];
}

/** An answer that cannot be used; the message says what would be right. */
export class UnusableAnswer extends Error {
  override readonly name = "UnusableAnswer";
}

/** The name of a scorecard that fits a package: of `@acme/cloud-cost` it is `cloud_cost`. */
export function scorecardOf(packageName: string): string {
  return basename(packageName)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replace(/^[^a-z]+|_+$/g, "");
}

/**
 * Reads `name`, `name.field` or `name.field+field`. Without a field it is `value` or `count`.
 *
 * @throws UnusableAnswer when it is neither
 */
export function readMetric(kind: AskedMetric["kind"], text: string): AskedMetric {
  const [name = "", fields = kind, ...rest] = text.split(".");
  if (rest.length > 0) {
    throw new UnusableAnswer(`--${kind} takes METRIC, METRIC.FIELD or METRIC.FIELD+FIELD; got ${JSON.stringify(text)}`);
  }
  return { kind, name, fields: fields.split("+") };
}

/**
 * Checks the answers as the service would check the scorecard, and the name of the package as npm would.
 *
 * @throws UnusableAnswer that names the answer
 */
export function checkAnswers({ package: packageName, scorecard, dimension, weight, metrics }: Answers): void {
  checkPackageName(packageName);
  checkContract(
    scorecard,
    dimension,
    weight,
    metrics.map(({ name }) => name),
  );
  for (const { name, fields } of metrics) {
    const rule = "lower case letters, digits and underscores, a letter first, at most 63";
    for (const [index, field] of fields.entries()) {
      if (isName(field) && fields.indexOf(field) === index) continue;
      const fault = isName(field) ? "another field of it already has this name" : `field must be ${rule}`;
      throw new UnusableAnswer(`${scorecard}.${name}: ${fault}; got ${JSON.stringify(field)}`);
    }
  }
}

/** @throws UnusableAnswer */
export function checkPackageName(name: string): void {
  const isNpms = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/.test(name) && name.length <= 214;
  if (!isNpms || name === "node_modules" || isBuiltin(name)) {
    const rule = "a name that npm takes, in lower case, such as @acme/cost, and none of Node's own modules";
    throw new UnusableAnswer(`the package must have ${rule}; got ${JSON.stringify(name)}`);
  }
}

/** @throws UnusableAnswer */
export function readCi(text: string): Ci {
  const ci = cis.find((one) => one === text.toLowerCase());
  if (ci) return ci;
  throw new UnusableAnswer(`--ci must be one of ${cis.join(", ")}; got ${JSON.stringify(text)}`);
}

/**
 * The address of a registry as npm's settings have it.
 *
 * @throws UnusableAnswer when it is no address of HTTP, or holds a password
 */
export function readRegistry(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new UnusableAnswer(
      `--registry must be an address such as https://npm.example.com, without a password; got ${JSON.stringify(text)}`,
    );
  }
  return url.href;
}

function isName(name: string): boolean {
  try {
    checkContract(name, "run", 1, ["metric"]);
    return true;
  } catch {
    return false;
  }
}

/** The contract asks of a validator that it is one; nothing is validated here. */
const raw = { "~standard": { version: 1, vendor: "create-scorecard", validate: () => ({ value: {} }) } } as const;

/** What the engine of the service refuses is refused here, in its words. */
function checkContract(name: string, dimension: string, weight: number, metrics: readonly string[]): void {
  try {
    createEngine([
      defineScorecard({
        name,
        dimension,
        weight,
        package: { name: "any", version: "1.0.0" },
        metrics: metrics.map((metric) => ({
          ...{ name: metric, title: "any", weight: 1, raw: raw as unknown as AnyMetric["raw"] },
          score: () => ({ score: 0, reasons: [] }),
        })),
      }),
    ]);
  } catch (error) {
    if (error instanceof MaturityError) throw new UnusableAnswer(error.message, { cause: error });
    throw error;
  }
}
