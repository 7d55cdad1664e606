import { join, resolve } from "node:path";
import { createEngine, type Engine } from "@maturity/core";
import { scorerOf } from "@maturity/core/wire";
import { isScorecardFile } from "@maturity/scorecard-file";
import { InvalidArgumentError, Option } from "commander";
import { type Columns, csvHeader, csvRow, fields } from "../lists/csv.ts";
import { OperatorError } from "../model/errors.ts";
import type { NameFilter } from "../model/target-filter.ts";
import { loadRules } from "../policy/policy-file.ts";
import { changesBetween, type RecordedRules, readRulesInForce, recordedOf } from "../policy/recorded.ts";
import type { Rules } from "../policy/rules.ts";
import { applyReplay, unendedReplay } from "../replay/apply.ts";
import { createReplay, type Replay, type ReplayRules } from "../replay/replay.ts";
import { chooseScores, type MetricOptions, type ScoreChoice } from "../replay/score-choice.ts";
import type { ChangedApp } from "../rollups/changed-apps.ts";
import { readStoredScores } from "../rollups/stored-scores.ts";
import type { Database } from "../store/database.ts";
import { actorOf } from "./actor.ts";
import type { Context, Define, Env } from "./command.ts";
import { parseConfig } from "./config.ts";
import { addName } from "./names.ts";
import { print, printable } from "./print.ts";
import { replayFile } from "./replay-file.ts";
import { replayMarkdown } from "./replay-markdown.ts";
import { replayText } from "./replay-text.ts";
import { largestDrop, pointsOf } from "./replay-words.ts";
import { declaredEngine, locateScorecard } from "./serve/scorecards.ts";

/** Scores stored results again with the installed packages, and shows what would change. */
export const defineReplay: Define = (command, context) => {
  const names = (flags: string, description: string) => new Option(flags, description).argParser(addName);
  command
    .addOption(
      new Option("--format <format>", "the format of the output")
        .choices(["text", "markdown", "csv", "json"])
        .default("text"),
    )
    .addOption(names("--area <area>", "only this area; like all filters, it may be given several times"))
    .addOption(names("--team <team>", "only this team"))
    .addOption(names("--app <app>", "only this application"))
    .addOption(names("--env <env>", "only this environment"))
    .addOption(names("--scorecard <name>", "scores only this scorecard again"))
    .addOption(names("--metric <name>", "scores only this metric again, dast or security.dast"))
    .option("--max-drop <points>", "ends with exit code 1 if an application falls by more points", points)
    .option("--before <directory>", "a folder where the former packages are installed, to show their reasons too")
    .addOption(new Option("--from <file>", "reads a file that export wrote instead of the database").conflicts("apply"))
    .option("--apply", "writes the new scores; the times of their results stay")
    .addHelpText("after", about)
    .action((options: ReplayOptions) => runReplay(options, context));
};

function points(text: string): number {
  if (!/^\d+(?:\.\d+)?$/.test(text)) throw new InvalidArgumentError("It must be a number of points, such as 10.");
  return Number(text);
}

const about = `
Without --apply it only reads, from DATABASE_READ_URL if that is set, and DATABASE_URL itself may name a replica. The packages are those of
SCORECARDS, searched from the current folder first, so that a package in development there is found by its name. An export
has no weights: with --from, both sides use the weights of today, or the former side those of the packages in --before.`;

const columns: Columns<ChangedApp> = {
  ...fields<ChangedApp, "area" | "team" | "app" | "env">("area", "team", "app", "env"),
  score_before: ({ score }) => score.from,
  score_after: ({ score }) => score.to,
  change: pointsOf,
  level_before: ({ level }) => level.from,
  level_after: ({ level }) => level.to,
  unmet: ({ unmet }) => unmet,
};

type Format = "text" | "markdown" | "csv" | "json";

/** Renders a replay in each format. CSV has a line for each application that changes. */
const formats: Readonly<Record<Format, (replay: Replay) => string>> = {
  text: replayText,
  markdown: replayMarkdown,
  csv: ({ changed }) => csvHeader(columns) + changed.map((app) => csvRow(columns, app)).join(""),
  json: (replay) => `${JSON.stringify(replay, null, 2)}\n`,
};

/** The options of the command line. */
interface ReplayOptions extends NameFilter, MetricOptions {
  readonly format: Format;
  readonly maxDrop?: number;
  /** The folder with the former packages. */
  readonly before?: string;
  readonly apply?: true;
  /** The file of an export, to read instead of the database. */
  readonly from?: string;
}

/**
 * Runs `replay`. `--max-drop` is checked before anything is written.
 *
 * @throws OperatorError after the output, if an application falls by more than is allowed, or if some scores could not be written
 */
async function runReplay(options: ReplayOptions, context: Context): Promise<void> {
  if (options.from !== undefined) return runOnFile(options.from, options, context);
  let fault: string | undefined;
  await context.onDatabase(
    async (database) => {
      const { replay, engine, choice } = await replayDatabase(database, options, context.io.env);
      fault = emptyFault(replay, options) ?? dropFault(replay, options.maxDrop);
      if (options.apply && !fault) fault = await apply(database, { engine, choice, options }, context);
      return formats[options.format](replay);
    },
    options.apply ? "write" : "read",
  );
  if (fault) throw new OperatorError(fault);
}

