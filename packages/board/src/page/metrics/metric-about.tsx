import type { Metric } from "../data/metrics.ts";
import { Link } from "../screens/link.tsx";

type Input = Metric["inputs"][number];

/** What a metric measures, in the words of its scorecard; nothing where that says nothing. */
export function AboutMetric({ metric: { description, help, deprecated, inputs } }: { readonly metric: Metric }) {
  return (
    <>
      {deprecated !== null && (
        <p>
          Deprecated: <b dir="auto">{deprecated}</b> takes its place.
        </p>
      )}
      {description !== null && <p dir="auto">{description}</p>}
      {inputs.length > 0 && (
        <ul class="soft" aria-label="Inputs">
          {inputs.map((input) => (
            <li key={input.field} dir="auto">
              <b>{input.field}</b>
              {aboutInput(input)}
            </li>
          ))}
        </ul>
      )}
      {help !== null && (
        <p>
          How to improve it: <Link to={help} />
        </p>
      )}
    </>
  );
}

/** What bounds an input from here on only keeps nonsense out, and says nothing to a reader. */
const practicallyEndless = 1_000_000_000;

/** The label, unit, range and direction of an input, behind its name: `: high findings, from 0 to 100, lower is better`. */
export function aboutInput({ field, label, unit, min, max, better }: Input): string {
  const hasEnd = max !== null && max < practicallyEndless;
  const range = [min !== null && `from ${min.toLocaleString("en")}`, hasEnd && `to ${max.toLocaleString("en")}`];
  const parts = [
    label !== field && label,
    unit !== null && `in ${unit}`,
    range.filter(Boolean).join(" "),
    better !== null && `${better} is better`,
  ].filter(Boolean);
  return parts.length > 0 ? `: ${parts.join(", ")}` : "";
}
