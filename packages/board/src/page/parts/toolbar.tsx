import { standing } from "../data/refresh.ts";
import { count, isoDay, plural } from "../format.ts";
import { change, place, type View, viewOf } from "../place.ts";
import { type Column, isNamed } from "./column.ts";
import { CopyLink } from "./copy.tsx";
import { csvOf, fileName, save, savedRows } from "./csv.ts";
import { printing, usePrinting } from "./printing.ts";

/** What they show is in no environment. */
const ofAllEnvironments: ReadonlySet<View> = new Set(["campaigns", "happened"]);

/** What a list shows of how much, and what can be done with it. */
export function Toolbar<Row>({
  name,
  of,
  columns,
  rows,
  read,
  total,
}: {
  readonly name: string;
  /** What a row is: `application`. */
  readonly of: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly read: number;
  readonly total: number;
}) {
  const { q = "", all } = place.value;
  const saveCsv = () => {
    const env = ofAllEnvironments.has(viewOf(place.value)) ? undefined : place.value.env;
    const day = isoDay(standing.peek().at ?? Date.now());
    const more = env === undefined ? { day } : { env, day };
    save(fileName(env, day), csvOf(savedRows(of, columns, rows, more)));
  };
  const isCapped = read < total;
  const printAll = usePrinting(!isCapped);
  return (
    <div class="toolbar">
      {columns.some(isNamed) && (
        <input
          type="search"
          class="filter"
          aria-label={`Filter: ${name}`}
          placeholder="Filter by name"
          value={q}
          onInput={({ currentTarget }) => change({ q: currentTarget.value }, { replace: true })}
        />
      )}
      <span role="status">
        {rows.length < total && (isCapped && q !== "" ? count(rows.length) : `${count(rows.length)} of `)}
        {!(isCapped && q !== "") && plural(total, of)}
        {q !== "" && (
          <>
            {" "}
            with “<bdi>{q}</bdi>”
          </>
        )}
        {isCapped && q !== "" && ` among the ${count(read)} read of ${plural(total, of)}`}
      </span>
      {isCapped && !all && (
        <button type="button" onClick={() => change({ all: "1" }, { replace: true })}>
          Read all {count(total)}
        </button>
      )}
      {isCapped && printing.value && (
        <p class="paper">
          Only {count(read)} of {count(total)} had been read when this was printed. The button Print of the page reads
          all of them first.
        </p>
      )}
      <span class="actions">
        <CopyLink />
        <button type="button" onClick={saveCsv}>
          CSV
        </button>
        <button type="button" onClick={printAll}>
          Print
        </button>
      </span>
    </div>
  );
}
