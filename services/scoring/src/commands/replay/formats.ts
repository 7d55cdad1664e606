import { type Columns, csvHeader, csvRow, fields } from "../../lists/csv.ts";
import type { Replay } from "../../replay/replay.ts";
import type { ChangedApp } from "../../rollups/changed-apps.ts";
import { pointsOf } from "./drop.ts";
import { replayMarkdown } from "./markdown.ts";
import { replayText } from "./text.ts";

const columns: Columns<ChangedApp> = {
  ...fields<ChangedApp, "area" | "team" | "app" | "env">("area", "team", "app", "env"),
  score_before: ({ score }) => score.from,
  score_after: ({ score }) => score.to,
  change: pointsOf,
  level_before: ({ level }) => level.from,
  level_after: ({ level }) => level.to,
  unmet: ({ unmet }) => unmet,
};

export type Format = "text" | "markdown" | "csv" | "json";

/** How a replay is told. CSV has a line for each application that changes. */
export const formats: Readonly<Record<Format, (replay: Replay) => string>> = {
  text: replayText,
  markdown: replayMarkdown,
  csv: ({ changed }) => csvHeader(columns) + changed.map((one) => csvRow(columns, one)).join(""),
  json: (replay) => `${JSON.stringify(replay, null, 2)}\n`,
};
