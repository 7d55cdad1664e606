import { isoDay } from "../format.ts";
import { Field } from "../parts/field.tsx";

const day = 86_400_000;

/** Of a waiver of the kind `accepted`. */
const mostDays = 366;

const presets = [30, 90, 180, mostDays] as const;

/** The first moment of this day in UTC is at most so many days ahead. */
export function dayIn(days: number): string {
  return isoDay(Date.now() + days * day);
}

/** When a waiver ends: a day, or so many days from now. */
export function Ending({
  value,
  onChange,
  isRequired,
  fault,
}: {
  readonly value: string;
  readonly onChange: (day: string) => void;
  readonly isRequired: boolean;
  readonly fault: string | undefined;
}) {
  return (
    <Field
      label={isRequired ? "Ends on" : "Ends on (may be left empty)"}
      fault={fault}
      hint="When this day begins, by UTC."
    >
      {(attributes) => (
        <span class="row">
          <input
            {...attributes}
            type="date"
            name="expires_at"
            required={isRequired}
            min={dayIn(1)}
            max={isRequired ? dayIn(mostDays) : undefined}
            value={value}
            onInput={({ currentTarget }) => onChange(currentTarget.value)}
          />
          {presets.map((days) => (
            <button key={days} type="button" aria-pressed={value === dayIn(days)} onClick={() => onChange(dayIn(days))}>
              {days} days
            </button>
          ))}
        </span>
      )}
    </Field>
  );
}
