import { own } from "../own.ts";
import { type Fields, isObject, textOf } from "../shape.ts";

/** File and line of the first location of a result. */
export function placeOf(result: Fields): { file: unknown; line: unknown } {
  const place = physicalLocationOf(result);
  const artifact = isObject(place.artifactLocation) ? place.artifactLocation : {};
  const region = isObject(place.region) ? place.region : {};
  return { file: artifact.uri, line: region.startLine };
}

/**
 * The message of a result: its own text, else the text of the rule that it refers to, else the description of the rule.
 */
export function messageOf({ message, ruleId }: Fields, rule: Fields | undefined): unknown {
  const own = isObject(message) ? message : {};
  return own.text || own.markdown || messageString(own, rule) || textIn(rule?.shortDescription) || ruleId || rule?.id;
}

/**
 * The text of a message that has only the id of a text of the rule, with its arguments filled in (SARIF 2.1.0, 3.11.7).
 */
function messageString(message: Fields, rule: Fields | undefined): string | undefined {
  const strings = isObject(rule?.messageStrings) ? rule.messageStrings : {};
  const text = typeof message.id === "string" ? textIn(own(strings, message.id)) : undefined;
  return text === undefined ? undefined : filledIn(text, Array.isArray(message.arguments) ? message.arguments : []);
}

/**
 * Most characters of such a text, far more than a description keeps. Without a limit, a long argument that is used in
 * many places would give gigabytes.
 */
const maxMessage = 16_384;

function filledIn(text: string, values: readonly unknown[]): string {
  let message = "";
  for (const part of text.slice(0, maxMessage).split(/(\{\d+\})/)) {
    const [, index] = /^\{(\d+)\}$/.exec(part) ?? [];
    message += ((index && textOf(values[Number(index)])) || part).slice(0, maxMessage - message.length);
    if (message.length === maxMessage) break;
  }
  return message;
}

function textIn(value: unknown): string | undefined {
  return isObject(value) && typeof value.text === "string" ? value.text : undefined;
}

/** The lines of code that a result shows. In the results of a secret scanner they contain the secret. */
export function codeOf(result: Fields): unknown[] {
  const { region, contextRegion } = physicalLocationOf(result);
  return [region, contextRegion].map((shown) => (isObject(shown) ? textIn(shown.snippet) : undefined));
}

function physicalLocationOf({ locations }: Fields): Fields {
  const [location] = Array.isArray(locations) ? locations : [];
  return isObject(location) && isObject(location.physicalLocation) ? location.physicalLocation : {};
}

const harmless: readonly unknown[] = ["pass", "notApplicable", "informational"];

/**
 * Whether a result is a fault that still exists (SARIF 2.1.0, 3.27.9 and 3.27.24). `open` and `review` leave the
 * decision to a person, and there are tools that write nothing else: Nuclei and Nosey Parker.
 */
export function isOpen({ kind, baselineState }: Fields): boolean {
  return !harmless.includes(kind) && baselineState !== "absent";
}

/**
 * Whether a result is suppressed. A suppression under review or rejected does not count (SARIF 2.1.0, 3.27.23 and
 * 3.35.3).
 */
export function isSuppressed({ suppressions }: Fields): boolean {
  return (
    Array.isArray(suppressions) &&
    suppressions.length > 0 &&
    !suppressions.some((entry) => isObject(entry) && (entry.status === "underReview" || entry.status === "rejected"))
  );
}
