import type { Lists } from "@maturity/client";
import type { ComponentChildren } from "preact";
import { addressOf } from "../data/ask.ts";
import { useReading } from "../data/reading.ts";
import { session } from "../data/session.ts";
import { Command } from "../parts/command.tsx";

interface Names {
  readonly area: string;
  readonly team: string;
  readonly app: string;
  readonly env: string;
}

/** The command that reports a first result of an application, behind what is said of it; nothing if no metric has examples. */
export function FirstReport({ of, children }: { readonly of: Names; readonly children: ComponentChildren }) {
  const result = exampleOf(useReading("/scorecards", {})?.answer.value?.items ?? []);
  return (
    result && (
      <>
        {children}
        <Command text={commandOf(of, result)} />
      </>
    )
  );
}

/** What the service says of a result, as far as it matters here. */
interface RawSchema {
  readonly properties?: Readonly<Record<string, { readonly examples?: readonly unknown[] }>>;
  readonly required?: readonly string[];
}

/** A result of the first metric that has an example of each value it needs. */
function exampleOf(scorecards: readonly Lists["/scorecards"][]) {
  for (const { scorecard, metrics } of scorecards) {
    for (const { metric, raw } of metrics) {
      const { properties = {}, required = [] }: RawSchema = raw;
      const values = required.map((name) => [name, properties[name]?.examples?.[0]] as const);
      if (values.length > 0 && values.every(([, value]) => value !== undefined)) return { scorecard, metric, values };
    }
  }
  return undefined;
}

/** Names may hold anything. */
function commandOf(
  { area, team, app, env }: Names,
  { scorecard, metric, values }: NonNullable<ReturnType<typeof exampleOf>>,
): string {
  const authorization = session.value ? ` \\\n  -H "authorization: Bearer $MATURITY_TOKEN"` : "";
  const raw = values.map((entry) => entry.map((part) => JSON.stringify(part)).join(": ")).join(", ");
  const body = `{
  "area": ${JSON.stringify(area)}, "team": ${JSON.stringify(team)},
  "app": ${JSON.stringify(app)}, "env": ${JSON.stringify(env)},
  "scorecard": ${JSON.stringify(scorecard)}, "metric": ${JSON.stringify(metric)},
  "raw": { ${raw} }
}`;
  return `curl ${addressOf("/score")} \\
  -H 'content-type: application/json'${authorization} -d '${body.replaceAll("'", "'\\''")}'`;
}
