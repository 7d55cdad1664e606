import type { Lists } from "@maturity/client";
import { count, plural } from "../format.ts";
import { Change, Fact, Facts } from "../parts/score.tsx";
import { type CauseTotal, causeTexts, moversOf, smallChange } from "./totals.ts";

/** The most packages and settings that are named. */
const mostNamed = 5;

/** How many applications fell and rose, and what each cause took and gave. */
export function CauseTotals({
  changes,
  totals,
  total,
}: {
  readonly changes: readonly Lists["/changes"][];
  readonly totals: readonly CauseTotal[];
  readonly total: number;
}) {
  const moved = (sign: 1 | -1) => changes.filter(({ change }) => (change ?? 0) * sign >= smallChange).length;
  if (changes.every(({ change }) => change === null)) return null;
  const movers = moversOf(changes);
  return (
    <>
      <Facts>
        <Fact label="fell by half a point or more">
          <span class={moved(-1) > 0 ? "down" : "same"}>{count(moved(-1))}</span>
        </Fact>
        <Fact label="rose">{count(moved(1))}</Fact>
        {totals.map(({ cause, apps, lost, gained }) => (
          <Fact key={cause} label={`${causeTexts[cause].toLowerCase()}, points in ${plural(apps, "application")}`}>
            <span class="row">
              {lost < 0 && <Change by={lost} />}
              {gained > 0 && <Change by={gained} />}
            </span>
          </Fact>
        ))}
      </Facts>
      {movers.length > 0 && (
        <p class="soft">
          Rules and policy moved by{" "}
          {movers.slice(0, mostNamed).map(([name, apps], index) => (
            <span key={name}>
              {index > 0 && "; "}
              <b>
                <bdi>{name}</bdi>
              </b>{" "}
              in {plural(apps, "application")}
            </span>
          ))}
          {movers.length > mostNamed && `; ${count(movers.length - mostNamed)} more`}.
        </p>
      )}
      {changes.length < total && (
        <p class="soft" role="note">
          Counted are the {count(changes.length)} of {plural(total, "application")} that are read.
        </p>
      )}
    </>
  );
}
