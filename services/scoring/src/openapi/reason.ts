import { type Json, object } from "./operation.ts";

/** One reason of a score. */
export const reasonSchema: Json = {
  ...object({
    field: { type: "string", description: "Name of the raw input field" },
    value: { description: "The value it had" },
    text: { type: "string", description: "One plain sentence" },
    code: { type: "string", description: "Which sentence it is, such as `rises` or `leaves`, to word it anew" },
    values: {
      type: "object",
      additionalProperties: { type: ["number", "string", "boolean"] },
      description: "The figures of the sentence beside the value, by name",
    },
  }),
  required: ["field", "value", "text"],
};
