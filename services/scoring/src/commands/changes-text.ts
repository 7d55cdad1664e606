import { noLevel } from "../model/level.ts";
import type { ChangedSetting } from "../policy/recorded.ts";
import { type ChangedApp, type ChangedApps, isMoved } from "../rollups/changed-apps.ts";
import { printable } from "./print.ts";
import { table } from "./table.ts";

/** Settings that differ, as a table of a terminal. */
export function settingsTable(settings: readonly ChangedSetting[]): string {
  return table([["SETTING", "FROM", "TO"], ...settings.map((one) => settingCells(one).map(printable))]);
}

/** A setting and its two values, as texts. */
export function settingCells({ setting, from, to }: ChangedSetting): string[] {
  const nothing = setting.startsWith("max_age_hours.") ? "never" : "-";
  const shown = (value: unknown) => (value === null ? nothing : String(value));
  return [setting, shown(from), shown(to)];
}

/** Most applications that the text lists. */
const maxListed = 50;

/** Applications that change, as a sentence and a table of a terminal. */
export function appsText({ applications, changed }: ChangedApps): string {
  const rows = changed.slice(0, maxListed).map((one) => appCells(one).map(printable));
  const more = changed.length - rows.length;
  return [
    `${appsSentence({ applications, changed })}\n`,
    ...(rows.length > 0 ? ["\n", table([["APP", "SCORE", "LEVEL", "NEXT"], ...rows])] : []),
    ...(more > 0 ? [`and ${more} more; --format json lists them all\n`] : []),
  ].join("");
}

/** How many applications change, and in what. */
export function appsSentence({ applications, changed }: ChangedApps): string {
  const count = (holds: (one: ChangedApp) => boolean) => changed.filter(holds).length;
  const [up, down] = [count(({ rise }) => rise > 0), count(({ rise }) => rise < 0)];
  return `Of ${applications} applications ${count(isMoved)} get another score; ${up} rise to a higher level, ${down} fall to a lower one.`;
}

/** An application, its scores, its levels and what it needs for the next one, as texts. */
export function appCells({ area, team, app, env, score, level, unmet }: ChangedApp): string[] {
  const levels = level.from === level.to ? (level.to ?? noLevel) : `${level.from ?? noLevel} -> ${level.to ?? noLevel}`;
  const shown = (one: number | null) => one?.toFixed(2) ?? "none";
  return [`${area}/${team}/${app} (${env})`, `${shown(score.from)} -> ${shown(score.to)}`, levels, unmet ?? "-"];
}
