import { readBounds } from "../data/rights.ts";
import { type Bounds, session } from "../data/session.ts";

/** Bounds in words: `area shop, team checkout or area payments`. */
export function BoundsText({ of }: { readonly of: readonly Bounds[] }) {
  return (
    <>
      {of.map((bounds, at) => (
        <span key={at}>
          {at > 0 && " or "}
          {Object.entries(bounds).map(([field, name], index) => (
            <span key={field}>
              {index > 0 && ", "}
              {field} <b dir="auto">{name}</b>
            </span>
          ))}
        </span>
      ))}
    </>
  );
}

/** Says that the averages of a part are not those of the organisation. */
export function PartNote() {
  const bounds = readBounds(session.value);
  if (bounds.length === 0) return null;
  return (
    <p class="soft" role="note">
      A part of the organisation: you may read <BoundsText of={bounds} />.
    </p>
  );
}
