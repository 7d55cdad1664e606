/**
 * How a value is written in a reason: with a unit behind the number (`"%"`), with its singular and plural
 * (`["replica", "replicas"]`), or by a function such as `minutesAsTime`.
 */
export type Unit = string | readonly [singular: string, plural: string] | ((value: number) => string);

/** The function that writes a value with its unit; without a unit it writes the number alone. */
export function writerOf(unit: Unit | undefined): (value: number) => string {
  if (!unit) return writeNumber;
  if (typeof unit === "function") return unit;
  if (typeof unit === "string") return (value) => `${writeNumber(value)} ${unit}`;
  return (value) => writeCount(value, unit);
}

/** `1 bug`, `0 bugs`, `1,200 bugs`. */
export function writeCount(count: number, [singular, plural]: readonly [string, string]): string {
  return `${writeNumber(count)} ${count === 1 ? singular : plural}`;
}

const numbers = new Intl.NumberFormat("en-US", {
  maximumFractionDigits: 4,
  maximumSignificantDigits: 4,
  roundingPriority: "morePrecision",
});

/**
 * `1,440`, `99.95`, `0.001234`: with separators of thousands, and with four decimals or four significant digits at the most,
 * whichever are more. Further digits hardly change a score.
 */
export function writeNumber(value: number): string {
  const size = Math.abs(value);
  if (size >= 999 || size < 0.1) return value === 0 ? "0" : numbers.format(value);
  // The same as Intl gives, about ten times as fast.
  return String(Math.round(value * 10_000) / 10_000);
}

/** `63 %`, `0.25 %`: a share from 0 to 1 with two digits. Neither end is claimed of a share that only comes near it. */
export function writeShare(share: number): string {
  if (share < 0.001) return "less than 0.1 %";
  if (share >= 0.995) return "more than 99 %";
  return `${Number((share * 100).toPrecision(2))} %`;
}

/** `2 %` of 0.02: the unit of a fraction from 0 to 1. */
export function fractionAsPercent(fraction: number): string {
  return `${writeNumber(fraction * 100)} %`;
}

const spans = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** `4 hours` of 240, `1 day 30 minutes` of 1,470, `30 seconds` of 0.5: the unit of a number of minutes. */
export function minutesAsTime(minutes: number): string {
  const size = Math.abs(minutes);
  const sign = minutes < 0 ? "-" : "";
  if (size < 1) return sign + writeCount(size * 60, ["second", "seconds"]);
  let seconds = Math.round(size * 60);
  const parts: string[] = [];
  for (const [name, length] of spans) {
    const count = Math.floor(seconds / length);
    seconds -= count * length;
    if (count > 0) parts.push(writeCount(count, [name, `${name}s`]));
  }
  return sign + parts.join(" ");
}
