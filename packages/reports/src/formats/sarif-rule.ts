import { type Severity, severityOf, severityOfScore } from "../severities.ts";
import { type Fields, isObject } from "../shape.ts";

/** Most levels of the id of a rule. Real ones have two; each more costs a look at the whole id. */
const maxLevels = 8;

/** Finds the rules of results (SARIF 2.1.0, 3.27.5 to 3.27.7 and 3.52). */
export interface RuleFinder {
  of(result: Fields): Fields | undefined;
  /** All rules of the tool and its extensions. */
  readonly all: readonly Fields[];
}

/** @param tool the `tool` of a run */
export function ruleFinder(tool: Fields): RuleFinder {
  const driver = rulesOf(tool.driver);
  const extensions = Array.isArray(tool.extensions) ? tool.extensions.map(rulesOf) : [];
  const all = [driver, ...extensions].flat().filter(isObject);
  const byId = new Map<string, Fields>();
  for (const rule of all) {
    if (typeof rule.id === "string" && !byId.has(rule.id)) byId.set(rule.id, rule);
  }

  function of(result: Fields): Fields | undefined {
    const reference = isObject(result.rule) ? result.rule : {};
    const component = isObject(reference.toolComponent) ? extensions[indexOf(reference.toolComponent)] : driver;
    return (
      ruleAt(component, indexOf(reference)) ??
      ruleAt(reference.toolComponent ? undefined : driver, numberOf(result.ruleIndex)) ??
      named(result.ruleId) ??
      named(reference.id)
    );
  }

  /** The rule with this id, else the rule that the id is a part of: `CA1000/1` is a part of `CA1000`. */
  function named(id: unknown): Fields | undefined {
    let part = typeof id === "string" ? id : "";
    for (let level = 0; level < maxLevels && part !== ""; level++) {
      const rule = byId.get(part);
      if (rule) return rule;
      part = part.slice(0, Math.max(0, part.lastIndexOf("/")));
    }
    return undefined;
  }

  return { of, all };
}

function rulesOf(component: unknown): readonly unknown[] {
  return isObject(component) && Array.isArray(component.rules) ? component.rules : [];
}

function ruleAt(rules: readonly unknown[] | undefined, index: number): Fields | undefined {
  const rule = rules?.[index];
  return isObject(rule) ? rule : undefined;
}

function numberOf(index: unknown): number {
  return typeof index === "number" ? index : -1;
}

function indexOf({ index }: Fields): number {
  return numberOf(index);
}

/**
 * The severity of a result. It follows from `security-severity` by the bands of GitHub (critical from 9, high from 7,
 * medium from 4), else from the level: error is high, warning is medium, and note is low.
 */
export function severityOfResult(result: Fields, rule: Fields | undefined): Severity | "unknown" {
  const byScore = [result, rule].map(scoreOf).find((severity) => severity !== "unknown");
  if (byScore) return byScore;
  const configuration = rule?.defaultConfiguration;
  const level = result.level ?? (isObject(configuration) ? configuration.level : undefined) ?? "warning";
  return severityOf(level, levels);
}

const levels: Readonly<Record<string, Severity>> = { error: "high", warning: "medium", note: "low" };

/** The severity by a `security-severity` above 0. Some tools write words there, which are not used. */
function scoreOf(holder: Fields | undefined): Severity | "unknown" {
  return isObject(holder?.properties) ? severityOfScore(holder.properties["security-severity"]) : "unknown";
}

/** Whether a rule looks for hard-coded secrets. Its tags show it, such as CWE-798, or its id. */
export function isSecretRule({ id, properties }: Fields): boolean {
  if (typeof id === "string" && /^CKV_SECRET_|(^|[.\-/])secrets?[.\-/]/i.test(id)) return true;
  const tags = isObject(properties) ? properties.tags : undefined;
  return Array.isArray(tags) && tags.some((tag) => typeof tag === "string" && /^secrets?$|\bcwe-798\b/i.test(tag));
}
