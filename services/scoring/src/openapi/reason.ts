import { type Json, object } from "./operation.ts";

/** The schema of a reason of a score. */
export const reasonSchema: Json = object(
  {
    field: { type: "string", description: "Name of the raw input field" },
    value: { description: "The value it had" },
    text: { type: "string", description: "One plain sentence" },
  },
  {
    code: {
      type: "string",
      description: "Identifies the sentence, such as `rises` or `leaves`, so that a client can word it in its own way",
    },
    values: {
      type: "object",
      additionalProperties: { type: ["number", "string", "boolean"] },
      description: "The figures of the sentence beside the value, by name",
    },
  },
);
