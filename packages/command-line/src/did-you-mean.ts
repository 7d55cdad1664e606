import leven from "leven";

/**
 * The end of an error message about a name that is none of these: `; did you mean sast? There are …`. The nearest stands
 * first, before a list that may be long.
 *
 * @param intro of the list
 */
export function insteadOf(text: string, names: readonly string[], intro = "there are"): string {
  const meant = didYouMean(text, names);
  const all = `${intro} ${names.join(", ")}`;
  return meant ? `${meant} ${all.charAt(0).toUpperCase()}${all.slice(1)}` : `; ${all}`;
}

/**
 * The end of an error message: `; did you mean image_scan?` with the nearest of the names. A name is near if at most a
 * third of its letters differ, not counting capitals. Empty if none is near.
 */
export function didYouMean(text: string, names: readonly string[]): string {
  const near = names
    .map((name) => ({ name, distance: leven(text.slice(0, 100).toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= name.length / 3)
    .sort((a, b) => a.distance - b.distance)[0];
  return near ? `; did you mean ${near.name}?` : "";
}
