import { faultsOfHistory } from "../test/support/changes.ts";
import { query } from "../test/support/postgres.ts";

/** The endpoints that write. */
export const kinds = ["score", "scores", "problem"] as const;

export type Kind = (typeof kinds)[number];

/** How many rows a write is: POST /scores takes several scores. */
export const rowsOf: Readonly<Record<Kind, number>> = { score: 1, scores: 5, problem: 1 };

/** One value on its way to one key. */
export interface Write {
  readonly kind: Kind;
  /** Has one write at a time. */
  readonly key: string;
  readonly value: number;
  /** Set once it was answered with 200. */
  answer?: { readonly score?: number; readonly alert?: string };
  /** Set when nobody took the connection, so that it cannot be stored. */
  unsent?: true;
}

/** A row as the database has it. */
interface Row {
  readonly kind: Kind;
  readonly key: string;
  readonly value: number;
  readonly score: number | null;
}

/** Everything that was sent, and what of it was acknowledged. */
export interface Ledger {
  /** Notes a write before it is sent. The later of two with one key must not be sent before the former was answered. */
  add(kind: Kind, key: string, value: number): Write;
  /** The writes that reached somebody. */
  sent(kind: Kind): Write[];
  unacknowledged(): Write[];
  /** Says of each key that does not hold what it must, what it holds, and of the history what is wrong with it. */
  check(databaseUrl: string): Promise<string[]>;
}

export function createLedger(): Ledger {
  /** By kind and key, in the order sent. */
  const writes = new Map<string, Write[]>();
  const all = () => [...writes.values()].flat();
  return {
    add(kind, key, value) {
      const write: Write = { kind, key, value };
      const id = `${kind} ${key}`;
      const sent = writes.get(id);
      if (sent) sent.push(write);
      else writes.set(id, [write]);
      return write;
    },
    sent: (wanted) => all().filter(({ kind, unsent }) => kind === wanted && !unsent),
    unacknowledged: () => all().filter(({ answer }) => !answer),
    async check(databaseUrl) {
      const rows = Map.groupBy(await readRows(databaseUrl), ({ kind, key }) => `${kind} ${key}`);
      const neverSent = [...rows.keys()].filter((id) => !writes.has(id));
      return [
        ...neverSent.map((id) => `${id} was never sent`),
        ...(await faultsOfHistory(databaseUrl)).map(
          ({ target_id, metric_id, fault }) => `a change of score ${target_id}/${metric_id} ${fault}`,
        ),
        ...[...writes].flatMap(([id, sent]) => fault(sent, rows.get(id) ?? []).map((text) => `${id} ${text}`)),
      ];
    },
  };
}

/**
 * What is wrong with the rows of one key: they must hold the value acknowledged last or one sent later, which may have
 * been stored though nobody said so, and all of them the same.
 */
function fault(sent: readonly Write[], rows: readonly Row[]): string[] {
  const last = sent.findLastIndex(({ answer }) => answer);
  const must = last < 0 ? "nothing acknowledged" : `${sent[last]?.value} acknowledged`;
  const [row] = rows;
  if (!row) return last < 0 ? [] : [`holds nothing, with ${must}`];
  const held = sent.findLastIndex(({ value, unsent }) => value === row.value && !unsent);
  if (held < 0) return [`holds ${row.value}, which was never sent, with ${must}`];
  if (held < last) return [`holds ${row.value}, which was sent before, with ${must}`];
  if (rows.length !== rowsOf[row.kind] || rows.some(({ value }) => value !== row.value)) {
    return [`is stored in part: ${rows.map(({ value }) => value).join()}`];
  }
  const score = sent[held]?.answer?.score;
  if (score !== undefined && score !== row.score) return [`has the score ${row.score}, with ${score} acknowledged`];
  return [];
}

async function readRows(databaseUrl: string): Promise<Row[]> {
  const { rows } = await query(
    databaseUrl,
    `
    SELECT team AS kind, app AS key, (raw->>'minutes')::int AS value, score::float FROM scores_by_name WHERE area = 'load'
    UNION ALL
    SELECT team, app, count, NULL FROM problems_by_name WHERE area = 'load'
    `,
  );
  return rows;
}
