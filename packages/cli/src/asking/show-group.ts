import type { Area, Team } from "@maturity/client";
import type { Output } from "@maturity/command-line/output";
import { scoreText, shareText } from "@maturity/command-line/score-text";
import { printable } from "@maturity/command-line/terminal";
import { metricText } from "@maturity/report-files/metric-name";
import { pointsText } from "@maturity/run-summary/points";
import { thinText } from "./show-status.ts";
import { headingOf } from "./words.ts";

/** How many metrics are shown without `--all`, and how many applications of each, and of all of them. */
const most = 5;

type Share = NonNullable<Team["gains"]>["apps"][number];

/** Prints what a team or an area scores, and what it gains by better results: by metric, and by application. */
export function showGroup(group: Team | Area, all: boolean, output: Output): void {
  const { colors } = output;
  const isTeam = "team" in group;
  const { count, lowest } = group;
  output.line(headingOf(isTeam ? [group.area, group.team, group.env] : [group.area, group.env], group, output));
  const noun = isTeam ? "application" : "team";
  const parts = count === 1 ? `1 ${noun}` : `${count} ${noun}s, the lowest ${scoreText(lowest)}`;
  output.line(`average of ${parts}; reported ${shareText(group.reported)}, fresh ${shareText(group.fresh)}`);
  if (group.thin) output.line(thinText);
  const { gains } = group;
  // An older service sends none.
  if (!gains) return;
  const nameOf = ({ team, app }: Share) => (isTeam ? app : `${team} / ${app}`);
  const named = (shares: readonly Share[], total: number, points: (share: Share) => number) => {
    const shown = shares.slice(0, most).map((share) => `${nameOf(share)} ${pointsText(points(share))}`);
    return [...shown, ...(total > shown.length ? [`${total - shown.length} more`] : [])].join(", ");
  };
  if (gains.metrics.length > 0) {
    output.section(`What to fix first, by the points that the score of the ${isTeam ? "team" : "area"} gains`);
  }
  for (const metric of gains.metrics.slice(0, all ? Number.POSITIVE_INFINITY : most)) {
    const where = metric.count === 1 ? "1 application" : `${metric.count} applications`;
    const name = colors.bold(printable(metricText(metric)));
    output.line(`${name} in ${where} gains ${pointsText(metric.gain)}`);
    output.paragraph(
      named(metric.apps, metric.count, ({ gain }) => gain),
      "  ",
    );
  }
  const others = gains.metrics.slice(all ? gains.metrics.length : most);
  const rest = others.map((metric) => `${metricText(metric)} (${pointsText(metric.gain)})`).join(", ");
  if (others.length > 0) output.paragraph(`and ${rest}; --all shows their applications`, "", colors.dim);
  if (gains.apps.length < 2) return;
  output.section("By application, if all that it reported scores 100");
  output.paragraph(
    named(gains.apps, gains.count, ({ gain }) => gain),
    "  ",
  );
}
