import { hrefOf, place } from "../place.ts";

/** Leads to the organisation, an area or a team on one sheet of paper, and to teams side by side. */
export function SheetLink() {
  const { env, area, team, view } = place.value;
  return (
    <p class="sheet-link">
      {!view && <a href={hrefOf({ ...place.value, view: "sheet" })}>Sheet for a meeting</a>}
      <a href={hrefOf({ view: "compare", env, area, team })}>
        {team ? "Compare with a team" : "Two teams side by side"}
      </a>
    </p>
  );
}
