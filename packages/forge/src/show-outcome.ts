import { own } from "@maturity/command-line/own";
import { printable } from "@maturity/command-line/terminal";
import type { Target } from "@maturity/core";
import { createApi, ForgeError } from "./api.ts";
import { detectCi, detectRun, type Run } from "./ci.ts";
import { keepComment } from "./comment.ts";
import type { Api, CreateForge, Forge, Program } from "./forge.ts";
import { createGitHub } from "./github.ts";
import { createGitLab } from "./gitlab.ts";
import { markerOf, statusLink, statusText, type Verdict } from "./marks.ts";

/** By the keys of `env-ci`. */
const forges: Readonly<Record<string, CreateForge>> = { github: createGitHub, gitlab: createGitLab };

/** The outcome of a gate. */
export interface Outcome {
  readonly target: Target;
  /** The name of the gate, since an application may have several. */
  readonly name: string;
  readonly isMet: boolean;
  readonly title: string;
  readonly verdicts: readonly Verdict[];
  /** The address that the status leads to, if the run has none. */
  readonly board: string | undefined;
  /** The comment in Markdown. @param marker its first line @param run where it was made */
  comment(marker: string, run: { readonly commit?: string; readonly run?: string }): string;
}

/** What is said meanwhile. */
export interface Listener {
  note(text: string): void;
  warn(text: string): void;
  progress(text: string): void;
}

/** Time limits of the comment and of the status, in milliseconds. A server that asks to wait longer is not waited for. */
const longest = { timeoutMs: 15_000, giveUpAfterMs: 30_000 };

/**
 * Shows the outcome of a gate on the pull request of this run, and as a status of its commit. Whatever goes wrong is a
 * warning, because the gate alone decides how the command ends.
 *
 * @param giveUpAfterMs how long to go on trying, if that is less than 30 seconds
 */
export async function showOutcome(
  outcome: Outcome,
  program: Program,
  giveUpAfterMs: number,
  listener: Listener,
): Promise<void> {
  const forge = await forgeOf(program);
  if (typeof forge === "string") return listener.warn(forge);
  const run = await detectRun(program.env, program.read);
  const attempt = async (what: "comment" | "status", name: string, work: (api: Api) => Promise<unknown>) => {
    try {
      await insist(forge, what, work, Math.min(longest.giveUpAfterMs, giveUpAfterMs), program);
    } catch (error) {
      listener.warn(`${name} on ${forge.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  listener.progress(`showing the outcome on ${forge.name} …`);
  const { place } = forge;
  const status = statusOf(outcome, addressOf(run));
  const { path, body } = forge.status(status);
  if (typeof place === "string") listener.note(`no comment: ${place}`);
  await Promise.all([
    typeof place !== "string" &&
      attempt("comment", `no comment on ${place.name}`, (api) => {
        const marker = markerOf(outcome.target, outcome.name);
        const address = addressOf(run);
        const origin = { ...(run?.commit && { commit: run.commit }), ...(address && { run: address }) };
        return keepComment(api, forge, place, marker, outcome.comment(marker, origin));
      }),
    attempt("status", `no status ${status.name}`, (api) => api("POST", path, body)),
  ]);
}

/** The forge of this run; or why nothing can be shown there. */
async function forgeOf({ env, read }: Program): Promise<Forge | string> {
  const { service = "", name: ci } = await detectCi(env);
  const create = own(forges, service);
  if (!create) {
    const here = service ? `this run is of ${ci}` : "this is a run of neither";
    return `--comment knows GitHub Actions and GitLab CI, and ${here}: no comment and no status`;
  }
  const forge = create(env, read);
  if (typeof forge === "string") return `no comment and no status: ${forge}`;
  if (!forge.token) return `no comment and no status on ${forge.name}: ${forge.wantsToken}`;
  // The runtime's own error about such a header would show it.
  if (/^[\x21-\x7e]+$/.test(forge.token)) return forge;
  return `no comment and no status on ${forge.name}: its token holds white space or characters beyond ASCII`;
}

/** The address of a run, if it has one. */
function addressOf(run: Run | undefined): string | undefined {
  return /^https?:/.test(run?.pipeline_id ?? "") ? run?.pipeline_id : undefined;
}

function statusOf({ target, name, isMet, title, verdicts, board }: Outcome, run: string | undefined) {
  return {
    name: `maturity/${name} (${printable(target.app)})`,
    isMet,
    text: statusText(title, verdicts),
    link: statusLink(board, run),
  };
}

/** Tries a piece of work as a whole again, so that a comment whose answer was lost is found in place of made twice. */
async function insist(
  forge: Forge,
  what: "comment" | "status",
  work: (api: Api) => Promise<unknown>,
  giveUpAfterMs: number,
  program: Program,
): Promise<void> {
  const { withRetries } = await import("@maturity/client");
  await withRetries<unknown>(
    async (signal) => {
      try {
        return { value: await work(await createApi(forge, what, program, signal)) };
      } catch (error) {
        if (error instanceof ForgeError) return { failure: error.failure };
        throw error;
      }
    },
    { ...longest, giveUpAfterMs, now: program.now },
  );
}
