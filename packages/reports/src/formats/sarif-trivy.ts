import { type Severity, severityOf } from "../severities.ts";
import { type Fields, isObject, textOf } from "../shape.ts";

/**
 * Whether a tool is Trivy. Its SARIF needs care, because it mixes all kinds of findings, and does not say which kinds
 * Trivy looked for.
 */
export function isTrivy(tool: string): boolean {
  return /^trivy\b/i.test(tool);
}

/** Whether a run of Trivy says that it scanned an image. It names the image then, and only then. */
export function isOfImage({ properties }: Fields): boolean {
  return isObject(properties) && textOf(properties.imageName) !== undefined;
}

/** Whether a rule of Trivy is about a vulnerability. Its tags show it; in versions without tags, its name. */
export function isVulnerability(rule: Fields | undefined): boolean {
  if (tagsOf(rule).some((tag) => ["misconfiguration", "secret", "license"].includes(tag))) return false;
  return !/^(misconfiguration|secret|license|unknownissue)$/i.test(textOf(rule?.name) ?? "");
}

/**
 * The severity as in Trivy's JSON, from the message or the tags. The fields that SARIF has for it differ: the score may
 * be from another source, and `unknown` becomes a note. Undefined if there is none.
 */
export function severityOfTrivy({ message }: Fields, rule: Fields | undefined): Severity | "unknown" | undefined {
  const text = isObject(message) && typeof message.text === "string" ? message.text : "";
  const [, said] = /^Severity: *(\w{1,20}) *$/m.exec(text) ?? [];
  const word = [said?.toLowerCase(), ...tagsOf(rule)].find((each) => each !== undefined && words.includes(each));
  return word === undefined ? undefined : severityOf(word);
}

const words: readonly string[] = ["critical", "high", "medium", "low", "unknown"];

function tagsOf(rule: Fields | undefined): string[] {
  const tags = isObject(rule?.properties) ? rule.properties.tags : undefined;
  return Array.isArray(tags) ? tags.flatMap((tag) => (typeof tag === "string" ? [tag.trim().toLowerCase()] : [])) : [];
}
