import { type AnyMetric, createEngine, defineMetric, defineScorecard, MaturityError } from "@maturity/core";
import type { YamlPath } from "@maturity/yaml";
import { nearName } from "@maturity/yaml/mapping";
import { partsOf, scorerOf, type Use, usesOf } from "./curves.ts";
import type { CaseDeclaration, InputDeclaration, MetricDeclaration, PointsDeclaration } from "./declaration.ts";

/** What is wrong with a part of a file. */
export interface Fault {
  readonly path: YamlPath;
  /** Follows the path: `must be above 0`. */
  readonly message: string;
}

/**
 * The metric that is declared.
 *
 * @throws MaturityError `invalid-scorecard`
 */
export function metricOf(declared: MetricDeclaration): AnyMetric {
  const { name, title, weight, max_age_hours, description, help, inputs = {}, curve } = declared;
  return defineMetric({
    ...{ name, title, inputs, score: scorerOf(curve, inputs) },
    ...(weight !== undefined && { weight }),
    ...(max_age_hours !== undefined && { maxAgeHours: max_age_hours }),
    ...(description !== undefined && { description: description.trim() }),
    ...(help !== undefined && { help }),
  });
}

/** What is wrong with a metric whose form is right, with paths from the metric. Its cases are tried if nothing else is. */
export function metricFaults(metric: MetricDeclaration): readonly Fault[] {
  const uses = usesOf(metric.curve);
  const faults = [...curveFaults(metric), ...mixedUses(uses), ...inputFaults(metric, uses)];
  return faults.length > 0 ? faults : caseFaults(metric, uses);
}

function curveFaults({ curve }: MetricDeclaration): readonly Fault[] {
  return partsOf(curve).flatMap(({ piecewise, log_piecewise }, index) => {
    const path = curve.lowest_of ? ["curve", "lowest_of", index] : ["curve"];
    return [
      ...pointFaults(piecewise, [...path, "piecewise"]),
      ...pointFaults(log_piecewise, [...path, "log_piecewise"], Math.log),
    ];
  });
}

function pointFaults(
  declared: PointsDeclaration | undefined,
  path: YamlPath,
  scale: (input: number) => number = Number,
): readonly Fault[] {
  return (declared?.points ?? []).flatMap(([input], index, points) => {
    const at = [...path, "points", index, 0];
    if (scale === Math.log && !(input > 0)) return [{ path: at, message: "must be above 0 on a logarithmic scale" }];
    const before = points[index - 1]?.[0];
    if (before === undefined || (input > before && scale(input) > scale(before))) return [];
    const problem = input > before ? "is too close to" : "must be above";
    return [{ path: at, message: `${problem} the input of the point before, ${before}` }];
  });
}

function mixedUses(uses: readonly Use[]): readonly Fault[] {
  const flags = new Set(uses.flatMap(({ field, as }) => (as === "flag" ? [field] : [])));
  const mixed = new Set(uses.flatMap(({ field, as }) => (as !== "flag" && flags.has(field) ? [field] : [])));
  return [...mixed].map((field) => ({ path: ["curve"], message: `reads ${field} both as a number and as a flag` }));
}

function inputFaults({ inputs = {} }: MetricDeclaration, uses: readonly Use[]): readonly Fault[] {
  return Object.entries(inputs).flatMap(([field, input]) => {
    const path = ["inputs", field];
    const own = uses.filter((use) => use.field === field).map(({ as }) => as);
    if (own.length === 0) return [{ path, message: `is read by no curve; ${fieldsOf(uses, field)}` }];
    return rangeFaults(input, own).map(([member, message]) => ({ path: [...path, member], message }));
  });
}

function fieldsOf(uses: readonly Use[], field: string): string {
  const known = [...new Set(uses.map((use) => use.field))];
  const near = nearName(field, known);
  return near ? `did you mean ${near}?` : `the curve reads ${known.join(", ")}`;
}

function rangeFaults(
  { unit, min, max }: InputDeclaration,
  uses: readonly Use["as"][],
): readonly (readonly [string, string])[] {
  const given = Object.entries({ unit, min, max }).filter(([, value]) => value !== undefined);
  if (uses.includes("flag"))
    return given.map(([member]) => [member, "is for numbers, and this input is true or false"]);
  const isCount = uses.includes("count");
  const counted = given.flatMap(([member, value]): (readonly [string, string])[] => {
    if (!isCount) return [];
    if (member === "unit" && !Array.isArray(value))
      return [[member, "must be a pair, since halving counts: [idle resource, idle resources]"]];
    if (member === "unit" || (Number.isInteger(value) && Number(value) >= 0)) return [];
    return [[member, "must be a whole number from 0, since halving counts"]];
  });
  const lowest = min ?? (isCount ? 0 : undefined);
  const isEmpty = lowest !== undefined && max !== undefined && lowest >= max;
  return isEmpty ? [...counted, ["max", `must be above the lowest value, ${lowest}`]] : counted;
}

function caseFaults(metric: MetricDeclaration, uses: readonly Use[]): readonly Fault[] {
  const from = { name: "file", version: "1.0.0" };
  const fields = new Set(uses.map(({ field }) => field));
  try {
    const scorecard = defineScorecard({
      ...{ name: "file", dimension: "run", weight: 1, package: from, metrics: [metricOf(metric)] },
    });
    const engine = createEngine([scorecard]);
    const score = (raw: object) => engine.score("file", metric.name, raw);
    return metric.cases.flatMap((one, index) => {
      const path = ["cases", index];
      const unread = Object.keys(one.raw).filter((field) => !fields.has(field));
      if (unread.length > 0)
        return unread.map((field) => ({
          ...{ path: [...path, "raw", field], message: `is read by no curve; ${fieldsOf(uses, field)}` },
        }));
      return outcomeFaults(one, score).map((fault) => ({ ...fault, path: [...path, ...fault.path] }));
    });
  } catch (error) {
    if (error instanceof MaturityError) return [{ path: ["curve"], message: `cannot be used: ${error.message}` }];
    throw error;
  }
}

type Score = (raw: object) => { readonly score: number; readonly reasons: readonly { readonly text: string }[] };

function outcomeFaults({ raw, score: expected }: CaseDeclaration, score: Score): readonly Fault[] {
  try {
    const { score: got, reasons } = score(raw);
    if (got === expected) return [];
    const message = `is ${expected}, but it scores ${got}: ${reasons.map(({ text }) => text).join("; ")}`;
    return [{ path: ["score"], message }];
  } catch (error) {
    if (!(error instanceof MaturityError)) throw error;
    if (error.details.length === 0) return [{ path: ["raw"], message: `cannot be scored: ${error.message}` }];
    return error.details.map(({ path, message }) => ({ path: path.split("."), message }));
  }
}
