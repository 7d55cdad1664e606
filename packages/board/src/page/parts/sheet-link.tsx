import { hrefOf, place } from "../place.ts";

/** Leads to a team or an area on one sheet of paper. */
export function SheetLink() {
  return (
    <p class="sheet-link">
      <a href={hrefOf({ ...place.value, view: "sheet" })}>Sheet for a meeting</a>
    </p>
  );
}
