import { cut } from "@maturity/core/wire";
import { type Subtree, shownName, shownTarget } from "../model/app-name.ts";
import { maxShown } from "../model/fields.ts";
import type { AuditAction } from "../store/audit.ts";
import type { Detailed } from "./audit-visible.ts";

/** Most names or settings that are named of many. */
const maxNamed = 3;

/** An action of which something is said. */
interface Said extends Detailed {
  /** What it was done to, such as `shop/checkout/cart (prod)`. */
  readonly target: string;
}

/**
 * What was done, in plain words after the name of its actor, such as `approved a waiver of security.dast for shop/checkout`.
 * It says only what the details of the action show. A day is one in UTC.
 */
export function textOf(action: Detailed): string {
  const { area, team, app, env } = action;
  const target = area === null ? "the organisation" : shownTarget({ area, team, app, env });
  // An instance of a later version may have recorded what this one does not know.
  return texts[action.action]?.({ ...action, target }) ?? action.action;
}

const texts: Readonly<Partial<Record<string, (action: Said) => string>>> = {
  "app.register": registered,
  "app.hold": ({ details }) => `held ${applications(details.applications)} that nobody registered`,
  "app.release": ({ details }) => `released ${applications(details.applications)} that nobody registered`,
  "app.move": ({ target, details: { to, merge } }) => {
    const where = isObject(to) ? shownName(to as unknown as Subtree) : "another part of the organisation";
    return merge === true ? `merged ${target} into ${where}` : `moved ${target} to ${where}`;
  },
  "app.retire": ({ target, details }) => `retired ${target}${because(details.reason)}`,
  "app.restore": ({ target }) => `brought ${target} back`,
  "waiver.create": (action) => `waived ${waived(action)}${because(action.details.reason)}`,
  "waiver.request": (action) => `asked for a waiver of ${waived(action)}${because(action.details.reason)}`,
  "waiver.approve": (action) => `approved a waiver of ${waived(action)}${asked(action)}`,
  "waiver.reject": (action) =>
    `rejected a waiver of ${waived(action)}${asked(action)}${because(action.details.comment)}`,
  "waiver.withdraw": (action) => `withdrew the request for a waiver of ${waived(action)}`,
  "waiver.revoke": (action) => `revoked the waiver of ${waived(action)}`,
  "campaign.create": (action) => `made ${campaign(action)}, due ${day(action.details.due)}`,
  "campaign.change": (action) => `changed ${campaign(action)}, due ${day(action.details.due)}`,
  "campaign.start": (action) => `started ${campaign(action)}, due ${day(action.details.due)}`,
  "campaign.end": (action) => `ended ${campaign(action)}`,
  "campaign.archive": (action) => `archived ${campaign(action)}`,
  "badge.create": ({ target }) => `made a badge of ${target}`,
  "badge.revoke": ({ target }) => `revoked a badge of ${target}`,
  "token.create": (action) => `made ${token(action)}`,
  "token.revoke": (action) => `revoked ${token(action)}`,
  "session.revoke": ({ details }) => `ended a session of ${quoted(details.name)}`,
  "policy.load": ({ details }) => {
    const changes = list(details.changes).filter(isObject);
    if (changes.length > 0 && changes.every(({ from }) => from === null)) return "loaded the first rules";
    const named = changes.map(({ setting, from, to }) => `${quoted(setting)} ${value(from)} → ${value(to)}`);
    return `loaded other rules: ${some(named, changes.length)}`;
  },
  "replay.apply": ({ details: { scorers, phase } }) => {
    const packages = list(scorers).map(quoted);
    const by = packages.length === 0 ? "" : ` by ${packages.join(", ")}`;
    return `${phase === "begin" ? "began to score" : "scored"} again what is stored${by}`;
  },
  "import.apply": ({ target }) => `imported rows of ${target}`,
  "history.rewrite": ({ details }) =>
    `wrote the roll-ups of ${day(details.day)} again, because earlier evidence came in`,
} satisfies Readonly<Record<AuditAction, (action: Said) => string>>;

function registered({ target, area, details: { registered, changed, apps } }: Said): string {
  const names = list(apps).map(quoted);
  const [isNew, isChanged] = [Number(registered) > 0, Number(changed) > 0];
  if (names.length === 1) return `${isChanged ? "changed the registration of" : "registered"} ${names[0]}`;
  const did = [
    isNew ? `registered ${applications(registered)}` : "",
    isChanged ? `changed the registration of ${applications(changed)}` : "",
  ].filter((text) => text !== "");
  return `${did.join(" and ") || "registered applications"}${area === null ? "" : ` of ${target}`}: ${some(names, names.length)}`;
}

/** What a waiver covers, and until when. */
function waived({ target, details }: Said): string {
  const { scorecard, metric, problem_type, expires_at } = details;
  const subject =
    problem_type != null
      ? `the problem ${quoted(problem_type)}`
      : metric != null
        ? `${quoted(scorecard)}.${quoted(metric)}`
        : quoted(scorecard);
  return `${subject} for ${target}${expires_at == null ? "" : ` until ${day(expires_at)}`}`;
}

function asked({ details: { requested_by } }: Said): string {
  return requested_by == null ? "" : `, which ${quoted(requested_by)} asked for`;
}

function campaign({ details }: Said): string {
  return `the campaign ${quoted(details.name)}`;
}

function token({ area, target, details: { name, scopes } }: Said): string {
  const bound = area === null ? "" : `, bound to ${target}`;
  return `the token ${quoted(name)} with ${list(scopes).map(quoted).join(", ") || "its scopes"}${bound}`;
}

function because(reason: unknown): string {
  return typeof reason === "string" && reason !== "" ? `: ${quoted(reason)}` : "";
}

/** The first of many, and how many more there are. */
function some(texts: readonly string[], total: number): string {
  const more = total - Math.min(texts.length, maxNamed);
  return `${texts.slice(0, maxNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function applications(count: unknown): string {
  return `${Number(count) || 0} application${count === 1 ? "" : "s"}`;
}

function value(setting: unknown): string {
  return setting == null ? "none" : quoted(setting);
}

/** A text of somebody, shortened. */
function quoted(text: unknown): string {
  return cut(String(text ?? ""), maxShown);
}

function list(values: unknown): readonly unknown[] {
  return Array.isArray(values) ? values : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

const days = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** A day such as `30 November 2026`. */
function day(time: unknown): string {
  const date = new Date(String(time));
  return Number.isNaN(date.getTime()) ? "an unknown day" : days.format(date);
}
