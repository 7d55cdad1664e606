import type { ComponentChildren } from "preact";
import { percent, points, signed, stepOf, wholeScore } from "../format.ts";

export type State = "fresh" | "late" | "stale" | "missing" | "waived";

/** A score on its colour; a dash where there is none, which is never a 0. */
export function Heat({ score, state = "fresh" }: { readonly score: number | undefined; readonly state?: State }) {
  if (score === undefined) {
    return (
      <span class="heat none">
        <span aria-hidden="true">–</span>
        <span class="sr">{state === "waived" ? "waived" : "missing"}</span>
      </span>
    );
  }
  const isAsUsual = state === "fresh" || state === "missing";
  return (
    <span
      class={`heat s${stepOf(score)} ${isAsUsual ? "" : state}`}
      title={isAsUsual ? points(score) : `${points(score)}, ${state}`}
    >
      {wholeScore(score)}
      {!isAsUsual && <span class="sr">, {state}</span>}
    </span>
  );
}

/**
 * How much of the weight has reported: solid what is fresh, hatched what is stale, dotted what is waived, empty what never
 * reported.
 *
 * @param waived a share of the whole; the others are shares of what is not waived
 */
export function Coverage({
  coverage,
  fresh,
  waived,
}: {
  readonly coverage: number;
  readonly fresh: number;
  readonly waived: number;
}) {
  const text = `${percent(coverage)} covered, ${percent(fresh)} fresh${waived > 0 ? `, ${percent(waived)} waived` : ""}`;
  const widthOf = (share: number) => ({ width: `${Math.max(share, 0) * 100}%` });
  return (
    <span class="share" title={text}>
      <span class="bar" aria-hidden="true">
        <i class="fresh" style={widthOf(fresh * (1 - waived))} />
        <i class="stale" style={widthOf((coverage - fresh) * (1 - waived))} />
        <i class="waived" style={widthOf(waived)} />
      </span>
      <span class="number">{percent(fresh)}</span>
      <span class="sr">{text}</span>
    </span>
  );
}

/** A difference in points: what fell stands out. */
export function Change({ by }: { readonly by: number | null | undefined }) {
  if (by === undefined || by === null) return <None />;
  const text = signed(by);
  const kind = text === "0" ? "same" : by < 0 ? "down" : "up";
  return <span class={kind}>{text}</span>;
}

/** A count that should be 0. */
export function Open({ count }: { readonly count: number }) {
  return <span class={count > 0 ? "down" : "same"}>{count}</span>;
}

export function None() {
  return (
    <>
      <span class="same" aria-hidden="true">
        –
      </span>
      <span class="sr">none</span>
    </>
  );
}

export type Severity = "critical" | "high" | "medium" | "low" | "info";

export function SeverityTag({ severity }: { readonly severity: Severity }) {
  return <span class={`tag ${severity}`}>{severity}</span>;
}

/** Figures at the head of a screen. */
export function Facts({ children }: { readonly children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>;
}

export function Fact({ label, children }: { readonly label: ComponentChildren; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
