import type Joi from "joi";
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
 * What is wrong with a key of a file that its place does not take: the key that it may be meant for, or else all there are.
 *
 * @param path of the key
 */
export function unknownSetting(schema: Joi.Schema, path: readonly (string | number)[]): string {
  const place = path.slice(0, -1).reduce<Described>((above, key) => {
    const below = typeof key === "number" ? above.items?.[0] : above.keys?.[key];
    return below ?? {};
  }, schema.describe() as Described);
  const names = Object.keys(place.keys ?? {});
  const near = nearName(String(path.at(-1)), names);
  return `is not a setting; ${near ? `did you mean ${near}?` : `there are ${names.join(", ")}`}`;
}

/** What joi tells of a schema, as far as keys go. */
interface Described {
  readonly keys?: Readonly<Record<string, Described>>;
  readonly items?: readonly Described[];
}