async function runOnFile(file: string, options: ReplayOptions, { io }: Context): Promise<void> {
  const { rules, choice } = await prepare(options, io.env);
  const { former: formerEngine, after } = rules;
  // An export has no weights. Without the former packages, both sides have those of today.
  const before = formerEngine ? await loadRules(io.env.POLICY || undefined, formerEngine.scorecards) : after;
  const found = await replayFile(file, { ...rules, before }, { filter: filterOf(options), choice });
  const compared_by = formerEngine ? "before" : "now";
  const replay = { ...found, compared_by, in_force_since: null, ...changesOf(recordedOf(before), rules) } as const;
  await print([formats[options.format](replay)], io.stdout);
  const fault = unnamedFault(replay) ?? emptyFault(replay, options) ?? dropFault(replay, options.maxDrop);
  if (fault) throw new OperatorError(fault);
}

interface Replayed {
  readonly replay: Replay;
  readonly engine: Engine;
  readonly choice: ScoreChoice;
}

async function replayDatabase(database: Database, options: ReplayOptions, env: Env): Promise<Replayed> {
  const last = await readRulesInForce(database);
  const { rules, choice } = await prepare(options, env);
  const before = last ?? rules.after;
  const chosen = { filter: filterOf(options), rawOf: choice.installed };
  const found = await readStoredScores(database, chosen, () => createReplay({ ...rules, before }, choice));
  const weights = { compared_by: last ? "recorded" : "now", in_force_since: last?.since ?? null } as const;
  const replay = { ...found, ...weights, ...changesOf(last?.record, rules) };
  return { replay, engine: rules.engine, choice };
}

interface Prepared {
  readonly rules: Omit<ReplayRules, "before" | "after"> & { readonly after: Rules };
  readonly choice: ScoreChoice;
}

/** Loads the installed and the former packages, and chooses the scores by the options. */
async function prepare(options: ReplayOptions, env: Env): Promise<Prepared> {
  const declared = await declaredEngine(env);
  const after = await loadRules(env.POLICY || undefined, declared.scorecards);
  const engine = createEngine(after.scorecards);
  const former = options.before === undefined ? undefined : await engineBefore(env, options.before);
  return { rules: { after, engine, former }, choice: chooseScores(engine.scorecards, options) };
}

function changesOf(before: RecordedRules | undefined, { after, engine }: Prepared["rules"]) {
  const now = recordedOf(after);
  return { scorers: engine.scorecards.map(scorerOf), settings: changesBetween(before ?? now, now) };
}

/** Writes the new scores, and prints their number. Returns the fault if some could not be written. */
async function apply(
  database: Database,
  { engine, choice, options }: Omit<Replayed, "replay"> & { readonly options: ReplayOptions },
  { io }: Context,
): Promise<string | undefined> {
  const { area, team, app, env, scorecard, metric } = options;
  const unended = await unendedReplay(database);
  if (unended) {
    io.stderr.write(
      `The replay that ${printable(unended.actor)} began at ${unended.at.toISOString()} has no end in the audit: it still runs, or ` +
        "was ended early. This replay writes the rest of the chosen scores.\n",
    );
  }
  const { written, left } = await applyReplay(database, engine, {
    ...{ filter: filterOf(options), choice, actor: actorOf() },
    unended,
    hasHistory: parseConfig(io.env, ["HISTORY_DAYS"]).historyDays > 0,
    details: { scorers: engine.scorecards.map(scorerOf), filter: { area, team, app, env, scorecard, metric } },
  });
  io.stderr.write(`Scores written: ${written}.\n`);
  if (left === 0) return undefined;
  return `${left} scores are being reported by instances with other packages, or are locked; restart those instances, and run it again`;
}

/** @throws OperatorError if the folder has no other scorecards: those of today would be compared with themselves */
async function engineBefore(env: Env, directory: string): Promise<Engine> {
  const entries = parseConfig(env, ["SCORECARDS"]).scorecards;
  const isOther = resolve(directory) !== process.cwd();
  if (isOther && entries.every((name) => locateScorecard(name, directory) === locateScorecard(name, process.cwd()))) {
    const last = String(entries.at(-1));
    throw new OperatorError(
      `--before: ${directory} holds no package or file of SCORECARDS that is not in the current folder too; ${
        isScorecardFile(last)
          ? `put the former file there, as ${join(directory, last)}`
          : `install a release there, such as npm install --prefix ${directory} ${last}@latest`
      }`,
    );
  }
  return declaredEngine(env, directory);
}

function filterOf({ area, team, app, env }: ReplayOptions): NameFilter {
  return { ...(area && { area }), ...(team && { team }), ...(app && { app }), ...(env && { env }) };
}

/** The fault of a file none of whose scores has an installed metric: without scores, no fall could be found. */
function unnamedFault({ scores }: Replay): string | undefined {
  if (scores.scores > 0 || scores.not_installed === 0) return undefined;
  return "no package of SCORECARDS has a metric of these scores; it must name the packages of the service";
}

/** The fault of names that no score has, such as misspelt ones: they would pass every gate. */
function emptyFault({ scores }: Replay, options: ReplayOptions): string | undefined {
  const filter = Object.entries(filterOf(options));
  if (filter.length === 0 || scores.scores + scores.not_installed > 0) return undefined;
  return `no score has ${filter.map(([name, values]) => `--${name} ${values.join(" or ")}`).join(" and ")}`;
}

/** The fault of an application that falls by more points than `--max-drop` allows. */
function dropFault({ changed }: Replay, maxDrop: number | undefined): string | undefined {
  const worst = largestDrop(changed);
  if (maxDrop === undefined || !worst || worst.points <= maxDrop) return undefined;
  return `${worst.name} falls by ${worst.points} points; --max-drop allows ${maxDrop}`;
}
