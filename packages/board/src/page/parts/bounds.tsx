import type { Bounds } from "../data/session.ts";

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
