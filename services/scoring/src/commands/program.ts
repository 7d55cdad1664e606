import { Command, CommanderError } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import type { Context, Define, Io } from "./command.ts";
import { print, printable, ReaderGone } from "./print.ts";

/** The commands in the order of the help. A command's file is loaded when the command is called. */
export const commands: readonly { name: string; summary: string; load(): Promise<Define> }[] = [
  {
    name: "serve",
    summary: "runs the service (the default); settings come from the environment",
    load: async () => (await import("./serve.ts")).defineServe,
  },
  {
    name: "token",
    summary: "makes, lists and revokes access tokens",
    load: async () => (await import("./token.ts")).defineToken,
  },
  {
    name: "session",
    summary: "lists and revokes the sessions of people and of the Board",
    load: async () => (await import("./session.ts")).defineSession,
  },
  {
    name: "policy",
    summary: "checks a policy file, and lists the applications that it would move",
    load: async () => (await import("./policy.ts")).definePolicy,
  },
  {
    name: "replay",
    summary: "scores stored results again, and shows what the installed packages would change",
    load: async () => (await import("./replay.ts")).defineReplay,
  },
  {
    name: "notifications",
    summary: "lists the dead letters of notifications, puts them back, and deletes them",
    load: async () => (await import("./notifications.ts")).defineNotifications,
  },
  {
    name: "notify",
    summary: "tries a destination of notifications, and explains where a fact would go",
    load: async () => (await import("./notify.ts")).defineNotify,
  },
  {
    name: "digest",
    summary: "prints the digest of the last days without sending it",
    load: async () => (await import("./digest.ts")).defineDigest,
  },
  {
    name: "export",
    summary: "writes the store, or some areas of it, one JSON object a line",
    load: async () => (await import("./export.ts")).defineExport,
  },
  {
    name: "import",
    summary: "stores the lines that export wrote: all or none",
    load: async () => (await import("./import.ts")).defineImport,
  },
  {
    name: "demo",
    summary: "fills an empty store with a made-up organisation, to try the service",
    load: async () => (await import("./demo.ts")).defineDemo,
  },
];

/** The exit code that shells use for a program whose reader, such as `head`, closed the pipe. */
const endedBySigpipe = 141;

/** Runs a command line; without a command, the service. Returns the exit code. */
export async function run([name = "serve", ...words]: readonly string[], io: Io): Promise<number> {
  const onDatabase: Context["onDatabase"] = async (action, use) =>
    (await import("./on-database.ts")).onDatabase(action, io, use);
  try {
    await runProgram([name, ...words], { io, now: new Date(), onDatabase });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return 2;
    if (error instanceof ReaderGone) return endedBySigpipe;
    const { explain } = await import("./explain.ts");
    const subject = name === "serve" ? "maturity-service cannot start." : "maturity-service:";
    io.stderr.write(`${subject} ${printable(explain(error))}\n`);
    return 1;
  }
}

/**
 * Runs a command line.
 *
 * @throws CommanderError after it has written why the command line is wrong, and every error of the command
 */
export async function runProgram(argv: readonly string[], context: Context): Promise<void> {
  let help = "";
  const program = new Command("maturity-service")
    .description("Receives results over HTTP, scores and stores them, and exposes them to Prometheus.")
    .version(packageJson.version, "-v, --version", "prints the version")
    .helpOption("-h, --help", "prints help")
    .helpCommand("help [command]", "prints the help of a command")
    .showHelpAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        help += text;
      },
      writeErr: (text) => context.io.stderr.write(text),
      outputError: (text, write) => write(printable(text.replace(/^error:/, "maturity-service:"))),
    });
  const called = argv[0] === "help" ? argv[1] : argv[0];
  for (const { name, summary, load } of commands) {
    const command = program.command(name).description(summary);
    if (name === called) (await load())(command, context);
  }
  try {
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError) || error.exitCode !== 0) throw error;
    await print([help], context.io.stdout);
  }
}
