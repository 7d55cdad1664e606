import type { AnySubmission, Caller, Client } from "@maturity/client";
import type { Output } from "@maturity/command-line/output";
import { wrapped } from "@maturity/command-line/text-width";
import { targetFields } from "@maturity/core/wire";
import { detectRun } from "@maturity/forge/ci";
import { nameBeyond } from "@maturity/gate/bounds";
import { findRetired, retiredText } from "@maturity/gate/retired";
import packageJson from "../../package.json" with { type: "json" };
import { addExamples, addServiceFlags, addTargetFlags, type CommandModule } from "../command.ts";
import { connect } from "../connect.ts";
import type { Context } from "../context.ts";
import { findCredentials } from "../credentials.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { hintOn } from "../failure.ts";
import { readIfThere } from "../origin.ts";
import { settingFaults } from "../sent-names.ts";
import { knownTarget, resolveSettings, type SettingName, type Settings, settingNames } from "../settings.ts";
import { findSettingsFile } from "../settings-file.ts";

/** The result of one check. */
interface Check {
  readonly name: string;
  readonly state: "ok" | "warning" | "failed";
  readonly text: string;
}

/** `maturity doctor`: checks everything that a report needs, without storing one. */
export const doctor: CommandModule = {
  define(command) {
    command.description(
      "Checks settings, address, clock, version and token, and says what the token may do. Sends no report.",
    );
    addTargetFlags(command);
    addServiceFlags(command);
    addExamples(command, [["before the first report of a pipeline", "maturity doctor"]]);
  },

  async run(_, flags, context, output) {
    const file = await findSettingsFile(context.cwd);
    const settings = resolveSettings(flags, context.env, file);
    const checks: Check[] = [];
    const add = (...done: readonly Check[]) => {
      for (const check of done) {
        checks.push(check);
        show(check, output);
      }
    };
    add(settingsCheck(settings, file?.path), targetCheck(settings), await ciCheck(context));
    const credentials = await findCredentials(settings, flags, context);
    let exit: ExitCode = exitCodes.done;
    if (!settings.url) {
      add({ name: "service", state: "failed", text: "no address: give --url, MATURITY_URL or url in maturity.yaml" });
      add({
        name: "token",
        state: "warning",
        text: `${credentials?.from ?? "none"}: not tried, since there is no address`,
      });
      exit = exitCodes.wrongUse;
    } else {
      let skewMs: number | undefined;
      /** Compares the clocks, because each answer has the time of the service in a header. */
      const fetch: Context["fetch"] = async (request) => {
        const response = await context.fetch(request);
        const date = Date.parse(response.headers.get("date") ?? "");
        if (!Number.isNaN(date)) skewMs = context.now() - date;
        return response;
      };
      const patient = { timeout: "10", ...flags };
      const client = await connect(settings, patient, { ...context, fetch }, output);
      const service = await serviceCheck(client, settings.url.value, credentials?.from);
      add(service.check);
      exit = service.exit;
      if (exit === exitCodes.done) {
        add(await versionCheck(client), clockCheck(skewMs));
        add(transportCheck(settings.url.value, credentials !== undefined));
        const rights = await rightsCheck(client, settings, output, credentials?.from);
        add(rights);
        const retired = await retiredChecks(client, settings);
        add(...retired);
        if ([rights, ...retired].some(({ state }) => state === "failed")) exit = exitCodes.refused;
      }
    }
    output.result({ ok: exit === exitCodes.done, checks });
    return exit;
  },
};

function settingsCheck(settings: Settings, path: string | undefined): Check {
  const sources = (Object.keys(settingNames) as SettingName[]).flatMap((name) => {
    const setting = settings[name];
    return setting ? [`${name} (${setting.from === path ? "maturity.yaml" : setting.from})`] : [];
  });
  const where = path ? `${path}; ` : "no maturity.yaml here or above; ";
  return { name: "settings", state: "ok", text: where + (sources.join(", ") || "none") };
}

function targetCheck(settings: Settings): Check {
  const target = knownTarget(settings);
  const missing = targetFields.filter((name) => !(name in target));
  const faults = settingFaults(settings);
  if (faults.length > 0) return { name: "target", state: "warning", text: faults.join("; ") };
  return missing.length === 0
    ? { name: "target", state: "ok", text: Object.values(target).join(" / ") }
    : { name: "target", state: "warning", text: `${missing.join(", ")} must be given with each report` };
}

async function ciCheck({ env }: Context): Promise<Check> {
  const run = await detectRun(env, readIfThere);
  if (!run) return { name: "run", state: "ok", text: "no CI: reports carry no pipeline_id and project_repo" };
  const { ci, ...origin } = run;
  return { name: "run", state: "ok", text: [ci, ...Object.values(origin)].join(", ") };
}

