import { shownTarget } from "../model/app-name.ts";
import { noLevel } from "../model/level.ts";
import type { ChangedSetting } from "../policy/recorded.ts";
import { type ChangedApp, type ChangedApps, type ExemptedApp, isChanged } from "../rollups/changed-apps.ts";
import { printable } from "./print.ts";
import { table } from "./table.ts";

/** A table, for a terminal, of the settings that differ. */
export function settingsTable(settings: readonly ChangedSetting[]): string {
  return table([["SETTING", "FROM", "TO"], ...settings.map((setting) => settingCells(setting).map(printable))]);
}

/** The cells of a setting: its name and its two values. */
export function settingCells({ setting, from, to }: ChangedSetting): string[] {
  const nothing = setting.startsWith("max_age_hours.") ? "never" : "-";
  const shown = (value: unknown) => (value === null ? nothing : String(value));
  return [setting, shown(from), shown(to)];
}

/** The largest number of applications that the text lists. */
const maxListed = 50;

/** A table, for a terminal, of the first applications, and how many more there are. */
function listed<App>(head: string[], apps: readonly App[], cellsOf: (app: App) => string[]): string {
  const rows = apps.slice(0, maxListed).map((app) => cellsOf(app).map(printable));
  const more = apps.length - rows.length;
  return table([head, ...rows]) + (more > 0 ? `and ${more} more; --format json lists them all\n` : "");
}

/** A sentence and a table, for a terminal, about the applications that change. */
export function appsText(apps: ChangedApps): string {
  const sentence = `${appsSentence(apps)}\n`;
  if (apps.changed.length === 0) return sentence;
  return `${sentence}\n${listed(["APP", "SCORE", "LEVEL", "NEXT"], apps.changed, appCells)}`;
}

/** A sentence with the numbers of applications whose score or level changes. */
export function appsSentence({ applications, changed }: ChangedApps): string {
  const count = (holds: (app: ChangedApp) => boolean) => changed.filter(holds).length;
  const [up, down] = [count(({ rise }) => rise > 0), count(({ rise }) => rise < 0)];
  return `Of ${applications} applications ${count(isChanged)} get another score; ${up} rise to a higher level, ${down} fall to a lower one.`;
}

/** A sentence and a table, for a terminal, about the applications that begin or cease to be exempt; empty without any. */
export function exemptedText(exempted: readonly ExemptedApp[]): string {
  if (exempted.length === 0) return "";
  const list = listed(["APP", "EXEMPT FROM", "NO LONGER EXEMPT FROM"], exempted, ({ begins, ends, ...target }) => [
    shownTarget(target),
    begins.join(", ") || "-",
    ends.join(", ") || "-",
  ]);
  return `\n${exempted.length} applications begin or cease to be exempt:\n\n${list}`;
}

/** The cells of an application: its name, scores, levels and the conditions of the next level that it misses. */
export function appCells({ score, level, unmet, ...target }: ChangedApp): string[] {
  const levels = level.from === level.to ? (level.to ?? noLevel) : `${level.from ?? noLevel} -> ${level.to ?? noLevel}`;
  const shown = (score: number | null) => score?.toFixed(2) ?? "none";
  return [shownTarget(target), `${shown(score.from)} -> ${shown(score.to)}`, levels, unmet ?? "-"];
}
