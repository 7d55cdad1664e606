import type { View } from "../place.ts";

/** The section of the docs about a view, where it is not about the Board as a whole. */
const sections: Partial<Record<View, string>> = {
  organisation: "reading.html#who-is-worst",
  team: "reading.html#who-is-worst",
  application: "reading.html#why-does-cart-score-63",
  metric: "concepts.html#what-is-scored",
  stale: "reading.html#what-is-stale-by-its-own-promise",
  changes: "reading.html#what-got-worse-and-was-it-us-or-the-rules",
  problems: "reading.html#what-is-open",
  waivers: "deciding.html#what-does-not-count-for-a-time",
  waiting: "deciding.html#ask-for-a-waiver",
  asked: "deciding.html#ask-for-a-waiver",
  campaigns: "board.html#making-a-campaign-and-ending-it",
  campaign: "board.html#making-a-campaign-and-ending-it",
};

/** The page of the docs that says what a view shows, below `/docs/`. */
export function docsPageOf(view: View): string {
  return sections[view] ?? "board.html#what-it-shows";
}
