import { standing } from "../data/refresh.ts";
import { moment } from "../format.ts";
import { hrefOf, place } from "../place.ts";
import { printing } from "./printing.ts";

/** What a sheet of paper has to say about itself: of what, of when, and where it came from. */
export function PaperHead({ env }: { readonly env: string | undefined }) {
  const { at } = standing.value;
  if (!printing.value) return null;
  return (
    <p class="paper">
      Maturity, <bdi>{env}</bdi>
      {at !== undefined && `, as of ${moment(at)}`}
      <br />
      {new URL(hrefOf(place.value), document.baseURI).href}
    </p>
  );
}
