import type { ComponentChildren } from "preact";
import type { Reading } from "../data/reading.ts";
import type { Column } from "./column.ts";
import { Elsewhere } from "./elsewhere.tsx";
import { Grid } from "./grid.tsx";
import type { Order } from "./rows.ts";
import { Read } from "./states.tsx";

/** A list of the service as a grid, or what stands in its place. */
export function Listing<Item extends object>({
  reading,
  nothing,
  env,
  isEmpty = (items) => items.length === 0,
  empty = <Elsewhere what={nothing} env={env} />,
  before,
  after,
  hasFigures = false,
  ...grid
}: {
  readonly reading: Reading<Item> | undefined;
  /** What it means that it is empty: `No problem is open`. */
  readonly nothing: string;
  /** Undefined for a list of all environments. */
  readonly env: string | undefined;
  /** Whether it says nothing, where it has items without any. */
  readonly isEmpty?: (items: readonly Item[]) => boolean;
  /** In place of saying so. */
  readonly empty?: ComponentChildren;
  readonly before?: (items: readonly Item[]) => ComponentChildren;
  readonly after?: ComponentChildren;
  /** Do figures stand before it? */
  readonly hasFigures?: boolean;
  readonly label: string;
  readonly of: string;
  readonly columns: readonly Column<Item>[];
  readonly order: Order;
  readonly given?: Order;
  readonly rowHeight?: number;
}) {
  return (
    <Read reading={reading} hasFigures={hasFigures}>
      {({ items, total }) =>
        isEmpty(items) ? (
          empty
        ) : (
          <>
            {before?.(items)}
            <Grid {...grid} rows={items} total={total} />
            {after}
          </>
        )
      }
    </Read>
  );
}
