import { severities } from "@maturity/core/wire";
import { itemFields } from "../lists/items.ts";
import { campaignStates } from "../model/campaign.ts";
import { count, type Json, object, text, textOrNull, timeOrNull } from "../openapi/operation.ts";

const names: Json = { type: "array", items: text };
const day: Json = { type: "string", format: "date" };
const min: Json = { type: "number", exclusiveMinimum: 0, maximum: 100 };

/** The counts of members, as JSON Schemas. */
export const progressFields: Json = {
  members: { ...count, description: "How many applications, each in each of its environments, belong to it now" },
  met: { ...count, description: "How many of them meet the goal; the progress is met / (members − waived − exempt)" },
  left: { ...count, description: "How many do not, and are neither waived nor exempt" },
  waived: { ...count, description: "How many need not, because a waiver is in force" },
  exempt: { ...count, description: "How many need not, because the policy exempts them" },
  joined: { ...count, description: "How many of the members belong to it only since a day after its start" },
  lost: { ...count, description: "How many of those left met the goal once" },
};

/** The fields of a campaign, as JSON Schemas. */
export const campaignFields: Json = {
  id: { type: "string", format: "uuid" },
  name: text,
  why: object({ text, url: { type: ["string", "null"], format: "uri" } }),
  owner: { ...text, description: "Who answers for it" },
  scope: {
    type: "object",
    properties: {
      areas: names,
      teams: { type: "array", items: object({ area: text, team: text }) },
      tier: { type: "array", items: { type: ["integer", "string"] } },
      labels: { type: "object", additionalProperties: names },
      env: names,
    },
    description:
      "The applications that it is for: of one of the areas or teams, and of all without both, that fit each further field. Only areas and teams within the bounds of the caller are shown",
  },
  goal: {
    oneOf: [
      object({ metric: { ...text, description: "As `scorecard.metric`" }, min }),
      object({ scorecard: text, min }),
      object({ level: text }),
      object({ no_open_problems: { type: "array", items: { enum: severities } } }, { problem_type: text }),
    ],
    description: "What an application has to reach",
  },
  starts: { ...day, description: "The day, in UTC, from which on it runs" },
  due: { ...day, description: "The last day, in UTC" },
  state: {
    enum: campaignStates,
    description:
      "A draft runs from `starts` on, and what runs ends after `due`; both also by hand. What is archived is out of the usual list",
  },
  created_at: itemFields.time,
  created_by: { ...text, description: "The name of the person, token or pipeline that made it" },
  ended_at: { ...timeOrNull, description: "When it ended; null before" },
  ended_by: {
    ...textOrNull,
    description: "The name of the person, token or pipeline that ended it; null if its date did",
  },
  progress: { ...object(progressFields), description: "Of the members that the caller may read and the filter leaves" },
};

export const campaignSchema: Json = object(campaignFields);

export const progressExample: Json = {
  ...{ members: 40, met: 22, left: 15, waived: 2, exempt: 1, joined: 3, lost: 1 },
};

export const campaignExample: Json = {
  ...{ id: "0195e1f4-6c1b-4d2a-9d55-1f6a0c2f7b3e", name: "No secrets in production" },
  why: { text: "Secrets in repositories were the cause of two incidents.", url: "https://wiki.example.com/secrets" },
  ...{ owner: "security office", scope: { areas: ["shop"], env: ["prod"] } },
  goal: { metric: "security.secret_scan", min: 100 },
  ...{ starts: "2026-01-12", due: "2026-03-31", state: "running" },
  ...{ created_at: "2026-01-05T09:30:00.000Z", created_by: "ann@example.com", ended_at: null, ended_by: null },
  progress: progressExample,
};
