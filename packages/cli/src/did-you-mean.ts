import leven from "leven";

/** `; did you mean image_scan?`, or nothing where no name is near: more than a third of its letters is another, capitals aside. */
export function didYouMean(text: string, names: readonly string[]): string {
  const near = names
    .map((name) => ({ name, distance: leven(text.slice(0, 100).toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= name.length / 3)
    .sort((a, b) => a.distance - b.distance)[0];
  return near ? `; did you mean ${near.name}?` : "";
}
