import type { Input, RawSchema } from "./scorecard.ts";

/**
 * The validator of an object with these inputs: each is required and lies in its range, and all faults are found at once.
 * Fields beside them pass. Nothing is converted but a flag that is written as 0 or 1.
 */
export function schemaOf<Raw extends object>(inputs: Readonly<Record<string, Input>>): RawSchema<Raw> {
  const fields = Object.entries(inputs);
  const flags = fields.flatMap(([field, { type }]) => (type === "boolean" ? [field] : []));
  const jsonSchema = () => ({
    type: "object",
    properties: Object.fromEntries(fields.map(([field, input]) => [field, describe(input)])),
    required: fields.map(([field]) => field),
  });
  return {
    "~standard": {
      version: 1,
      vendor: "maturity",
      validate(value) {
        if (typeof value !== "object" || value === null) return { issues: [{ message: "must be an object" }] };
        const raw = value as Readonly<Record<string, unknown>>;
        const issues = fields.flatMap(([field, input]) => {
          const message = faultOf(Object.hasOwn(raw, field) ? raw[field] : undefined, input);
          return message ? [{ path: [field], message }] : [];
        });
        if (issues.length > 0) return { issues };
        const isWritten = flags.every((field) => typeof raw[field] === "boolean");
        const read = isWritten
          ? raw
          : { ...raw, ...Object.fromEntries(flags.map((field) => [field, Boolean(raw[field])])) };
        return { value: read as Raw };
      },
      jsonSchema: { input: jsonSchema, output: jsonSchema },
    },
  };
}

function describe({ type = "number", min, max }: Input): Readonly<Record<string, unknown>> {
  if (type === "boolean") return { anyOf: [{ type: "boolean" }, { enum: [0, 1], type: "number" }] };
  return { type, ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) };
}

/** Why a value does not fit, or undefined when it does. */
function faultOf(value: unknown, { type = "number", min, max, outOfRange }: Input): string | undefined {
  if (value === undefined) return "is required";
  if (type === "boolean") {
    return typeof value === "boolean" || value === 0 || value === 1 ? undefined : "must be true or false";
  }
  if (typeof value !== "number" || !Number.isFinite(value)) return "must be a number";
  if (type === "integer" && !Number.isInteger(value)) return "must be an integer";
  if (min !== undefined && value < min) return outOfRange ?? `must be greater than or equal to ${min}`;
  if (max !== undefined && value > max) return outOfRange ?? `must be less than or equal to ${max}`;
  return undefined;
}
