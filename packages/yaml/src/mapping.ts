import Joi from "joi";
import leven from "leven";

/** A comparison takes time by the letters of both texts. Longer texts have no near name. */
const maxLetters = 50;

/** The most names that a text is compared with. */
const maxNames = 500;

/**
 * The name that differs least from a text, ignoring case; undefined if more than a third of its letters differ. Of more
 * than 500 names of about the same length, only the first 500 count.
 */
export function nearName(text: string, names: readonly string[]): string | undefined {
  if (text.length > maxLetters) return undefined;
  const written = text.toLowerCase();
  const isPart = (name: string) => name.endsWith(`.${written}`);
  const [near] = names
    .filter((name) => isPart(name) || Math.abs(name.length - written.length) <= name.length / 3)
    .slice(0, maxNames)
    .map((name) => ({ name, distance: isPart(name) ? 0 : distanceOf(written, name) }))
    .filter(({ name, distance }) => distance <= name.length / 3)
    .sort((a, b) => a.distance - b.distance);
  return near?.name;
}

function distanceOf(written: string, name: string): number {
  return leven(written, name.toLowerCase(), { maxDistance: Math.floor(name.length / 3) + 1 });
}

/**
 * The schema of a mapping in a settings file. The message about an unknown key names the key that may be meant, or else all
 * known keys.
 *
 * @param unknownKey words that message
 */
export function mapping(
  keys: Joi.PartialSchemaMap,
  unknownKey: (key: string, names: readonly string[]) => string = notASetting,
): Joi.ObjectSchema {
  const names = Object.keys(keys);
  return wordUnknownKeys(Joi.object(keys), (key) => unknownKey(key, names));
}

/** The same schema with a message of its own about an unknown key. */
export function wordUnknownKeys(schema: Joi.ObjectSchema, unknownKey: (key: string) => string): Joi.ObjectSchema {
  return schema.error((errors) => {
    for (const error of errors) {
      // The schema of a nested mapping has set its messages already.
      if (error.code === "object.unknown") error.message ??= unknownKey(String(error.local.child));
    }
    return errors as unknown as Error; // joi takes a list, though its types do not say so
  });
}

function notASetting(key: string, names: readonly string[]): string {
  const near = nearName(key, names);
  return `is not a setting; ${near ? `did you mean ${near}?` : `there are ${names.join(", ")}`}`;
}
