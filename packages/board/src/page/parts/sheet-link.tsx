import { hrefOf, place } from "../place.ts";

/** Leads to the organisation, an area or a team on one sheet of paper. */
export function SheetLink() {
  return (
    <p class="sheet-link">
      <a href={hrefOf({ ...place.value, view: "sheet" })}>Sheet for a meeting</a>
    </p>
  );
}
