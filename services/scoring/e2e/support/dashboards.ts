import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder of what the service ships for Grafana, Docker and Prometheus. */
export const deploy: string = fileURLToPath(new URL("../../deploy/", import.meta.url));

interface Query {
  readonly refId: string;
  readonly expr: string;
  readonly format?: "table";
}

interface DataLink {
  readonly url: string;
}

/** The part of Grafana's panels that the tests read. */
export interface Panel {
  readonly id: number;
  readonly title: string;
  readonly description?: string;
  readonly type: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly datasource: { readonly uid: string };
  readonly targets: readonly Query[];
  readonly transformations?: readonly {
    readonly id: string;
    readonly options: { readonly renameByName?: Readonly<Record<string, string>> };
  }[];
  readonly fieldConfig?: {
    readonly overrides: readonly {
      readonly matcher: { readonly id: string; readonly options: string };
      readonly properties: readonly { readonly id: string; readonly value: unknown }[];
    }[];
  };
}

/** A variable that is asked of Prometheus. */
export interface Variable {
  readonly name: string;
  readonly type: string;
  readonly datasource: { readonly uid: string };
  readonly query: { readonly query: string };
  readonly multi?: boolean;
  readonly allValue?: string;
}

/** A dashboard with what it was read from. */
export interface Dashboard {
  readonly text: string;
  readonly uid: string;
  readonly title: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  /** Without the choice of the data source. */
  readonly variables: readonly Variable[];
}

/** The dashboards by file name. */
export const dashboards: Readonly<Record<string, Dashboard>> = Object.fromEntries(
  readdirSync(`${deploy}grafana/dashboards`).map((file) => [file, read(file)]),
);

function read(file: string): Dashboard {
  const text = readFileSync(`${deploy}grafana/dashboards/${file}`, "utf8");
  const { templating, ...dashboard } = JSON.parse(text);
  const variables = templating.list.filter(({ type }: Variable) => type !== "datasource");
  return { ...dashboard, text, variables };
}

/** The choice of a variable: one value, several, or all as the pattern that stands for them. */
export type Choice = string | readonly string[] | { readonly all: string };

/** The syntaxes of a variable in Grafana: `$name`, `[[name:format]]` and `${name.path:format}`. */
const reference = /\$(\w+)|\[\[(\w+?)(?::(\w+))?\]\]|\$\{(\w+)(?:\.[^:{}]+)?(?::([^}]+))?\}/g;

/**
 * Puts the choices where a query names them, as Grafana does: a panel's query is gone through twice, so that a name which
 * looks like a variable shows. What is no variable stays.
 *
 * @throws Error for a format other than `raw` and `regex`: Grafana's own choice escapes too little
 */
export function interpolate(query: string, choices: Readonly<Record<string, Choice>>): string {
  const once = (text: string) =>
    text.replaceAll(reference, (match, bare, old, oldFormat, braced, format) => {
      const name = bare ?? old ?? braced;
      if (name === "__rate_interval") return "10s";
      const choice = Object.hasOwn(choices, name) ? choices[name] : undefined;
      return choice === undefined ? match : formatted(choice, format ?? oldFormat);
    });
  return once(once(query));
}

function formatted(choice: Choice, format: string): string {
  if (typeof choice === "object" && "all" in choice) return choice.all;
  if (format === "raw" && typeof choice === "string") return choice;
  if (format !== "regex") throw new Error(`a choice cannot be put in as ${format}`);
  const patterns = [choice].flat().map((value) => value.replaceAll(/[\\^$*+?.()|[\]{}/]/g, "\\$&"));
  return patterns.length === 1 ? String(patterns[0]) : `(${patterns.join("|")})`;
}

/** Characters of names that a dashboard cannot be shown for; docs/dashboards.md says why. */
export const beyondDashboards: RegExp = /[`\u2028\u2029\ufffd]/;

/** Asks Prometheus for the values that a variable offers, as Grafana does. */
export async function optionsOf(
  { query }: Variable,
  choices: Readonly<Record<string, Choice>>,
  prometheusUrl: string,
): Promise<string[]> {
  const [, selector, label] = /^label_values\((?:(.+),\s*)?(.+)\)\s*$/.exec(interpolate(query.query, choices)) ?? [];
  if (!selector || !label) throw new Error(`${query.query} is no label_values(selector, label)`);
  const parameters = new URLSearchParams({ "match[]": selector });
  const response = await fetch(`${prometheusUrl}/api/v1/label/${label}/values?${parameters}`);
  const { data, error } = (await response.json()) as { data: string[]; error?: string };
  if (!response.ok) throw new Error(`${error} in ${selector}`);
  return data;
}

/** The names of the series in a query. */
export function seriesIn(query: string): string[] {
  const bare = query.replaceAll(/`[^`]*`|"[^"]*"/g, "");
  return bare.match(/\b(?:maturity|http|nodejs|process)[:_][a-z0-9_:]+/g) ?? [];
}

/** The columns of a table after its transformations, given the labels that each of its queries answers with. */
export function columnsOf({ targets, transformations = [] }: Panel, labels: readonly (readonly string[])[]): string[] {
  const values = targets.map(({ refId }) => (targets.length > 1 ? `Value #${refId}` : "Value"));
  const renamed = Object.assign({}, ...transformations.map(({ options }) => options.renameByName));
  const known = [...new Set(labels.flat()), ...values];
  const unknown = Object.keys(renamed).filter((column) => !known.includes(column));
  if (unknown.length > 0) throw new Error(`no column ${unknown} to rename among ${known}`);
  return known.map((column) => renamed[column] ?? column);
}

/** The data links of a panel's columns. */
export function linksOf({ fieldConfig }: Panel): DataLink[] {
  const properties = fieldConfig?.overrides.flatMap(({ properties }) => properties) ?? [];
  return properties.filter(({ id }) => id === "links").flatMap(({ value }) => value as DataLink[]);
}
