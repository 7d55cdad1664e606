import { count, plural } from "../format.ts";
import { Change, Fact, Facts } from "../parts/score.tsx";
import { type ChangeTotal, causeTexts } from "./causes.ts";

/** The most packages and settings that are named. */
const mostNamed = 5;

/** How many applications fell and rose, and what each cause took and gave. */
export function CauseTotals({ of: { fell, rose, moved, moved_by: movers } }: { readonly of: ChangeTotal }) {
  return (
    <>
      <Facts>
        <Fact label="fell by half a point or more">
          <span class={fell > 0 ? "down" : "same"}>{count(fell)}</span>
        </Fact>
        <Fact label="rose">{count(rose)}</Fact>
        {moved.map(({ cause, apps, lost, gained }) => (
          <Fact key={cause} label={`${causeTexts[cause].toLowerCase()}, summed over ${plural(apps, "application")}`}>
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
          {movers.slice(0, mostNamed).map(({ name, apps }, index) => (
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
    </>
  );
}
