import { InvalidArgumentError } from "commander";
import type { Define } from "./command.ts";

/** How many days the digest tells of if nobody says. */
const usualDays = 7;

const dayMs = 86_400_000;

/** Prints what a digest would tell, channel by channel. */
export const defineDigest: Define = (command, { io, now, onDatabase }) => {
  command
    .option("--days <days>", "how many days it tells of, from 1 to 31", wholeDays, usualDays)
    .addHelpText("after", "\nIt sends nothing, and works without CHAT_BOT_TOKEN and DIGEST.")
    .action(async ({ days }: { days: number }) => {
      const { previewDigest } = await import("./digest/preview.ts");
      const period = { since: new Date(now.getTime() - days * dayMs), until: now };
      await onDatabase((database) => previewDigest(database, io.env, period), "read");
    });
};

function wholeDays(text: string): number {
  const days = Number(text);
  if (Number.isInteger(days) && days >= 1 && days <= 31) return days;
  throw new InvalidArgumentError("It must be a whole number from 1 to 31.");
}
