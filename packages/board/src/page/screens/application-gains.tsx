import type { Lists } from "@maturity/client";
import { gainsOf } from "../data/gains.ts";
import { points } from "../format.ts";
import { Change } from "../parts/score.tsx";
import { hrefOf } from "../place.ts";

const mostShown = 5;

/** Which metrics would raise the score of an application most. */
export function FixFirst({
  app,
  scorecards,
}: {
  readonly app: Lists["/apps"];
  readonly scorecards: readonly Lists["/scorecards"][];
}) {
  const gains = gainsOf(app, scorecards).slice(0, mostShown);
  if (gains.length === 0) return null;
  return (
    <section class="card first" aria-labelledby="fix-first">
      <h2 id="fix-first">Fix first</h2>
      <p class="soft">By the points that the score gains, each with its smallest step.</p>
      <ol class="gains">
        {gains.map(({ scorecard, metric, title, score, reason, gain, step, inputs }) => (
          <li key={`${scorecard}.${metric}`}>
            <span class="by">
              <Change by={gain} />
            </span>
            <a href={hrefOf({ view: "metric", env: app.env ?? undefined, metric: `${scorecard}.${metric}` })}>
              {title}
            </a>
            <small>
              {metric} {points(score)} → 100
            </small>
            {reason && <p class="reason">{reason}</p>}
            {step && (step.score < 100 || step.inputs[1]) && (
              <p class="step">
                {step.inputs.map(({ field, from, to }, index) => {
                  const { label = field, unit } = inputs.find((input) => input.field === field) ?? {};
                  return (
                    <span key={field}>
                      {index > 0 && ", "}
                      <bdi title={field}>{label}</bdi> {valueText(from)} → {valueText(to)}
                      {unit && ` ${unit}`}
                    </span>
                  );
                })}{" "}
                {step.inputs[1] ? "together gain" : "gains"} <Change by={step.app_gain} />
              </p>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A value of an input: not every one is a score, and a fraction may need more than one digit. */
function valueText(value: number | boolean): string {
  return typeof value === "number" ? String(Number(value.toFixed(4))) : String(value);
}
