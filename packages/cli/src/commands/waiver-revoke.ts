import type { Waiver } from "@maturity/client";
import { printable } from "@maturity/command-line/terminal";
import { waivedText } from "../asking/waivers.ts";
import { scopeText } from "../asking/words.ts";
import { addExamples, addServiceFlags, type CommandModule } from "../command.ts";
import { addConsentFlags, decide } from "../deciding/consent.ts";
import { findWaiver, isWholeId, requireWaiverId } from "../deciding/find-waiver.ts";
import { exitCodes } from "../exit-codes.ts";

/** `maturity waiver revoke`: ends a waiver before its time. */
export const waiverRevoke: CommandModule = {
  define(command) {
    command
      .description(
        "Ends a waiver now: what it left out counts again at once unless another waiver covers it. It stays in maturity waiver list --all.",
      )
      .argument("<id>", "of the waiver, or as much of it as maturity waiver list shows");
    addConsentFlags(command);
    addServiceFlags(command);
    addExamples(command, [["end one", "maturity waiver revoke 0195e1f4 --yes"]]);
  },

  async run([id = ""], flags, context, output) {
    requireWaiverId(id);
    const waiver = await decide<Waiver>(flags, context, output, async (client) => {
      const find = () => findWaiver(client, id, "approved");
      return {
        act: async (dryRun) => (dryRun ? find() : client.revokeWaiver(isWholeId(id) ? id : (await find()).id)),
        show(one, dryRun) {
          const what = printable(`${waivedText(one)} of ${scopeText(one)}`);
          const again = one.scorecard === null ? "alerts again" : "counts again";
          output.line(
            one.revoked_at === null && !dryRun
              ? `had ended already: ${what}`
              : `${dryRun ? "would revoke" : "revoked"}: ${what} ${again} unless another waiver covers it`,
          );
          return true;
        },
      };
    });
    output.result(waiver);
    return exitCodes.done;
  },
};
