/** `; did you mean image_scan?`, or nothing where no name is near: where more than a third of its letters is another. */
export function didYouMean(text: string, names: readonly string[]): string {
  const near = names
    .map((name) => ({ name, distance: distanceOf(text.slice(0, 100), name) }))
    .filter(({ name, distance }) => distance <= name.length / 3)
    .sort((a, b) => a.distance - b.distance)[0];
  return near ? `; did you mean ${near.name}?` : "";
}

/** How many letters must be added, taken away or replaced (Levenshtein), capitals aside. */
function distanceOf(text: string, name: string): number {
  const letters = [...name.toLowerCase()];
  let row = [0, ...letters.map((_, index) => index + 1)];
  for (const [index, letter] of [...text.toLowerCase()].entries()) {
    const next = [index + 1];
    for (const [column, other] of letters.entries()) {
      const [left = 0, above = 0, before = 0] = [next[column], row[column + 1], row[column]];
      next.push(Math.min(left + 1, above + 1, before + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
