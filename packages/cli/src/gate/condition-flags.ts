import type { Command } from "commander";
import { collect } from "../command.ts";

/** Adds the flags that say what must hold. */
export function addConditionFlags(command: Command): void {
  command
    .option(
      "--min <[metric=]score>",
      "the lowest score that passes, 0 to 100; once for each metric: image_scan=80",
      collect,
    )
    .option("--max-age <time>", "how long ago the tool of a report may have run, where the report states it: 12h, 7d")
    .option("--no-worse", "no score may be below the stored one; passes where nothing is stored under this name")
    .option("--max-drop <points>", "how many points a score may be below the stored one")
    .option("--app-min <score>", "the lowest score of the application that passes, as it would be with this result")
    .option("--no-new-problems", "no problem of --problems may be found that is not open already");
}