/** Whether the service works. Where the token cannot be sent at all, that is the check that fails. */
async function serviceCheck(
  client: Client<AnySubmission>,
  url: string,
  from = "none",
): Promise<{ readonly check: Check; readonly exit: ExitCode }> {
  const failed = (text: string) => ({
    check: { name: "service", state: "failed" as const, text },
    exit: exitCodes.unreachable,
  });
  try {
    const health = await client.health();
    if (health !== "ok") return failed(`${url} runs, but is ${health}`);
    return { check: { name: "service", state: "ok", text: url }, exit: exitCodes.done };
  } catch (error) {
    const { name, code = name, cause } = Object(error);
    const exit = Object(cause).name === "IdTokenError" ? exitCodes.unreachable : unsendable.get(code);
    if (exit === undefined) return failed(messageOf(error));
    return { check: { name: "token", state: "failed", text: `${from}: ${messageOf(error)}` }, exit };
  }
}

/** The codes and names of the errors of a token that is not sent, with the exit codes that they have everywhere. */
const unsendable: ReadonlyMap<string, ExitCode> = new Map([
  ["invalid-token", exitCodes.wrongUse],
  ["IdTokenError", exitCodes.refused],
] as const);

async function versionCheck(client: Client<AnySubmission>): Promise<Check> {
  const ours = packageJson.version;
  try {
    return { name: "version", state: "ok", text: `service ${await client.version()}, this program ${ours}` };
  } catch (error) {
    return { name: "version", state: "warning", text: `this program ${ours}; ${messageOf(error)}` };
  }
}

/** How much the clock of the issuer of an ID token may differ from that of the service, in milliseconds. */
export const toleratedSkewMs = 10_000;

function clockCheck(skewMs: number | undefined): Check {
  if (skewMs === undefined) return { name: "clock", state: "warning", text: "the service does not send its time" };
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  const text = seconds <= 1 ? "as the service's" : `${seconds} s ${skewMs > 0 ? "ahead of" : "behind"} the service's`;
  return { name: "clock", state: Math.abs(skewMs) > toleratedSkewMs ? "warning" : "ok", text };
}

function transportCheck(url: string, hasToken: boolean): Check {
  const { protocol, hostname } = new URL(url);
  const isLocal = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  if (protocol === "https:" || isLocal)
    return { name: "transport", state: "ok", text: isLocal ? "local" : "encrypted" };
  const text = `not encrypted${hasToken ? ": anybody on the way can read the token" : ""}; use https://`;
  return { name: "transport", state: "warning", text };
}

const rights: readonly (readonly [right: string, scope: Caller["scopes"][number]])[] = [
  ["submit scores", "score:write"],
  ["report problems", "problem:write"],
  ["read", "read"],
];

/** What the token may do, by the answer of the service. */
async function rightsCheck(
  client: Client<AnySubmission>,
  settings: Settings,
  output: Output,
  from = "none",
): Promise<Check> {
  try {
    const { scopes, grants } = await client.whoAmI();
    const may = (scope: Caller["scopes"][number]) => scopes.includes(scope) || scopes.includes("admin");
    const allowed = rights.filter(([, scope]) => may(scope)).map(([right]) => right);
    const denied = rights.filter(([, scope]) => !may(scope)).map(([right]) => right);
    const beyond = nameBeyond(grants, knownTarget(settings));
    const parts = [
      allowed.length > 0 ? `may ${allowed.join(", ")}` : "may do nothing",
      ...(denied.length > 0 ? [`may not ${denied.join(", ")}`] : []),
      ...(beyond ? [`only for ${beyond.field} ${beyond.allowed}, and the target is ${beyond.name}`] : []),
    ];
    const state = allowed.length === 0 ? "failed" : beyond ? "warning" : "ok";
    return { name: "token", state, text: `${from}: ${parts.join("; ")}` };
  } catch (error) {
    return { name: "token", state: "failed", text: messageOf(error) + hintOn(error, output) };
  }
}

/** Whether the service refuses reports of the target because it is retired. Says nothing where the token may not read that. */
async function retiredChecks(client: Client<AnySubmission>, settings: Settings): Promise<Check[]> {
  const { area, team, app, env } = knownTarget(settings);
  if (area === undefined || team === undefined || app === undefined) return [];
  const retired = await findRetired(client, { area, team, app, ...(env && { env }) }).catch(() => undefined);
  return retired ? [{ name: "registry", state: "failed", text: retiredText(retired) }] : [];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function show({ name, state, text }: Check, output: Output): void {
  const { colors } = output;
  const marks = { ok: colors.green("ok     "), warning: colors.yellow("warning"), failed: colors.red("failed ") };
  const begin = `${name.padEnd(9)}  `;
  const [first = "", ...others] = wrapped(text, " ".repeat("warning  ".length + begin.length), output);
  output.line(`${marks[state]}  ${begin}${first.trimStart()}`);
  for (const line of others) output.line(line);
}
