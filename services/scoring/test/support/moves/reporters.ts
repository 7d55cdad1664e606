import { type AppName, appKey } from "../../../src/model/app-name.ts";
import { until } from "../service.ts";
import type { NamesModel, Reported } from "./model.ts";
import { type Pick, type Sent, send } from "./send.ts";

/** A score or a problem that was reported; its number makes it another one than all others. */
export interface Report extends Reported {
  readonly serial: number;
  readonly kind: "score" | "problem";
  readonly env: string;
  /** Where it was stored, and when, in milliseconds; of those acknowledged. */
  readonly name: AppName;
  readonly at: number;
}

/** What reporters and whoever moves applications know of each other. */
export interface Scene {
  readonly addresses: readonly string[];
  readonly pick: Pick;
  readonly model: NamesModel;
  /** Actions under way, of which nobody knows yet whether they are done. */
  underWay: number;
  /** Every name that was ever in use. */
  readonly seen: AppName[];
  /** Names below what is just being moved, or was last. */
  hot: readonly AppName[];
  /** What should not have happened. */
  readonly wrong: string[];
}

export interface Reporters {
  readonly reports: readonly Report[];
  /** Allows so many reports in all, and waits until most of them are sent. */
  allow(count: number): Promise<void>;
  /** Waits until all that are allowed have an answer. */
  finish(): Promise<void>;
}

const envs = ["prod", "test"];

/** As many scores as have two decimals up to 50, where the score of a coverage is the coverage. */
const maxScores = 5_000;

/** Reporters at a time. */
const count = 6;

/** Reports that may be late when the next applications are moved. */
const slack = 25;

/** Starts to report scores and problems under old and new names. Who wants none any more calls `finish`. */
export function startReporters(scene: Scene): Reporters {
  const { addresses, pick, model, seen, wrong } = scene;
  const reports: Report[] = [];
  let [problems, scores, fresh, allowed] = [0, 0, 0, 0];
  let isOver = false;

  function anyName(): AppName {
    const kind = pick(["hot", "hot", "hot", "seen", "seen", "seen", "seen", "new"]);
    if (kind === "hot" && scene.hot.length > 0) return pick(scene.hot);
    if (kind !== "new") return pick(seen);
    const name = { ...pick(seen), app: `new${fresh++}` };
    seen.push(name);
    return name;
  }

  async function sendSomewhere(path: string, body: object): Promise<Sent> {
    for (;;) {
      const sent = await send(pick(addresses), path, body);
      if (sent.outcome !== "unsent") return sent;
    }
  }

  async function reportSome(size: number, kind: Report["kind"]): Promise<void> {
    const begun = Array.from({ length: size }, () => ({
      ...{ serial: kind === "score" ? ++scores : ++problems, kind, sent: anyName(), env: pick(envs) },
      from: model.actions.length,
    }));
    const bodies = begun.map(bodyOf);
    const [first] = bodies;
    const [path, body] =
      kind === "problem"
        ? ["/problem/scan-result", first]
        : size > 1
          ? ["/scores", { scores: bodies }]
          : ["/score", first];
    const sent = await sendSomewhere(path as string, body as object);
    const answer = sent.outcome === "answered" ? sent : undefined;
    const isRetired = answer?.status === 409 && answer.body.code === "app-retired";
    const isUnknown = !answer || (answer.status === 503 && answer.body.code === "store-unavailable");
    if (answer?.status !== 200 && !isRetired && !isUnknown) wrong.push(`${path}: ${JSON.stringify(answer)}`);
    const outcome = answer?.status === 200 ? "acknowledged" : isUnknown ? "unknown" : "refused";
    const answers = size > 1 ? ((answer?.body.scores ?? []) as Report["name"][]) : [answer?.body];
    const ended = begun.map((one, place): Report => {
      const { moved_to } = (answers[place] ?? {}) as { moved_to?: AppName };
      const to = outcome === "unknown" ? Number.POSITIVE_INFINITY : model.actions.length + scene.underWay;
      return { ...one, to, outcome, name: moved_to ?? one.sent, at: Date.parse(String(answer?.body.reported_at)) };
    });
    for (const one of ended) model.report(one);
    // Of entries of one body that lead to the same key only the last one is stored.
    const lastOfKeys = new Map(ended.map((one) => [`${appKey(one.name)}\t${one.env}`, one]));
    reports.push(...(outcome === "acknowledged" ? lastOfKeys.values() : ended));
  }

  async function work(): Promise<void> {
    while (!isOver) {
      await until(() => isOver || problems + scores < allowed);
      if (isOver) return;
      const kind = scores < maxScores ? pick<Report["kind"]>(["score", "score", "score", "problem"]) : "problem";
      await reportSome(kind === "score" ? pick([1, 1, 1, 1, 1, 3]) : 1, kind);
    }
  }

  const workers = Promise.all(Array.from({ length: count }, work));
  return {
    reports,
    async allow(count) {
      allowed = count;
      await until(() => problems + scores >= allowed - slack);
    },
    async finish() {
      await until(() => problems + scores >= allowed);
      isOver = true;
      await workers;
    },
  };
}

/** Every fourth problem is resolved. */
export function countOf(serial: number): number {
  return serial % 4 === 0 ? 0 : serial;
}

function bodyOf({ serial, kind, sent, env }: Omit<Report, "from" | "to" | "outcome" | "name" | "at">): object {
  if (kind === "score") {
    return { ...sent, env, scorecard: "application", metric: "unit_coverage", raw: { coverage_pct: serial / 100 } };
  }
  const rest = { problem_type: "leak", severity: "high", chat_channel: `#${serial}` };
  return { ...sent, env, ...rest, count: countOf(serial) };
}
