import type { AnySubmission, Client, Waiver } from "@maturity/client";
import { requireName } from "@maturity/command-line/require-name";
import { printable } from "@maturity/command-line/terminal";
import { UsageError } from "@maturity/command-line/usage-error";
import { waivedText } from "../asking/waivers.ts";
import { scopeText } from "../asking/words.ts";
import { addExamples, addServiceFlags, type CommandModule } from "../command.ts";
import { addConsentFlags, decide } from "../deciding/consent.ts";
import { findWaiver, isWholeId, requireWaiverId } from "../deciding/find-waiver.ts";
import { maxReason } from "../deciding/words.ts";
import { exitCodes } from "../exit-codes.ts";

/** A way to decide a request. */
interface Way {
  readonly verb: "approve" | "reject" | "withdraw";
  readonly did: string;
  readonly description: string;
  readonly needsComment?: boolean;
  readonly example: readonly [what: string, line: string];
  act(client: Client<AnySubmission>, id: string, comment: string | undefined): Promise<Waiver>;
}

const others = "It needs a token with the scope waiver:write, of somebody else than asked for it.";

/** `maturity waiver approve`: puts a waiver in force that somebody else asked for. */
export const waiverApprove: CommandModule = decisionCommand({
  ...{ verb: "approve", did: "approved" },
  description: `Approves a request for a waiver: it is in force from now on. ${others}`,
  example: ["approve what waits", "maturity waiver approve 0195e1f4 --yes"],
  act: (client, id, comment) => client.approveWaiver(id, comment === undefined ? {} : { comment }),
});

/** `maturity waiver reject`: refuses a waiver that somebody else asked for. */
export const waiverReject: CommandModule = decisionCommand({
  ...{ verb: "reject", did: "rejected", needsComment: true },
  description: `Rejects a request for a waiver, with a comment for whoever asked. ${others}`,
  example: ["reject one, and say why", 'maturity waiver reject 0195e1f4 --comment "scan it first" --yes'],
  act: (client, id, comment = "") => client.rejectWaiver(id, { comment }),
});

/** `maturity waiver withdraw`: takes back a request of one's own. */
export const waiverWithdraw: CommandModule = decisionCommand({
  ...{ verb: "withdraw", did: "withdrew" },
  description: "Takes back a request for a waiver. Only the token or pipeline that asked can.",
  example: ["take one back", "maturity waiver withdraw 0195e1f4 --yes"],
  act: (client, id, comment) => client.withdrawWaiver(id, comment === undefined ? {} : { comment }),
});

function decisionCommand({ verb, did, description, needsComment = false, example, act }: Way): CommandModule {
  return {
    define(command) {
      command
        .description(description)
        .argument("<id>", "of the waiver, or as much of it as maturity waiver list shows")
        .option("--comment <text>", needsComment ? "why; required" : "what there is to say about it");
      addConsentFlags(command);
      addServiceFlags(command);
      addExamples(command, [["what waits for a decision", "maturity waiver list --decidable"], example]);
    },

    async run([id = ""], flags, context, output) {
      requireWaiverId(id);
      const comment = typeof flags.comment === "string" ? flags.comment : undefined;
      if (needsComment && comment === undefined) throw new UsageError(`give --comment: why it is ${did}`);
      if (comment !== undefined) requireName("--comment", comment, maxReason);
      const waiver = await decide<Waiver>(flags, context, output, (client) => {
        const find = () => findWaiver(client, id, "requested");
        return {
          act: async (dryRun) => (dryRun ? find() : act(client, isWholeId(id) ? id : (await find()).id, comment)),
          show(one, dryRun) {
            const what = printable(`${waivedText(one)} of ${scopeText(one)}`);
            if (!dryRun || one.state === "requested") {
              output.line(`${dryRun ? `would ${verb}` : did}: ${what}`);
              output.line(printable(`  asked for by ${one.requested_by}, owner ${one.owner}: ${one.reason}`));
              return true;
            }
            output.line(`is ${one.state} already: ${what}`);
            return false;
          },
        };
      });
      output.result(waiver);
      return exitCodes.done;
    },
  };
}
