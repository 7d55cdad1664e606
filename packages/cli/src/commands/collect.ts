import { UsageError } from "@maturity/command-line/usage-error";
import { addExamples, addServiceFlags, type CommandModule, collect as repeated } from "../command.ts";
import { addSummaryFlag } from "../summary.ts";

/** `maturity collect`: runs queries on Prometheus and PostgreSQL, and sends their results. */
export const collect: CommandModule = {
  define(command) {
    command
      .description(
        "Runs the queries of a file, PromQL and SQL, and sends each result as the score of a metric. A query that " +
          "fails does not stop the others. For cron, or with --every to go on by itself. Needs the package " +
          "@maturity/collect beside this one.",
      )
      .argument("<file>", "the queries, such as collect.yaml")
      .option("--only <query>", "of the queries only this one; may stand several times", repeated)
      .option("--every <time>", "run again and again, such as 5m; ends on SIGTERM")
      .option("-n, --dry-run", "run the queries, print what they give and send nothing");
    addSummaryFlag(command);
    addServiceFlags(command);
    addExamples(command, [
      ["for cron", "maturity collect collect.yaml"],
      ["what a query would send", "maturity collect --dry-run --only availability collect.yaml"],
      ["as a process that goes on", "maturity collect --every 5m collect.yaml"],
    ]);
  },

  async run([file = ""], flags, context, output) {
    const { runCollect } = await import("../collecting.ts").catch(explainMissing);
    return runCollect(file, flags, context, output);
  },
};

/**
 * Explains a missing `@maturity/collect`. It is a package of its own, because most users of this program never collect,
 * and should not have to install a database driver.
 */
function explainMissing(error: unknown): never {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  if (code !== "ERR_MODULE_NOT_FOUND" || !String(message).includes("'@maturity/collect'")) throw error;
  throw new UsageError(
    "collect needs the package @maturity/collect, which is not installed beside this program; this runs it with both: npx -y -p @maturity/cli -p @maturity/collect maturity collect …",
  );
}
