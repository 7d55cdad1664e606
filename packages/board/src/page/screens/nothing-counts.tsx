import { useReading } from "../data/reading.ts";
import { plural } from "../format.ts";
import { NothingMatches } from "../parts/heading.tsx";
import { Notice, Read } from "../parts/states.tsx";
import { hrefOf, place } from "../place.ts";

/**
 * Why an area or the organisation has no score in an environment: no application reported what counts, or none at all.
 *
 * @param silent how many applications are registered and have never reported
 */
export function NothingCounts({ env, silent }: { readonly env: string; readonly silent: number }) {
  const { area } = place.value;
  const reported = useReading("/apps", { env, area, reported: true, limit: 1 }, { upTo: 1 });
  return (
    <Read reading={reported}>
      {({ total }) =>
        total > 0 ? (
          <Notice title="Nothing that counts">
            <p>
              {plural(total, "application has", "applications have")} reported in <bdi>{env}</bdi>, and nothing that
              counts: results are waived or exempt by policy, or there are only problems. So there is no score.
            </p>
            <p>
              <a href={hrefOf({ view: "applications", env, area })}>Which applications</a>,{" "}
              <a href={hrefOf({ view: "problems", env, area })}>which problems are open</a>,{" "}
              <a href={hrefOf({ view: "waivers", env, area })}>who waived it, and why</a>
            </p>
          </Notice>
        ) : (
          <NothingMatches what="No application has reported" env={env}>
            {silent > 0 && (
              <p>
                <a href={hrefOf({ view: "applications", env, area, silent: "1" })}>
                  {plural(silent, "application is", "applications are")} registered and never reported
                </a>
              </p>
            )}
          </NothingMatches>
        )
      }
    </Read>
  );
}
