import type { Badge, BadgeRequest } from "@maturity/client";
import type { Flags } from "@maturity/command-line/flags";
import { printable } from "@maturity/command-line/terminal";
import { UsageError } from "@maturity/command-line/usage-error";
import { metricNamed } from "@maturity/report-files/metric-name";
import { listCommand } from "../asking/list-command.ts";
import { type ListTable, named } from "../asking/lists.ts";
import type { CommandModule } from "../command.ts";
import { decidingCommand } from "../deciding/consent.ts";
import { findById, isWholeId, requireId, shownId } from "../deciding/find-by-id.ts";
import { addAppNames, namesOf, requireAppNames } from "../deciding/named.ts";
import { settingsOf } from "../settings-file.ts";

const table: ListTable = {
  noun: "badge",
  open: (client, query) => client.badges(query),
  columns: () => [
    { title: "id", text: ({ id }: Badge) => id.slice(0, shownId), isNumber: true },
    ...named<Badge>("area", "team", "app", "env"),
    { title: "shows", text: subjectOf },
    { title: "address", text: ({ svg }: Badge) => svg },
  ],
};

function subjectOf({ shows, scorecard, metric }: Pick<Badge, "shows" | "scorecard" | "metric">): string {
  return shows === "metric" ? `${scorecard}.${metric}` : shows;
}

/** `maturity badge list`: the badges that are not revoked. */
export const badgeList: CommandModule = listCommand({
  description: "Lists badges, which are images that everybody can read who has their address.",
  table: () => table,
  examples: [["those of an application", "maturity badge list --area shop --team checkout --app cart"]],
});

/** `maturity badge create`: makes a badge, and prints it in Markdown. */
export const badgeCreate: CommandModule = decidingCommand<BadgeRequest | Badge>({
  description:
    "Makes a badge for a README, or finds the one that shows the same. It needs a token with the scope badge:write. Everybody who has the address can read what it shows, and nothing else.",
  define(command) {
    addAppNames(command, "Of which application");
    command
      .option("--env <name>", "in this environment")
      .optionsGroup("What it shows, by default the application score:")
      .option("--level", "the level")
      .option("-m, --metric <name>", "the score of this metric: secret_scan, or cost.budget");
  },
  read(_, flags, context, output) {
    const request = requestOf(flags);
    return async (client) => {
      const { url } = await settingsOf(flags, context);
      return {
        act: async (dryRun) => (dryRun ? { dry_run: true, ...request } : client.makeBadge(request)),
        show(one) {
          const of = printable(`${one.area}/${one.team}/${one.app} (${one.env})`);
          if (!("id" in one)) {
            output.line(`would make a badge of ${of}, which everybody can read who has its address`);
            return true;
          }
          const base = String(url?.value ?? "").replace(/\/+$/, "");
          output.line(`made the badge ${one.id.slice(0, shownId)} of ${of}; in Markdown:`);
          output.line(`[![maturity](${base}${one.svg})](${base}/)`);
          return true;
        },
      };
    };
  },
  examples: [["the level", "maturity badge create --area shop --team checkout --app cart --env prod --level --yes"]],
});

/** @throws UsageError for flags that say no badge */
function requestOf(flags: Flags): BadgeRequest {
  const app = requireAppNames(flags);
  const { env } = namesOf(flags, ["env"]);
  if (env === undefined) throw new UsageError("give --env too: a badge shows an application in one environment");
  if (flags.level && flags.metric !== undefined) throw new UsageError("give --level or --metric, not both");
  if (flags.metric !== undefined) return { ...app, env, shows: "metric", ...metricNamed(String(flags.metric)) };
  return { ...app, env, shows: flags.level ? "level" : "score" };
}

/** `maturity badge revoke`: makes the address of a badge lead nowhere. */
export const badgeRevoke: CommandModule = decidingCommand<Partial<Badge>>({
  description: "Revokes a badge: within five minutes its address leads nowhere.",
  define: (command) => command.argument("<id>", "of the badge, or as much of it as maturity badge list shows"),
  read([id = ""], _, __, output) {
    requireId("badge", id);
    return async (client) => {
      const lists = "it may be revoked already; maturity badge list";
      const whole = isWholeId(id) ? id : (await findById("badge", id, [client.badges()], lists)).id;
      return {
        act: async (dryRun) => (dryRun ? { id: whole } : client.revokeBadge(whole)),
        show(_, dryRun) {
          output.line(`${dryRun ? "would revoke" : "revoked"} the badge ${whole}`);
          return true;
        },
      };
    };
  },
  examples: [["revoke one", "maturity badge revoke 0195e1f4 --yes"]],
});
