import type { Target } from "@maturity/core";
import type { ScoreKey } from "../../src/store/new-score.ts";
import { parseExposition, type Sample } from "./exposition-parser.ts";
import type { TestService } from "./service.ts";

/** An application in an environment. */
export const target: Target & Readonly<Record<string, string>> = {
  area: "shop",
  team: "checkout",
  app: "cart",
  env: "prod",
};

const key: ScoreKey & Readonly<Record<string, string>> = { ...target, scorecard: "security", metric: "dast" };

/** A score of it that is good as it is. */
export const score: ScoreKey & { readonly raw: object } = { ...key, raw: { high: 0, medium: 0 } };

const names = ["area", "team", "app", "env"];

/** A list of the read API. */
export interface List {
  readonly path: string;
  /** The parameters that take any text. */
  readonly texts: readonly string[];
  /** Those that do not. */
  readonly others: readonly string[];
  /** How many items it has of one application; 1 without it. */
  readonly found?: number;
  /** What the list needs to be asked at all. */
  readonly needed?: Readonly<Record<string, string>>;
}

const ofHistory = { path: "/history", others: ["since", "until", "changes", "sort"] };

/** All of them that name something stored. */
export const lists: readonly List[] = [
  ...["/areas", "/teams"].map((path) => ({ path, texts: names, others: ["sort", "below", "since", "trend"] })),
  {
    path: "/apps",
    texts: [...names, "owner", "tier"],
    others: [
      ...["sort", "below", "since", "missing", "reported", "trend", "detail"],
      ...["level", "below_level", "state", "lacks"],
    ],
  },
  { path: "/levels", texts: names, others: [], found: 4 },
  {
    path: "/former-names",
    texts: ["area", "team", "app", "former_area", "former_team", "former_app"],
    others: [],
  },
  { path: "/registry", texts: ["area", "team", "app"], others: ["retired"] },
  {
    path: "/scores",
    texts: [...names, "scorecard", "metric", "scorer"],
    others: ["state", "below", "sort", "detail"],
  },
  { path: "/problems", texts: [...names, "problem_type"], others: ["severity", "all", "resolved", "sort", "detail"] },
  { path: "/problem-times", texts: [...names, "problem_type"], others: ["severity", "by", "since", "sort"] },
  { path: "/audit", texts: [...names, "actor"], others: ["action", "kind", "since", "until"] },
  {
    path: "/waivers",
    texts: [...names, "scorecard", "metric", "problem_type", "owner"],
    others: ["ends_before", "kind", "state", "requested_by", "decidable", "all", "sort"],
  },
  {
    path: "/metric-averages",
    texts: [...names, "scorecard", "metric"],
    others: ["sort"],
    needed: { metric: "security.dast", env: "prod" },
  },
  { path: "/changes", texts: names, others: ["since", "sort"] },
  { path: "/change-totals", texts: names, others: ["since", "sort", "by"] },
  { ...ofHistory, texts: Object.keys(key), needed: key },
  { ...ofHistory, texts: names, needed: { ...target, changes: "true" } },
];

/** The series of all scores and problems. */
export const series = async ({ server }: TestService, search = ""): Promise<Sample[]> =>
  parseExposition((await server.inject(`/metrics?collect[]=scores&collect[]=problems${search}`)).payload);
