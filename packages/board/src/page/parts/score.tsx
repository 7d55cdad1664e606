import type { ComponentChildren } from "preact";
import { count, percent, points, signed, stepOf, wholeScore } from "../format.ts";

export type State = "fresh" | "late" | "stale" | "missing" | "waived" | "not_applicable" | "announced";

/** The states in which a metric does not count, as they read. */
const uncounted: Readonly<Record<string, string>> = {
  ...{ waived: "waived", not_applicable: "exempt", announced: "announced" },
};

/** The shares of a whole that do not count. */
interface LeftOut {
  readonly waived: number;
  readonly exempt: number;
}

/** Why something does not count. */
export function whyLeftOut({ waived, exempt }: LeftOut): string {
  return [waived > 0 && "waived", exempt > 0 && "exempt by policy"].filter(Boolean).join(" or ");
}

/** What a thin score is. */
export const thin = "thin: a quarter of the weight reported, or less";

/** A score on its colour; a dash where there is none, which is never a 0. */
export function Heat({
  score,
  state = "fresh",
  waived = 0,
  why,
  whole,
  isThin = false,
  isExact = false,
}: {
  readonly score: number | undefined;
  readonly state?: State;
  /** The share of its weight that a waiver leaves out. */
  readonly waived?: number | undefined;
  /** Said of the state where there is more to say. */
  readonly why?: string | undefined;
  /** Where there is none because nothing of it counts: the shares that do not. */
  readonly whole?: LeftOut | false | undefined;
  /** Is it of a quarter of the weight, or less? */
  readonly isThin?: boolean | undefined;
  /** With a digit behind the point, where there is room for it. */
  readonly isExact?: boolean;
}) {
  if (score === undefined) {
    const text = uncounted[state] ?? "missing";
    if (whole) {
      return (
        <span class="heat none waived" title={`No score: ${whyLeftOut(whole)}`}>
          <span class="whole">{whole.exempt > 0 ? (whole.waived > 0 ? "left out" : "exempt") : "waived"}</span>
        </span>
      );
    }
    return (
      <span class={`heat none ${uncounted[state] ? "waived" : ""}`} title={why}>
        <span aria-hidden="true">–</span>
        <span class="sr">{why ?? text}</span>
      </span>
    );
  }
  const isAsUsual = state === "fresh" || state === "missing";
  const about = isAsUsual ? waived > 0 && `${percent(waived)} waived` : (why ?? uncounted[state] ?? state);
  const note = [about, isThin && thin].filter(Boolean).join(", ");
  return (
    <span
      class={`heat s${stepOf(score)} ${isAsUsual ? (waived > 0 ? "partly" : "") : uncounted[state] ? "waived" : state} ${isThin ? "thin" : ""}`}
      title={note ? `${points(score)}, ${note}` : points(score)}
    >
      {isExact ? points(score) : wholeScore(score)}
      {note && <span class="sr">, {note}</span>}
    </span>
  );
}

/**
 * How much of the weight has reported: solid what is fresh, hatched what is stale, dotted what is waived or exempt, empty
 * what never reported. The shares waived and exempt are of the whole, the others of the rest.
 */
export function WeightBar({
  reported,
  fresh,
  waived,
  exempt,
}: LeftOut & {
  readonly reported: number;
  readonly fresh: number;
}) {
  const counts = 1 - waived - exempt;
  const text = `${percent(reported)} reported, ${percent(fresh)} fresh${waived > 0 ? `, ${percent(waived)} waived` : ""}`;
  const widthOf = (share: number) => ({ width: `${Math.max(share, 0) * 100}%` });
  return (
    <span class="share" title={text}>
      <span class="bar" aria-hidden="true">
        <i class="fresh" style={widthOf(fresh * counts)} />
        <i class="stale" style={widthOf((reported - fresh) * counts)} />
        <i class="waived" style={widthOf(waived + exempt)} />
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
export function Open({ problems }: { readonly problems: number }) {
  return <span class={problems > 0 ? "down" : "same"}>{count(problems)}</span>;
}

/** How many problems of a severity are open, with a link to them. */
export function OpenFact({
  severity,
  problems,
  to,
}: {
  readonly severity: "critical" | "high";
  readonly problems: number;
  readonly to?: string;
}) {
  const label = `open ${severity} problem${problems === 1 ? "" : "s"}`;
  return (
    <Fact label={to ? <a href={to}>{label}</a> : label}>
      {severity === "critical" ? <Open problems={problems} /> : count(problems)}
    </Fact>
  );
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

/** The waived share of the numbers beside it, with a link to the waivers; empty where nothing is waived. */
export function WaivedFact({ share, to }: { readonly share: number; readonly to: string }) {
  return share > 0 ? <Fact label={<a href={to}>waived</a>}>{percent(share)}</Fact> : null;
}

/** The share that the policy exempts, with that of each part. */
export function ExemptFact({ share, parts }: { readonly share: number; readonly parts?: string }) {
  return share > 0 ? <Fact label={<span title={parts}>exempt by policy</span>}>{percent(share)}</Fact> : null;
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
