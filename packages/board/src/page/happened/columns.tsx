import type { AuditEntry } from "@maturity/client";
import { date, moment } from "../format.ts";
import type { Column } from "../parts/column.ts";
import { breakable } from "../parts/grid.tsx";
import { hrefOf, place } from "../place.ts";

/** When something was done, by whom, and what. */
export function happenedColumns(env: string, isNarrow: boolean): readonly Column<AuditEntry>[] {
  return [
    {
      id: "what",
      head: "What",
      kind: "name",
      value: ({ text }) => text,
      show: (entry) => (
        <>
          <bdi class={isNarrow ? "lines" : undefined}>{breakable(entry.text)}</bdi>
          {isNarrow && (
            <small class="below">
              <bdi>{nameOf(entry)}</bdi>
            </small>
          )}
        </>
      ),
      href: (entry) => hrefOfThing(entry, env),
    },
    {
      id: "who",
      head: "Who",
      kind: "text",
      width: 220,
      isMinor: true,
      value: ({ actor }) => actor,
      show: (entry) => <bdi>{nameOf(entry)}</bdi>,
      href: ({ actor }) => hrefOf({ ...place.peek(), who: actor }),
    },
    {
      id: "when",
      head: "When",
      kind: "time",
      isDown: true,
      rank: ({ id }) => id,
      value: ({ at }) => at,
      show: ({ at }) => (
        <time dateTime={at} title={moment(Date.parse(at))}>
          {date(at)}
        </time>
      ),
    },
  ];
}

/** The actor, without the provider at which a person signed in. */
function nameOf({ actor }: AuditEntry): string {
  return actor.replace(/ \(https?:[^)]*\)$/, "");
}

/** Where the thing stands that was changed. */
function hrefOfThing({ action, area, team, app, env: own, at, details }: AuditEntry, env: string): string {
  const { id, to } = details as { readonly id?: string; readonly to?: Readonly<Record<string, string>> };
  const names = (of: Readonly<Record<string, string | null | undefined>>) => ({
    ...{ env: own ?? env, area: of.area ?? undefined, team: of.team ?? undefined, app: of.app ?? undefined },
  });
  const [kind] = action.split(".");
  if (kind === "campaign") return hrefOf({ view: "campaign", env, campaign: id });
  if (kind === "waiver") return hrefOf({ view: "waivers", ...names({ area, team, app }), ended: "1" });
  if (action === "policy.load" || action === "replay.apply") {
    return hrefOf({ view: "changes", env, since: at.slice(0, 10) });
  }
  if (action === "app.retire") return hrefOf(names({ area, team }));
  return hrefOf(names(to ?? { area, team, app }));
}
