import type { AnySubmission, Client, Waiver } from "@maturity/client";
import type { Flags } from "@maturity/command-line/flags";
import { requireName } from "@maturity/command-line/require-name";
import { printable } from "@maturity/command-line/terminal";
import { UsageError } from "@maturity/command-line/usage-error";
import { waivedText } from "../asking/waivers.ts";
import { scopeText } from "../asking/words.ts";
import type { CommandModule } from "../command.ts";
import { decidingCommand } from "../deciding/consent.ts";
import { findById, isWholeId, requireId } from "../deciding/find-by-id.ts";
import { maxReason } from "../deciding/words.ts";

/** A way to decide about a waiver. */
interface Way {
  readonly description: string;
  /** The state of the waivers that can be meant, which are looked through first. */
  readonly state: Waiver["state"];
  /** The option `--comment`, if it takes one. */
  readonly comment?: { readonly help: string; readonly missing?: string };
  readonly examples: readonly (readonly [what: string, line: string])[];
  act(client: Client<AnySubmission>, id: string, comment: string | undefined): Promise<Waiver>;
  /** What was done, or would be; and whether it can be done. */
  outcome(waiver: Waiver, what: string, dryRun: boolean): readonly [canBeDone: boolean, ...lines: string[]];
}

const others = "It needs a token with the scope waiver:write, of somebody else than asked for it.";
const waiting = ["what waits for a decision", "maturity waiver list --decidable"] as const;

/** `maturity waiver approve`: puts a waiver in force that somebody else asked for. */
export const waiverApprove: CommandModule = waiverCommand({
  description: `Approves a request for a waiver: it is in force from now on. ${others}`,
  state: "requested",
  comment: { help: "what there is to say about it" },
  examples: [waiting, ["approve what waits", "maturity waiver approve 0195e1f4 --yes"]],
  act: (client, id, comment) => client.approveWaiver(id, comment === undefined ? {} : { comment }),
  outcome: decided("approve", "approved"),
});

/** `maturity waiver reject`: refuses a waiver that somebody else asked for. */
export const waiverReject: CommandModule = waiverCommand({
  description: `Rejects a request for a waiver, with a comment for whoever asked. ${others}`,
  state: "requested",
  comment: { help: "why; required", missing: "give --comment: why it is rejected" },
  examples: [waiting, ["reject one, and say why", 'maturity waiver reject 0195e1f4 --comment "scan it first" --yes']],
  act: (client, id, comment = "") => client.rejectWaiver(id, { comment }),
  outcome: decided("reject", "rejected"),
});

/** `maturity waiver withdraw`: takes back a request of one's own. */
export const waiverWithdraw: CommandModule = waiverCommand({
  description: "Takes back a request for a waiver. Only the token or pipeline that asked can.",
  state: "requested",
  comment: { help: "what there is to say about it" },
  examples: [waiting, ["take one back", "maturity waiver withdraw 0195e1f4 --yes"]],
  act: (client, id, comment) => client.withdrawWaiver(id, comment === undefined ? {} : { comment }),
  outcome: decided("withdraw", "withdrew"),
});

/** `maturity waiver revoke`: ends a waiver before its time. */
export const waiverRevoke: CommandModule = waiverCommand({
  description:
    "Ends a waiver now: what it left out counts again at once unless another waiver covers it. It stays in maturity waiver list --all.",
  state: "approved",
  examples: [["end one", "maturity waiver revoke 0195e1f4 --yes"]],
  act: (client, id) => client.revokeWaiver(id),
  outcome({ scorecard, revoked_at }, what, dryRun) {
    const again = scorecard === null ? "alerts again" : "counts again";
    if (revoked_at === null && !dryRun) return [true, `had ended already: ${what}`];
    return [true, `${dryRun ? "would revoke" : "revoked"}: ${what} ${again} unless another waiver covers it`];
  },
});

/** The outcome of a decision about a request. */
function decided(verb: string, did: string): Way["outcome"] {
  return ({ state, requested_by, owner, reason }, what, dryRun) =>
    dryRun && state !== "requested"
      ? [false, `is ${state} already: ${what}`]
      : [
          true,
          `${dryRun ? `would ${verb}` : did}: ${what}`,
          printable(`  asked for by ${requested_by}, owner ${owner}: ${reason}`),
        ];
}

function waiverCommand({ description, state, comment, examples, act, outcome }: Way): CommandModule {
  return decidingCommand<Waiver>({
    description,
    define(command) {
      command.argument("<id>", "of the waiver, or as much of it as maturity waiver list shows");
      if (comment) command.option("--comment <text>", comment.help);
    },
    read([id = ""], flags, _, output) {
      requireId("waiver", id);
      const text = commentOf(flags, comment?.missing);
      return (client) => {
        const lists = [client.waivers({ state }), client.waivers({ all: true })];
        const find = () => findById("waiver", id, lists, "maturity waiver list --all");
        return {
          act: async (dryRun) => (dryRun ? find() : act(client, isWholeId(id) ? id : (await find()).id, text)),
          show(waiver, dryRun) {
            const what = printable(`${waivedText(waiver)} of ${scopeText(waiver)}`);
            const [canBeDone, ...lines] = outcome(waiver, what, dryRun);
            for (const line of lines) output.line(line);
            return canBeDone;
          },
        };
      };
    },
    examples,
  });
}

/** @throws UsageError for a comment that is missing, or that the service would refuse */
function commentOf({ comment }: Flags, missing: string | undefined): string | undefined {
  if (missing !== undefined && comment === undefined) throw new UsageError(missing);
  if (typeof comment !== "string") return undefined;
  requireName("--comment", comment, maxReason);
  return comment;
}
