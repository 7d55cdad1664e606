import { createHash } from "node:crypto";
import { createEngine, defineScorecard, MaturityError, type Scorecard } from "@maturity/core";
import { maxFaults } from "@maturity/core/wire";
import { readYaml, type YamlFault, type YamlPath } from "@maturity/yaml";
import type { MetricDeclaration, ScorecardDeclaration } from "./declaration.ts";
import { type Fault, metricFaults, metricOf } from "./metric.ts";
import { formFaults } from "./schema.ts";

/** Largest scorecard file, in bytes. */
export const maxScorecardBytes = 131_072;

/** A scorecard file that cannot be used, with every reason. */
export class ScorecardFileError extends Error {
  override readonly name = "ScorecardFileError";
  /** In the order of the file, at most 100; a path begins with the line: `line 3: metrics[0].weight`. */
  readonly details: readonly { readonly path: string; readonly message: string }[];

  /** @param file its name */
  constructor(file: string, details: ScorecardFileError["details"]) {
    const faults = details.map(({ path, message }) => `  ${path} ${message}`);
    super(`the scorecard ${file} cannot be used:\n${faults.join("\n")}`);
    this.details = details;
  }
}

/** A scorecard file that was read. */
export interface ScorecardFile {
  readonly declaration: ScorecardDeclaration;
  /** Its package has the name of the scorecard, and its version ends with a hash of the text: `cost@1.0.0+1a2b3c4d`. */
  readonly scorecard: Scorecard;
}

/**
 * Reads a scorecard that is declared in YAML, of which JSON is a part, and tries its cases.
 *
 * @param file its name, for the message
 * @throws ScorecardFileError with every fault and its line
 */
export function readScorecardFile(text: string, file: string): ScorecardFile {
  if (Buffer.byteLength(text) > maxScorecardBytes)
    throw new ScorecardFileError(file, [{ path: "line 1:", message: "it is larger than 128 KiB" }]);
  const { value, faults, warnings, lineOf } = readYaml(text);
  const unread = [...faults, ...warnings];
  if (unread.length > 0) throw refusal(file, unread);
  const found = faultsOf(value).slice(0, maxFaults);
  if (found.length > 0) {
    throw refusal(
      file,
      found.map(({ path, message }) => ({ line: lineOf(path, "key"), path, message })),
    );
  }
  const declaration = value as ScorecardDeclaration;
  const { name, title, version, dimension, weight, metrics } = declaration;
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 8);
  const scorecard = defineScorecard({
    ...{
      name,
      ...(title !== undefined && { title }),
      dimension,
      weight,
      package: { name, version: `${version}+${hash}` },
    },
    metrics: metrics.map(metricOf),
  });
  checkContract(scorecard, file);
  return { declaration, scorecard };
}

function faultsOf(value: unknown): readonly Fault[] {
  const form = formFaults(value).map(({ path, message }): Fault => ({ path, message }));
  const broken = new Set(form.flatMap(({ path: [top, index] }) => (top === "metrics" ? [index ?? "all"] : [])));
  const metrics = broken.has("all") ? [] : ((Object(value) as Partial<ScorecardDeclaration>).metrics ?? []);
  const more = metrics.flatMap((metric, index) =>
    broken.has(index) ? [] : metricFaults(metric).map((fault) => below(index, fault)),
  );
  return [...form, ...more, ...repeatedNames(metrics)];
}

function below(index: number, { path, message }: Fault): Fault {
  return { path: ["metrics", index, ...path], message };
}

function repeatedNames(metrics: readonly MetricDeclaration[]): readonly Fault[] {
  const seen = new Set<unknown>();
  return metrics.flatMap((metric, index) => {
    const { name } = Object(metric) as Partial<MetricDeclaration>;
    if (name === undefined || !seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [below(index, { path: ["name"], message: `is ${name}, as that of a metric before it` })];
  });
}

/** A fault without a path is one of the YAML itself. */
function refusal(file: string, faults: readonly (YamlFault & { readonly path?: YamlPath })[]): ScorecardFileError {
  const sorted = faults.toSorted((one, other) => one.line - other.line).slice(0, maxFaults);
  return new ScorecardFileError(
    file,
    sorted.map(({ line, path, message }) => ({
      path: `line ${line}:${path ? ` ${dotted(path) || "it"}` : ""}`,
      message,
    })),
  );
}

/** `metrics[0].inputs.spent_pct` */
function dotted(path: YamlPath): string {
  const parts = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`));
  return parts.join("").replace(/^\./, "");
}

/** What the contract of packages asks beyond. */
function checkContract(scorecard: Scorecard, file: string): void {
  try {
    createEngine([scorecard]);
  } catch (error) {
    if (!(error instanceof MaturityError)) throw error;
    throw new ScorecardFileError(file, [{ path: "line 1:", message: error.message }]);
  }
}
