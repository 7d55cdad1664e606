import { useSignal } from "@preact/signals";
import { useReading } from "../data/reading.ts";
import { hrefOf, place } from "../place.ts";
import { otherOf } from "./other.ts";

/** The most names that are offered, of what is near and of what is searched for. */
const [near, offered] = [40, 12];

interface Found {
  readonly area: string;
  readonly team: string | null;
  readonly app: string | null;
}

/** Chooses what is compared: the first team where none is chosen, otherwise what stands beside it. */
export function Choice({ env }: { readonly env: string }) {
  const words = useSignal("");
  const { area, team, app, other } = place.value;
  const q = words.value.trim();
  const isTeam = app === undefined;
  const search = useReading("/search", q === "" ? undefined : { q, limit: 50 }, { upTo: 50, refreshed: false });
  const isNear = q === "" && other === undefined;
  const { shared, neighbours } = useNeighbours(env, isNear);
  const isOther = (one: Found) =>
    one.team !== null &&
    (one.app === null) === isTeam &&
    (one.area !== area || one.team !== team || one.app !== (app ?? null));
  const found = (isNear ? neighbours : search?.answer.value?.items)?.filter(isOther);
  const hrefTo = (one: Found) =>
    team === undefined
      ? hrefOf({ view: "compare", env, area: one.area, team: one.team ?? undefined })
      : hrefOf({ view: "compare", env, area, team, app, other: otherOf(one) });
  return (
    <div class="compared">
      <label>
        {team === undefined ? (
          "The first team"
        ) : (
          <>
            {isTeam ? "Another team" : "Another application"} beside <bdi>{app ?? team}</bdi>
          </>
        )}{" "}
        <input
          type="search"
          value={words.value}
          placeholder="its name"
          onInput={({ currentTarget }) => {
            words.value = currentTarget.value;
          }}
        />
      </label>
      {found && (q !== "" || found.length > 0) && (
        <>
          <p role="status" class={isNear ? "soft" : "sr"}>
            {isNear ? (
              <>
                {isTeam ? "Teams" : "Applications"} of <bdi>{shared.at(-1) ?? "the organisation"}</bdi>, or any other by
                its name:
              </>
            ) : found.length === 0 ? (
              "nothing found"
            ) : (
              `${found.length} found`
            )}
          </p>
          <ul class={isNear ? "names near" : "names"}>
            {found.slice(0, isNear ? near : offered).map((one) => (
              <li key={otherOf(one)}>
                <a
                  href={hrefTo(one)}
                  onClick={() => {
                    words.value = "";
                  }}
                >
                  {namesOf(one)
                    .slice(isNear ? shared.length : 0)
                    .map((name, index) => (
                      <span key={index}>
                        {index > 0 && " / "}
                        <bdi>{name}</bdi>
                      </span>
                    ))}
                </a>
              </li>
            ))}
            {found.length === 0 && (
              <li class="soft">No {isTeam ? "other team" : "other application"} has this in its name.</li>
            )}
          </ul>
        </>
      )}
    </div>
  );
}

function namesOf({ area, team, app }: Found): readonly string[] {
  return [area, team, app].filter((name) => name !== null);
}

/** The teams of the same area, or the applications of the same team; those around where it has no other. */
function useNeighbours(env: string, isWanted: boolean) {
  const { area, team, app } = place.value;
  const isTeam = app === undefined;
  const own = [area, ...(isTeam ? [] : [team])].flatMap((name) => name ?? []);
  const close = useGroups(env, isTeam, isWanted ? own : undefined);
  const isAlone = close !== undefined && own.length > 0 && close.total <= (team === undefined ? 0 : 1);
  const wide = useGroups(env, isTeam, isAlone ? own.slice(0, -1) : undefined);
  const found = isAlone ? wide : close;
  return {
    /** The names that all of them have. */
    shared: isAlone ? own.slice(0, -1) : own,
    neighbours: found?.items.map(
      (one): Found => ({ area: one.area, team: one.team, app: "app" in one ? one.app : null }),
    ),
  };
}

function useGroups(env: string, isTeam: boolean, names: readonly string[] | undefined) {
  const [area, team] = names ?? [];
  const query = { env, area, team, sort: "name", limit: near + 1 };
  const options = { upTo: near + 1, refreshed: false };
  return useReading<"/teams" | "/apps">(isTeam ? "/teams" : "/apps", names && query, options)?.answer.value;
}
