import Joi from "joi";
import leven from "leven";

/** The name that is nearest to a text, if one is near: at most a third of its letters differ, not counting capitals. */
export function nearName(text: string, names: readonly string[]): string | undefined {
  const written = text.slice(0, 200).toLowerCase();
  const [near] = names
    .map((name) => ({ name, distance: name.endsWith(`.${written}`) ? 0 : leven(written, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= name.length / 3)
    .sort((a, b) => a.distance - b.distance);
  return near?.name;
}

/**
 * The schema of a mapping in a file of settings. Of a key that it does not take it tells the one that may be meant, or else
 * all there are.
 *
 * @param told what is wrong with such a key, among the names of all others
 */
export function mapping(
  keys: Joi.PartialSchemaMap,
  told: (key: string, names: readonly string[]) => string = notASetting,
): Joi.ObjectSchema {
  const names = Object.keys(keys);
  return Joi.object(keys).error((errors) => {
    for (const error of errors) {
      // Those of the mappings in this one are told already.
      if (error.code === "object.unknown") error.message ??= told(String(error.local.child), names);
    }
    return errors as unknown as Error; // the list is what joi takes: its types lack it
  });
}

function notASetting(key: string, names: readonly string[]): string {
  const near = nearName(key, names);
  return `is not a setting; ${near ? `did you mean ${near}?` : `there are ${names.join(", ")}`}`;
}
