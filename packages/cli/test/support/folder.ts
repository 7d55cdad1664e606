import type { Files } from "../../../../test-support/trees.ts";
import type { CliOptions, Result } from "./cli.ts";
import { listeningService } from "./listening-service.ts";
import { checkov, gitleaks, lcov, semgrep, trivy } from "./sample-reports.ts";

/** What five tools left in the directory `reports`. */
export const fiveTools: Files = {
  "reports/checkov.json": checkov,
  "reports/gitleaks.json": gitleaks("main.tf"),
  "reports/semgrep.json": semgrep,
  "reports/trivy.json": trivy,
  "reports/unit/1/lcov.info": lcov("cart.ts", 1, 2, 3),
  "reports/unit/2/lcov.info": lcov("cart.ts", 3, 4, 5),
};

/** What they are for, where that is not plain. */
export const claims: readonly string[] = [
  ...["--metric", "lcov.info=unit_coverage"],
  ...["--problems", "gitleaks.json=repository_secret,high"],
  ...["--problems", "checkov.json=misconfiguration,medium"],
];

/** A command, behind its name, in a directory with these files; what it reports is of this application. */
type Command = (argv: readonly string[], files: Files, app?: string, options?: CliOptions) => Promise<Result>;

/** Commands that report directories to a service, which listens while the tests of a file run. */
export function folderCommands(): {
  readonly submit: Command;
  readonly detect: Command;
  /** What is stored for an application: metric → raw values, problem → count. */
  stored(app: string): Promise<Record<string, unknown>>;
} {
  const service = listeningService();
  const command =
    (name: string): Command =>
    (argv, files, app = "cart", options = {}) =>
      service.maturity([name, ...argv], files, { ...options, env: { MATURITY_APP: app } });
  return {
    submit: command("submit"),
    detect: command("detect"),
    async stored(app) {
      const of = async (table: "scores" | "problems") => (await service.rows(table)).filter((row) => row.app === app);
      return Object.fromEntries([
        ...(await of("scores")).map(({ metric, raw }) => [metric, raw]),
        ...(await of("problems")).map(({ problem_type, count }) => [problem_type, count]),
      ]);
    },
  };
}
