import { Option } from "commander";
import type { Define } from "./command.ts";

/** Checks the file of a policy, and compares it with the policy in force. */
export const definePolicy: Define = (command, { io, onDatabase }) => {
  command
    .command("check")
    .description("says whether the service would start with this policy; needs no database")
    .argument("<file>", "the file that POLICY is to name")
    .action(async (file: string) => {
      const { checkPolicy } = await import("./policy/check.ts");
      const { print } = await import("./print.ts");
      await print([await checkPolicy(file, io.env)], io.stdout);
    });
  command
    .command("diff")
    .description("lists the applications whose score or level this policy would change, without changing anything")
    .argument("<file>", "the file that POLICY is to name")
    .addOption(new Option("--format <format>", "how it is told").choices(["text", "json"]).default("text"))
    .addHelpText("after", aboutDatabase)
    .action(async (file: string, { format }: { format: "text" | "json" }) => {
      const { diffPolicy } = await import("./policy/diff.ts");
      await onDatabase((database) => diffPolicy(database, file, { env: io.env, format }), "read");
    });
};

const aboutDatabase = `
It compares with what the service recorded at its last start. It only reads, from DATABASE_READ_URL if that is set, and
DATABASE_URL itself may name a replica.`;
