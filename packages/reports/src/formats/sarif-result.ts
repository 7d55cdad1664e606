import { type Fields, isObject, textOf } from "../shape.ts";

/** File and line of the first location of a result. */
export function placeOf(result: Fields): { file: unknown; line: unknown } {
  const place = physicalLocationOf(result);
  const artifact = isObject(place.artifactLocation) ? place.artifactLocation : {};
  const region = isObject(place.region) ? place.region : {};
  return { file: artifact.uri, line: region.startLine };
}

/** The message of a result: its own text, the rule's text it refers to, or what the rule is about. */
export function messageOf({ message, ruleId }: Fields, rule: Fields | undefined): unknown {
  const own = isObject(message) ? message : {};
  return own.text || own.markdown || messageString(own, rule) || textIn(rule?.shortDescription) || ruleId || rule?.id;
}

/** SARIF 2.1.0, 3.11.7: the text of a message that only names it, with its arguments filled in. */
function messageString(message: Fields, rule: Fields | undefined): string | undefined {
  const strings = isObject(rule?.messageStrings) ? rule.messageStrings : {};
  const id = typeof message.id === "string" && Object.hasOwn(strings, message.id) ? message.id : undefined;
  const text = id === undefined ? undefined : textIn(strings[id]);
  const values = Array.isArray(message.arguments) ? message.arguments : [];
  return text?.replace(/\{(\d+)\}/g, (hole, index) => textOf(values[Number(index)]) ?? hole);
}

function textIn(value: unknown): string | undefined {
  return isObject(value) && typeof value.text === "string" ? value.text : undefined;
}

/** The code that a result shows, which in that of a secret scanner holds the secret. */
export function codeOf(result: Fields): unknown[] {
  const { region, contextRegion } = physicalLocationOf(result);
  return [region, contextRegion].map((shown) => (isObject(shown) ? textIn(shown.snippet) : undefined));
}

function physicalLocationOf({ locations }: Fields): Fields {
  const [location] = Array.isArray(locations) ? locations : [];
  return isObject(location) && isObject(location.physicalLocation) ? location.physicalLocation : {};
}
