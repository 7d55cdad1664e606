import type { AppName, PassedOver, Plan } from "@maturity/catalog";
import type { Output } from "@maturity/command-line/output";
import { printable, shellWord } from "@maturity/command-line/terminal";
import { scopeText } from "../asking/words.ts";

/** Prints what an import would change, or has changed. */
export function showPlan(plan: Plan, output: Output): void {
  const { colors } = output;
  for (const { entry } of plan.added) output.line(`${colors.green("+")} ${printable(scopeText(entry))}`);
  for (const { found, differences } of plan.changed) {
    output.line(`${colors.yellow("~")} ${printable(scopeText(found.entry))}`);
    for (const { field, from, to } of differences) {
      output.line(`    ${printable(field)}: ${factText(from)} ${colors.dim("->")} ${factText(to)}`);
    }
  }
  section("Registered, but not in the files", plan.absent.map(scopeText), output);
  showPassedOver(plan.passedOver, output);
  for (const note of plan.notes) output.note(note);
  for (const { added, absent } of sameNames(plan)) output.note(moveHint(added, absent));
}

/** How many applications an import changes, in a sentence. */
export function planText({ added, changed, unchanged }: Plan): string {
  return `${added.length} new, ${changed.length} changed, ${unchanged.length} unchanged`;
}

function factText(fact: string | null): string {
  return fact === null ? "none" : printable(fact) || '""';
}

function section(title: string, lines: readonly string[], output: Output): void {
  if (lines.length === 0) return;
  output.line(output.colors.bold(title));
  for (const line of lines) output.line(`  ${printable(line)}`);
}

/** Prints what gives no application: each with its reason, but those of other kinds by their kinds. */
function showPassedOver(passedOver: readonly PassedOver[], output: Output): void {
  const own = passedOver.filter(({ kind }) => kind === undefined);
  const reasons = own.map((one) => `${one.file}:${one.line}  ${one.what}: ${one.why}`);
  section("Passed over", reasons, output);
  const counts = new Map<string, number>();
  for (const { kind } of passedOver) if (kind !== undefined) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const kinds = [...counts].map(([kind, count]) => `${count} ${kind}`).sort();
  if (kinds.length > 0) output.line(output.colors.dim(printable(`No applications: ${kinds.join(", ")}`)));
}

/** New applications with the name of one that is registered elsewhere and not in the files: it may have moved. */
function sameNames({ added, absent }: Plan): { readonly added: AppName; readonly absent: AppName }[] {
  return added.flatMap(({ entry }) => {
    const [same, ...others] = absent.filter(({ app }) => app === entry.app);
    return same && others.length === 0 ? [{ added: entry, absent: same }] : [];
  });
}

function moveHint(added: AppName, absent: AppName): string {
  const flags = (["area", "team", "app"] as const).map((name) => `--${name} ${shellWord(absent[name])}`);
  const to = (["area", "team"] as const)
    .filter((name) => added[name] !== absent[name])
    .map((name) => `--to-${name} ${shellWord(added[name])}`);
  return `${scopeText(added)} has the name of ${scopeText(absent)}, which is not in the files; if it is the same, its scores come along with: maturity app move ${[...flags, ...to].join(" ")}`;
}
