import type { ComponentChildren } from "preact";
import { Chips, Heading } from "./heading.tsx";
import { Listing } from "./listing.tsx";

/** A screen that is one list under its heading. */
export function ListScreen<Item extends object>({
  title,
  views,
  chips,
  ...listing
}: Parameters<typeof Listing<Item>>[0] & {
  readonly title: string;
  /** The lists beside this one. */
  readonly views?: ComponentChildren;
  /** What can be chosen, beside what narrows the list. */
  readonly chips?: ComponentChildren;
}) {
  return (
    <>
      <Heading>{title}</Heading>
      {views}
      <Chips>{chips}</Chips>
      <Listing {...listing} />
    </>
  );
}
