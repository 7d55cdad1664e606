import type { Flags } from "@maturity/command-line/flags";
import type { Output } from "@maturity/command-line/output";
import { own } from "@maturity/command-line/own";
import { printable } from "@maturity/command-line/terminal";
import { UsageError } from "@maturity/command-line/usage-error";
import type { Target } from "@maturity/core";
import type { Command } from "commander";
import { detectCi, detectRun } from "../ci.ts";
import { timeoutMs } from "../connect.ts";
import type { Context } from "../context.ts";
import { readIfThere } from "../origin.ts";
import type { Summary } from "../summary/summary.ts";
import { createApi, ForgeError } from "./api.ts";
import { keepComment } from "./comment.ts";
import type { Api, CreateForge, Forge } from "./forge.ts";
import { createGitHub } from "./github.ts";
import { createGitLab } from "./gitlab.ts";
import { commentText, markerOf, statusLink, statusText } from "./words.ts";

/** By the keys of `env-ci`. */
const forges: Readonly<Record<string, CreateForge>> = { github: createGitHub, gitlab: createGitLab };

/** Adds the flags of a gate that say where its outcome is shown. */
export function addCommentFlags(command: Command): void {
  command
    .option(
      "--comment",
      "show the outcome on the pull or merge request, and as a status of the commit (GitHub, GitLab)",
    )
    .option("--comment-name <name>", "the name of the gate, where an application has several; default: gate");
}

/**
 * The name of the gate in its comment and status; undefined if none is wanted.
 *
 * @throws UsageError for a name that cannot stand there
 */
export function commentName({ comment, commentName: name = "gate" }: Flags): string | undefined {
  if (!/^[\w.-]{1,40}$/.test(String(name))) {
    throw new UsageError("--comment-name must be 1 to 40 letters, digits, dots, hyphens and underscores");
  }
  return comment === true ? String(name) : undefined;
}

/** Time limits of the comment and of the status, in milliseconds. A server that asks to wait longer is not waited for. */
const longest = { timeoutMs: 15_000, giveUpAfterMs: 30_000 };

/**
 * Shows the outcome of a gate on the pull request of this run, and as a status of its commit. Whatever goes wrong is a
 * warning, because the gate alone decides how the command ends.
 */
export async function showOnForge(...[summary, gate, flags, context, output]: Parameters<typeof show>): Promise<void> {
  try {
    await show(summary, gate, flags, context, output);
  } catch (error) {
    output.warn(`no comment and no status: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function show(
  summary: Summary & { readonly target: Target },
  gate: { readonly name: string; readonly isMet: boolean },
  flags: Flags,
  context: Context,
  output: Output,
): Promise<void> {
  const { service = "", name: ci } = await detectCi(context.env);
  const create = own(forges, service);
  if (!create) {
    const here = service ? `this run is of ${ci}` : "this is a run of neither";
    return output.warn(`--comment knows GitHub Actions and GitLab CI, and ${here}: no comment and no status`);
  }
  const forge = create(context.env, readIfThere);
  if (typeof forge === "string") return output.warn(`no comment and no status: ${forge}`);
  if (!forge.token) return output.warn(`no comment and no status on ${forge.name}: ${forge.wantsToken}`);
  // The runtime's own error about such a header would show it.
  if (!/^[\x21-\x7e]+$/.test(forge.token)) {
    return output.warn(
      `no comment and no status on ${forge.name}: its token holds white space or characters beyond ASCII`,
    );
  }
  const run = await detectRun(context.env, readIfThere);
  const address = /^https?:/.test(run?.pipeline_id ?? "") ? run?.pipeline_id : undefined;
  const { target, title, verdicts, standing } = summary;
  const status = {
    name: `maturity/${gate.name} (${printable(target.app)})`,
    isMet: gate.isMet,
    text: statusText(title, verdicts),
    link: statusLink(standing?.board, address),
  };
  const attempt = async (what: "comment" | "status", name: string, work: (api: Api) => Promise<unknown>) => {
    try {
      await insist(forge, what, work, Math.min(longest.giveUpAfterMs, timeoutMs(flags.timeout)), context);
    } catch (error) {
      output.warn(`${name} on ${forge.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const { place } = forge;
  const { path, body } = forge.status(status);
  if (typeof place === "string") output.note(`no comment: ${place}`);
  output.progress(`showing the outcome on ${forge.name} …`);
  await Promise.all([
    typeof place !== "string" &&
      attempt("comment", `no comment on ${place.name}`, (api) => {
        const marker = markerOf(target, gate.name);
        const origin = { ...(run?.commit && { commit: run.commit }), ...(address && { run: address }) };
        return keepComment(api, forge, place, marker, commentText(marker, summary, origin));
      }),
    attempt("status", `no status ${status.name}`, (api) => api("POST", path, body)),
  ]);
  output.done();
}

/** Tries a piece of work as a whole again, so that a comment whose answer was lost is found in place of made twice. */
async function insist(
  forge: Forge,
  what: "comment" | "status",
  work: (api: Api) => Promise<unknown>,
  giveUpAfterMs: number,
  context: Context,
): Promise<void> {
  const { withRetries } = await import("@maturity/client");
  await withRetries<unknown>(
    async (signal) => {
      try {
        return { value: await work(await createApi(forge, what, context, signal)) };
      } catch (error) {
        if (error instanceof ForgeError) return { failure: error.failure };
        throw error;
      }
    },
    { ...longest, giveUpAfterMs, now: context.now },
  );
}
