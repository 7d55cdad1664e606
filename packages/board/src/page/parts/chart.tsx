import { useSignal } from "@preact/signals";
import type { ComponentChildren, TargetedKeyboardEvent, TargetedPointerEvent } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { dayOf } from "../format.ts";
import { type Dated, dayAt, dayNumber, dayTicks, pathThrough } from "./chart-scale.ts";
import { csvOf, fileName, save } from "./csv.ts";

/** What happened on a day. */
export interface Mark {
  readonly day: string;
  readonly text: string;
}

/** A straight line to a goal, between two points. */
export interface Aim {
  readonly name: string;
  readonly from: { readonly day: string; readonly value: number };
  readonly to: { readonly day: string; readonly value: number };
}

const height = 220;
const edge = { top: 14, right: 14, bottom: 26, left: 44 };

/** A column of the table that says the same as the chart. */
interface Column {
  readonly name: string;
  /** Undefined where it is not known. */
  of(day: string): string | undefined;
  /** As a file has it, where that is a number. */
  saved?(day: string): number | undefined;
}

/**
 * Values by the day, with the axes, what happened, and straight lines to goals. Arrows go from day to day; the table below has
 * all that is drawn.
 */
export function Chart({
  label,
  name,
  values,
  from,
  to,
  ticks,
  say,
  marks = [],
  aims = [],
  columns = [],
  of,
  children,
}: {
  readonly label: string;
  /** What the values are. */
  readonly name: string;
  readonly values: readonly Dated[];
  /** The first and the last day of the axis. */
  readonly from: string;
  readonly to: string;
  /** The values that the axis names, the least first. */
  readonly ticks: readonly number[];
  /** A value as it is written. */
  readonly say: (value: number) => string;
  readonly marks?: readonly Mark[];
  readonly aims?: readonly Aim[];
  /** More to say of a day. */
  readonly columns?: readonly Column[];
  /** Of what and where the values are, for CSV. */
  readonly of: Readonly<Record<string, string | undefined>>;
  /** Beside the buttons. */
  readonly children?: ComponentChildren;
}) {
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const width = useSignal(720);
  const isTable = useSignal(false);
  const chosen = useSignal<string | undefined>(undefined);
  useLayoutEffect(() => {
    const measure = () => {
      width.value = Math.max(frame.current?.clientWidth ?? 0, 280);
    };
    measure();
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, []);

  const [first, last] = [dayNumber(from), Math.max(dayNumber(to), dayNumber(from) + 1)];
  const [bottom = 0, top = 100] = [ticks[0], ticks.at(-1)];
  const right = width.value - edge.right;
  const x = (at: number) => edge.left + ((at - first) / (last - first)) * (right - edge.left);
  const y = (value: number) =>
    height - edge.bottom - ((value - bottom) / (top - bottom)) * (height - edge.bottom - edge.top);

  const known = new Map(values.map(({ day, value }) => [day, value]));
  const marked = Map.groupBy(marks, ({ day }) => day);
  const days = [...new Set([...known.keys(), ...marked.keys()])].filter((day) => day >= from && day <= to).sort();
  const textOf = (day: string) => {
    const value = known.get(day);
    const happened = marked.get(day)?.map(({ text }) => text) ?? [];
    const more = columns.flatMap(({ name, of }) => {
      const text = of(day);
      return text === undefined ? [] : [`${text} ${name}`];
    });
    const texts = [
      typeof value === "number" ? say(value) : "not recorded",
      ...(known.has(day) ? more : []),
      ...happened,
    ];
    return `${dayOf(day)}: ${texts.join(", ")}`;
  };
  // What is still to come is no day to begin with.
  const latest = days.findLastIndex((day) => known.has(day));
  const index = Math.max(days.indexOf(chosen.value ?? ""), chosen.value === undefined ? latest : 0);
  const shown = days[index];

  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const steps: Readonly<Record<string, number>> = {
      ...{ ArrowLeft: index - 1, ArrowDown: index - 1, ArrowRight: index + 1, ArrowUp: index + 1 },
      ...{ Home: 0, End: days.length - 1, PageUp: index + 7, PageDown: index - 7 },
    };
    const next = steps[event.key];
    if (next === undefined || days.length === 0) return;
    event.preventDefault();
    chosen.value = days[Math.min(Math.max(next, 0), days.length - 1)];
  };
  const onPointerMove = ({ clientX, currentTarget }: TargetedPointerEvent<HTMLDivElement>) => {
    const { left, width: whole } = currentTarget.getBoundingClientRect();
    const at = first + (((clientX - left) / whole) * width.value - edge.left) / ((right - edge.left) / (last - first));
    const distance = (day: string) => Math.abs(dayNumber(day) - at);
    chosen.value = days.reduce<string | undefined>(
      (nearest, day) => (nearest === undefined || distance(day) < distance(nearest) ? day : nearest),
      undefined,
    );
  };
  const saveCsv = () => {
    const head = ["day", name, ...columns.map((column) => column.name), "what happened", ...Object.keys(of)];
    const rows = days.map((day) => [
      ...[
        day,
        known.get(day)?.toFixed(2),
        ...columns.map(({ of, saved }) => (saved ? saved(day)?.toFixed(2) : of(day))),
      ],
      marked
        .get(day)
        ?.map(({ text }) => text)
        .join("; "),
      ...Object.values(of),
    ]);
    save(fileName(of.env, "days"), csvOf([head, ...rows]));
  };

  if (shown === undefined) return null;
  const value = known.get(shown);
  return (
    <figure class="chart" aria-labelledby={id}>
      <figcaption>
        <span id={id}>{label}</span>
        {children}
        <span class="actions">
          <button
            type="button"
            aria-pressed={isTable.value}
            onClick={() => {
              isTable.value = !isTable.value;
            }}
          >
            Table<span class="sr"> of {label}</span>
          </button>
          <button type="button" onClick={saveCsv}>
            CSV<span class="sr"> of {label}</span>
          </button>
        </span>
      </figcaption>
      <div
        ref={frame}
        class="plot"
        role="slider"
        tabIndex={0}
        aria-label={`${label}: the day`}
        aria-valuemin={0}
        aria-valuemax={days.length - 1}
        aria-valuenow={index}
        aria-valuetext={textOf(shown)}
        onKeyDown={onKeyDown}
        onPointerMove={onPointerMove}
      >
        <svg viewBox={`0 0 ${width.value} ${height}`} aria-hidden="true">
          {ticks.map((tick) => (
            <g key={tick}>
              <line class="grid" x1={edge.left} x2={right} y1={y(tick)} y2={y(tick)} />
              <text x={edge.left - 8} y={y(tick) + 4} text-anchor="end">
                {say(tick)}
              </text>
            </g>
          ))}
          {dayTicks(first, last, Math.floor((right - edge.left) / 112)).map((at) => (
            <text
              key={at}
              x={x(at)}
              y={height - 6}
              text-anchor={at === first ? "start" : at === last ? "end" : "middle"}
            >
              {dayOf(dayAt(at))}
            </text>
          ))}
          {[...marked.keys()]
            .filter((day) => day >= from && day <= to)
            .map((day) => (
              <g key={day} class="mark">
                <line x1={x(dayNumber(day))} x2={x(dayNumber(day))} y1={edge.top} y2={height - edge.bottom} />
                <path d={`M${x(dayNumber(day)) - 5} 4h10l-5 8z`} />
              </g>
            ))}
          {aims.map((aim) => (
            <path
              key={aim.name}
              class="aim"
              d={pathThrough(
                [aim.from, aim.to].map(({ day, value }) => ({ day, value })),
                x,
                y,
                Number.POSITIVE_INFINITY,
              )}
            />
          ))}
          <path class="values" d={pathThrough(values, x, y)} />
          {typeof value === "number" && <circle cx={x(dayNumber(shown))} cy={y(value)} r={4} />}
        </svg>
      </div>
      <p class="day" aria-hidden="true">
        {textOf(shown)}
      </p>
      {(aims.length > 0 || marks.length > 0) && (
        <p class="legend">
          <span class="key">
            <Sample kind="values" /> {name}
          </span>
          {aims.map((aim) => (
            <span key={aim.name} class="key">
              <Sample kind="aim" />
              <bdi>{aim.name}</bdi>
            </span>
          ))}
          {marks.length > 0 && (
            <span class="key">
              <svg width={12} height={10} class="mark" aria-hidden="true">
                <path d="M1 1h10l-5 8z" />
              </svg>
              something else happened, or is due
            </span>
          )}
        </p>
      )}
      {isTable.value && (
        <div class="frame days">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
          <section tabIndex={0} aria-label={`Table of ${label}`}>
            <table>
              <thead>
                <tr>
                  {["Day", name, ...columns.map((column) => column.name), "What happened"].map((head) => (
                    <th key={head} scope="col">
                      {head}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {days.toReversed().map((day) => {
                  const value = known.get(day);
                  return (
                    <tr key={day}>
                      <th scope="row">
                        <time dateTime={day}>{dayOf(day)}</time>
                      </th>
                      <td>{typeof value === "number" ? say(value) : "–"}</td>
                      {columns.map((column) => (
                        <td key={column.name}>{(known.has(day) && column.of(day)) || "–"}</td>
                      ))}
                      <td>
                        {marked.get(day)?.map(({ text }, at) => (
                          <bdi key={at}>
                            {at > 0 && "; "}
                            {text}
                          </bdi>
                        ))}
                      </td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </section>
        </div>
      )}
    </figure>
  );
}

function Sample({ kind }: { readonly kind: "values" | "aim" }) {
  return (
    <svg width={24} height={10} aria-hidden="true">
      <path class={kind} d="M0 5h24" />
    </svg>
  );
}
