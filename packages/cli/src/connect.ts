import type { AnySubmission, Client } from "@maturity/client";
import type { Flags } from "@maturity/command-line/flags";
import type { Output } from "@maturity/command-line/output";
import { UsageError } from "@maturity/command-line/usage-error";
import packageJson from "../package.json" with { type: "json" };
import type { Context } from "./context.ts";
import { findCredentials, fromGitHub } from "./credentials.ts";
import { requireUrl, type Settings } from "./settings.ts";

/**
 * Creates the client of the service. It warns of each failed attempt before it tries again.
 *
 * @throws UsageError if the address is missing, or a flag or the token file cannot be used
 */
export async function connect(
  settings: Settings,
  flags: Flags,
  context: Context,
  output: Output,
): Promise<Client<AnySubmission>> {
  const url = requireUrl(settings);
  const giveUpAfterMs = timeoutMs(flags.timeout);
  const credentials = await findCredentials(settings, flags, context);
  const { createClient } = await import("@maturity/client");
  output.hints.unauthorized = nextStep(credentials?.from);
  return createClient<AnySubmission>({
    url,
    token: credentials?.token,
    headers: { "user-agent": `maturity-cli/${packageJson.version}` },
    giveUpAfterMs,
    fetch: context.fetch,
    onRetry: ({ reason, pauseMs }) => output.warn(`${reason}; trying again in ${(pauseMs / 1_000).toFixed(1)} s`),
  });
}

/** What to do after the service has refused a token: where it came from, because a machine may have several. */
function nextStep(from: string | undefined): string {
  const make = "maturity-service token create makes one";
  if (from === undefined) return `there was none; set MATURITY_TOKEN, or give --token-file; ${make}`;
  const isOfPipeline = from === "MATURITY_ID_TOKEN" || from === fromGitHub;
  const next = isOfPipeline ? "OIDC_CONFIG of the service says which ID tokens it takes" : `give another; ${make}`;
  return `the token came from ${from}; ${next}`;
}

/** How long to go on trying. @throws UsageError for anything but 1 to 3600 seconds */
export function timeoutMs(seconds: unknown = "60"): number {
  const value = Number(seconds);
  if (!(value >= 1 && value <= 3_600)) throw new UsageError("--timeout must be seconds from 1 to 3600");
  return value * 1_000;
}
