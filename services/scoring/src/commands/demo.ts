import type { Database } from "../store/database.ts";
import type { Define, Io } from "./command.ts";
import { commandOf } from "./serve/greeting.ts";

/** Fills an empty store with a made-up organisation, or runs the service on such a store in memory. */
export const defineDemo: Define = (command, { io, now, onDatabase }) => {
  command
    .option("--serve", "runs the service on a store in memory instead, which is gone when the service ends")
    .option("--oidc-config <file>", "with --serve: people sign in as this OIDC_CONFIG says")
    .option("--notify <file>", "with --serve: where notifications go, as NOTIFY says")
    .option("--if-empty", "leaves a store that is not empty as it is, instead of failing")
    .addHelpText("after", about)
    .action(async ({ serve: isServed = false, oidcConfig, notify, ifEmpty = false }: Options) => {
      if (oidcConfig !== undefined && !isServed) command.error("error: --oidc-config needs --serve");
      if (notify !== undefined && !isServed) command.error("error: --notify needs --serve");
      if (ifEmpty && isServed) command.error("error: --if-empty is not for --serve, whose store is always empty");
      const { fillWithDemo, isEmpty } = await import("./fill-with-demo.ts");
      if (isServed) {
        const files = { oidcConfig, notify };
        await serveDemo(io.env, files, async (database) => void (await fillWithDemo(database, now)));
        io.stderr.write(rulesHint(commandOf(process.argv[1] ?? "")));
        return;
      }
      await onDatabase(async (database) => {
        if (ifEmpty && !(await isEmpty(database))) return "This store is not empty, and stays as it is.\n";
        const { scores, problems, score_changes, roll_up_days } = await fillWithDemo(database, now);
        return `Stored a made-up organisation. Scores: ${scores}, problems: ${problems}, changes of scores: ${score_changes}, roll-ups of days: ${roll_up_days}.\n`;
      }, "make");
    });
};

interface Options {
  readonly serve?: boolean;
  readonly oidcConfig?: string | undefined;
  readonly notify?: string | undefined;
  readonly ifEmpty?: boolean;
}

/** Takes only the address, the log and the stop from the settings: the others may be those of a real store. */
async function serveDemo(
  { HOST, PORT, LOG_LEVEL, SHUTDOWN_GRACE_MS }: Io["env"],
  { oidcConfig, notify }: Pick<Options, "oidcConfig" | "notify">,
  fill: (database: Database) => Promise<void>,
): Promise<void> {
  const { serve } = await import("./serve/service.ts");
  const auth = oidcConfig === undefined ? {} : { AUTH: "oidc", OIDC_CONFIG: oidcConfig };
  const taken = { HOST, PORT, LOG_LEVEL, SHUTDOWN_GRACE_MS, ...(notify !== undefined && { NOTIFY: notify }) };
  await serve({ ...taken, ...auth, DATABASE_URL: "pglite::memory:" }, fill);
}

const rulesHint = (
  command: string,
) => `Its store is in memory. To try a policy or scorecards of your own on the same organisation, keep it in a folder:
  export DATABASE_URL=pglite:maturity-demo
  ${command} demo
  ${command} policy diff policy.yaml
  POLICY=policy.yaml ${command}

`;

const about = `
The organisation has 60 applications in two environments, a year of history, problems, waivers, metrics that are stale or
missing, and applications that never reported or had another name. The store of DATABASE_URL must be empty: the demo never
replaces data.`;
