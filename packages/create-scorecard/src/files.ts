import type { Answers } from "./answers.ts";
import { Identifiers } from "./identifiers.ts";
import { projectFiles } from "./template/project.ts";
import { scorecardFile, testFile } from "./template/scorecard.ts";

/** The files of a scorecard: path in its folder → text. The answers are taken as checked. */
export function filesOf(answers: Answers): Record<string, string> {
  const identifiers = new Identifiers();
  const scorecard = identifiers.take(answers.scorecard, "Scorecard");
  const metrics = answers.metrics.map((metric) => ({ ...metric, identifier: identifiers.take(metric.name, "Metric") }));
  return {
    ...projectFiles(answers),
    "index.js": scorecardFile(answers, scorecard, metrics),
    "index.test.js": testFile(scorecard, metrics),
  };
}
