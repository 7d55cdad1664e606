import type { AnySubmission, Client, Waiver } from "@maturity/client";
import { waivedText } from "../asking/waivers.ts";
import { scopeText } from "../asking/words.ts";
import { addExamples, addServiceFlags, type CommandModule } from "../command.ts";
import { addConsentFlags, decide } from "../deciding/consent.ts";
import { exitCodes } from "../exit-codes.ts";
import { printable } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

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
    if (!/^[\da-f-]{4,36}$/i.test(id)) {
      throw new UsageError(
        `${JSON.stringify(id)} is no id of a waiver, nor the first 4 characters of one; maturity waiver list has them`,
      );
    }
    const waiver = await decide<Waiver>(flags, context, output, async (client) => {
      const find = () => findWaiver(client, id.toLowerCase()).catch(adviseWholeId);
      return {
        act: async (dryRun) => (dryRun ? find() : client.revokeWaiver(id.length === 36 ? id : (await find()).id)),
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

/** The waiver whose id begins so, of those in force if one of them does, else of those that have ended. */
async function findWaiver(client: Client<AnySubmission>, beginning: string): Promise<Waiver> {
  for (const all of [false, true]) {
    const found: Waiver[] = [];
    for await (const waiver of client.waivers({ all })) if (waiver.id.startsWith(beginning)) found.push(waiver);
    const [waiver, ...others] = found;
    if (others.length > 0) {
      throw new UsageError(`several waivers begin with ${beginning}: ${found.map(({ id }) => id).join(", ")}`);
    }
    if (waiver) return waiver;
  }
  throw new UsageError(`no waiver has an id that begins with ${beginning}; maturity waiver list has them`);
}

/** Says of a token that may not list waivers how it can revoke one all the same. */
function adviseWholeId(error: unknown): never {
  if (error instanceof Error && "code" in error && error.code === "forbidden") {
    error.message += "; to look for an id by its beginning, which the whole id does not need";
  }
  throw error;
}
