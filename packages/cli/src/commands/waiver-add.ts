import type { MadeWaiver, WaiverPreview, WaiverRequest } from "@maturity/client";
import { printable } from "@maturity/command-line/terminal";
import { waivedText } from "../asking/waivers.ts";
import { renamedText, scopeText } from "../asking/words.ts";
import type { addExamples, CommandModule } from "../command.ts";
import { decidingCommand } from "../deciding/consent.ts";
import { addWaiverFlags, readWaiver } from "../deciding/read-waiver.ts";
import { countText, listed } from "../deciding/words.ts";

/** `maturity waiver add`: leaves something out of the score, for a reason and for a time. */
export const waiverAdd: CommandModule = waiverCommand({
  state: "approved",
  description:
    "Leaves a metric, a scorecard or a kind of problem out of the score, openly: with a reason, an owner and an end. " +
    "What a flag leaves out means all. A token that reports cannot waive; maturity waiver request asks somebody else to.",
  words: { would: "would waive", did: "waived" },
  hintOf: (id) => `maturity waiver revoke ${id} ends it early`,
  examples: [
    [
      "a gap that is known, until it is closed",
      'maturity waiver add --area shop --team checkout --app cart --metric dast --until 2027-03-01 --owner ann --reason "new staging in spring" --yes',
    ],
    [
      "what there is nothing to measure of",
      'maturity waiver add --area shop --team checkout --app cart --metric unique_db_user --not-applicable --owner ann --reason "has no database" --yes',
    ],
  ],
});

/** `maturity waiver request`: asks somebody else for a waiver. */
export const waiverRequest: CommandModule = waiverCommand({
  state: "requested",
  description:
    "Asks for a waiver, which waives nothing until somebody else approves it. What a flag leaves out means all. A request " +
    "that nobody decides within 30 days is withdrawn. It needs a token with the scope waiver:request or waiver:write.",
  words: { would: "would ask to waive", did: "asked to waive" },
  hintOf: (id) => `maturity waiver withdraw ${id} takes it back; maturity waiver list --mine shows what becomes of it`,
  examples: [
    [
      "ask for a waiver, with what shows that it is needed",
      'maturity waiver request --area shop --team checkout --app cart --metric dast --for 90d --owner ann --reason "new staging in spring" --evidence https://git.example.com/shop/cart/issues/12 --yes',
    ],
  ],
});

/** A way to make a waiver. */
interface WaiverCommand {
  readonly state: NonNullable<WaiverRequest["state"]>;
  readonly description: string;
  readonly words: { readonly would: string; readonly did: string };
  /** What the caller can do about the waiver with this id. */
  hintOf(id: string): string;
  readonly examples: Parameters<typeof addExamples>[1];
}

/** A waiver that was made, or one that would be with what it covers. */
type Result = MadeWaiver | (WaiverRequest & WaiverPreview);

function waiverCommand({ state, description, words, hintOf, examples }: WaiverCommand): CommandModule {
  return decidingCommand<Result>({
    description,
    define: addWaiverFlags,
    read(_, flags, { now }, output) {
      const request: WaiverRequest = { ...readWaiver(flags, now()), state };
      return (client) => ({
        async act(dryRun) {
          if (!dryRun) return client.waive(request);
          return { dry_run: true, ...request, ...(await client.previewWaiver(request)) };
        },
        show(one, dryRun) {
          if (one.moved_to) output.note(renamedText({ ...request, env: null }, one.moved_to));
          const { scorecard = null, metric = null, problem_type = null } = one;
          const of = { ...one, ...one.moved_to };
          const what = `${printable(waivedText({ scorecard, metric, problem_type }))} of ${printable(scopeText(of))}`;
          output.line(`${dryRun ? words.would : words.did} ${what}${untilText(one)}`);
          if ("covers" in one) output.line(`  ${coveredText(one)}`);
          if ("id" in one) output.line(output.colors.dim(hintOf(one.id)));
          return true;
        },
      });
    },
    examples,
  });
}

function coveredText({ covers, problem_type: type }: WaiverRequest & WaiverPreview): string {
  const rest = type === undefined ? countText(covers.scores, "score") : countText(covers.problems, "open problem");
  return `it covers ${listed([countText(covers.applications, "application"), rest])} now`;
}

function untilText({ expires_at: end }: Pick<Result, "expires_at">): string {
  return end == null ? ", until it is revoked" : ` until ${end.slice(0, 16).replace("T", " ")} UTC`;
}
