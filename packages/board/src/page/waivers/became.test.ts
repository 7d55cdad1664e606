import type { Waiver } from "@maturity/client";
import { expect, test } from "vitest";
import { endText, latestOf } from "./became.ts";

const past = "2020-02-03T12:00:00Z";
const ahead = "2999-02-03T12:00:00Z";

test.each<[Waiver["state"], string | null, RegExp]>([
  ["approved", null, /^no end$/],
  ["approved", ahead, /^ends in .* d, on 3 Feb 2999$/],
  ["approved", past, /^ended on 3 Feb 2020$/],
  ["expired", past, /^ended on 3 Feb 2020$/],
  ["requested", ahead, /^ends in .* d, on 3 Feb 2999$/],
  ["requested", past, /^would have ended on 3 Feb 2020$/],
  ["rejected", ahead, /^would have ended on 3 Feb 2999$/],
  ["withdrawn", past, /^would have ended on 3 Feb 2020$/],
  ["revoked", ahead, /^would have ended on 3 Feb 2999$/],
])("the end of a waiver that is %s until %s", (state, expires_at, text) => {
  expect(endText({ state, expires_at })).toMatch(text);
});

test.each<[Waiver["state"], object]>([
  ["requested", { by: null, at: null, comment: null }],
  ["approved", { by: "grace", at: "2020-01-01T00:00:00Z", comment: "for a while" }],
  ["rejected", { by: "grace", at: "2020-01-01T00:00:00Z", comment: "for a while" }],
  ["revoked", { by: "ada", at: "2020-01-02T00:00:00Z", comment: null }],
  ["expired", { by: null, at: past, comment: null }],
])("by whom and when a waiver became %s", (state, latest) => {
  const decided = { decided_by: "grace", decided_at: "2020-01-01T00:00:00Z", comment: "for a while" };
  const undecided = { decided_by: null, decided_at: null, comment: null };
  const revoked = state === "revoked" ? { revoked_by: "ada", revoked_at: "2020-01-02T00:00:00Z" } : {};
  const waiver = { state, expires_at: past, revoked_by: null, revoked_at: null, ...revoked };
  expect(latestOf({ ...(waiver as Waiver), ...(state === "requested" ? undecided : decided) })).toEqual(latest);
});
