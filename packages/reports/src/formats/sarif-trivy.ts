import { type Severity, severityOf } from "../severities.ts";
import { type Fields, isObject, textOf } from "../shape.ts";

/** Trivy's SARIF holds all kinds of findings that it was told to look for, and does not say which these were. */
export function isTrivy(tool: string): boolean {
  return /^trivy/i.test(tool);
}

/** Whether a rule of Trivy is a vulnerability: by its tags, or the name that versions without tags give it. */
export function isVulnerability(rule: Fields | undefined): boolean {
  if (tagsOf(rule).some((tag) => ["misconfiguration", "secret", "license"].includes(tag))) return false;
  return !/^(misconfiguration|secret|license|unknownissue)$/i.test(textOf(rule?.name) ?? "");
}

/** The severity that Trivy's JSON has: in its SARIF the score is that of another source at times, and unknown is a note. */
export function severityOfTrivy({ message }: Fields, rule: Fields | undefined): Severity | "unknown" | undefined {
  const text = isObject(message) && typeof message.text === "string" ? message.text : "";
  const [, said] = /^Severity: (\w{1,20})$/m.exec(text) ?? [];
  const word = [said?.toLowerCase(), ...tagsOf(rule)].find((each) => each !== undefined && words.includes(each));
  return word === undefined ? undefined : severityOf(word);
}

const words: readonly string[] = ["critical", "high", "medium", "low", "unknown"];

function tagsOf(rule: Fields | undefined): string[] {
  const tags = isObject(rule?.properties) ? rule.properties.tags : undefined;
  return Array.isArray(tags) ? tags.flatMap((tag) => (typeof tag === "string" ? [tag.toLowerCase()] : [])) : [];
}
