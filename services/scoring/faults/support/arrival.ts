import type { ChatCall } from "../../test/support/chat-server.ts";
import { announcedBy, nameOf, type Report } from "./reports.ts";

/** A report of a problem, as far as it matters whether it was announced. */
export interface Announceable {
  readonly app: string;
  /** 0 resolves the problem. */
  readonly count: number;
  /** What the answer said of its alert; absent where there was none, so that it may have been stored or not. */
  readonly alert?: string;
}

/**
 * Which of the reports whose alert was queued no message names. Of the reports of one opening that follow each other a
 * message may name the last alone, or the end of the problem.
 *
 * @param reports in the order sent, for each application
 * @param announced names of reports, one for each message
 */
export function unannounced(reports: readonly Announceable[], announced: readonly string[]): string[] {
  const times = Map.groupBy(announced, (name) => name);
  const isAnnounced = (report: Announceable) => times.has(nameOf(report));
  return [...Map.groupBy(reports, ({ app }) => app).values()].flatMap((ofApp) => {
    const ends = ofApp.filter(({ count, alert }) => count === 0 && alert === "queued");
    const endsAnnounced = ends[0] ? (times.get(nameOf(ends[0]))?.length ?? 0) : 0;
    return [...ends.slice(endsAnnounced), ...openings(ofApp).flatMap(untoldOf)].map(nameOf);
  });

  function untoldOf(opening: readonly Announceable[]): Announceable[] {
    const open = opening.filter(({ count }) => count > 0);
    const last = open.findLastIndex(isAnnounced);
    const ended = open.length < opening.length && last >= 0;
    return ended ? [] : open.slice(last + 1).filter(({ alert }) => alert === "queued");
  }
}

/**
 * The reports of each opening, up to the one that resolves it. Whether a report without an answer resolved it nobody knows:
 * what follows may be replies of the same opening.
 */
function openings(reports: readonly Announceable[]): Announceable[][] {
  const found: Announceable[][] = [[]];
  for (const report of reports) {
    found.at(-1)?.push(report);
    if (report.count === 0 && report.alert !== undefined) found.push([]);
  }
  return found;
}

/**
 * The reports that were acknowledged with an alert, and that no message names.
 *
 * @param deadLetters names of reports whose alert was listed as a dead letter
 */
export function missing(
  reports: readonly Report[],
  messages: readonly ChatCall[],
  deadLetters: readonly string[] = [],
): string[] {
  return unannounced(reports.filter(mayBeStored), [...messages.map(announcedBy), ...deadLetters]);
}

function mayBeStored({ outcome }: Report): boolean {
  return outcome !== "rejected" && outcome !== "unsent";
}

/** The messages that name a report which was rejected, or never sent. */
export function strange(reports: readonly Report[], messages: readonly ChatCall[]): string[] {
  const sent = new Set(reports.filter(mayBeStored).map(nameOf));
  return messages.map(announcedBy).filter((name) => !sent.has(name));
}

/** How many messages name a report that another one has named. */
export function duplicates(messages: readonly ChatCall[]): number {
  return messages.length - new Set(messages.map((message) => `${announcedBy(message)} ${message.thread_ts}`)).size;
}

/** The pairs of messages that went to one channel within less than a second. */
export function hasty(messages: readonly ChatCall[]): string[] {
  return [...Map.groupBy(messages, ({ channel }) => channel).values()].flatMap((sent) =>
    sent.slice(1).flatMap(({ at, channel, text }, index) => {
      const gap = at - Number(sent[index]?.at);
      return gap < 1_000 ? [`${channel}: ${gap} ms before ${text}`] : [];
    }),
  );
}

/**
 * What is wrong with the threads. A reply stands below a message without one, of the same opening of the same problem in
 * the same channel. Once that message was noted all others of the opening are replies: so each opens one thread, but
 * for messages that were sent and not noted, whose report is sent again or a dead letter.
 */
export function misplaced(
  reports: readonly Report[],
  messages: readonly ChatCall[],
  deadLetters: readonly string[] = [],
): string[] {
  const opening = new Map(reports.flatMap((report) => (report.openedAt ? [[nameOf(report), report.openedAt]] : [])));
  const appOf = (message: ChatCall) => announcedBy(message).split(" ")[0];
  const sameOpening = (one: ChatCall, other: ChatCall) => {
    const [of, ofOther] = [opening.get(announcedBy(one)), opening.get(announcedBy(other))];
    return one.channel === other.channel && appOf(one) === appOf(other) && (!of || !ofOther || of === ofOther);
  };
  const byTs = new Map(messages.map((message) => [message.ts, message]));
  const replies = messages.filter(({ thread_ts }) => thread_ts !== undefined);
  const wrongReplies = replies.filter((reply) => {
    const parent = byTs.get(reply.thread_ts);
    return !parent || parent.thread_ts !== undefined || !sameOpening(reply, parent);
  });
  const openers = messages.filter((message) => message.thread_ts === undefined && opening.has(announcedBy(message)));
  const byOpening = Map.groupBy(
    openers,
    (opener) => `${opener.channel} ${appOf(opener)} ${opening.get(announcedBy(opener))}`,
  );
  const second = [...byOpening.values()].flatMap((openers) =>
    openers.slice(0, -1).filter((opener) => !announcedLater(opener)),
  );
  return [
    ...wrongReplies.map((reply) => `the reply of ${announcedBy(reply)} is below ${reply.thread_ts}`),
    ...second.map((opener) => `${announcedBy(opener)} opened a thread, and so did a later one`),
  ];

  function announcedLater(message: ChatCall): boolean {
    const later = messages.slice(messages.indexOf(message) + 1);
    return [...later.map(announcedBy), ...deadLetters].includes(announcedBy(message));
  }
}
