import type { ChatCall } from "../../test/support/chat-server.ts";
import { nameOf, type Report, toldBy } from "./reports.ts";

/** The acknowledged reports of an open problem that no message tells of. */
export function missing(reports: readonly Report[], messages: readonly ChatCall[]): string[] {
  const told = new Set(messages.map(toldBy));
  const due = reports.filter(({ outcome, count }) => outcome === "acknowledged" && count > 0);
  return due.map(nameOf).filter((name) => !told.has(name));
}

/** The messages that tell of a report which was rejected, or never sent. */
export function strange(reports: readonly Report[], messages: readonly ChatCall[]): string[] {
  const sent = new Set(reports.filter(({ outcome, count }) => outcome !== "rejected" && count > 0).map(nameOf));
  return messages.map(toldBy).filter((name) => !sent.has(name));
}

/** How many messages tell of a report that another one has told of. */
export function duplicates(messages: readonly ChatCall[]): number {
  return messages.length - new Set(messages.map(toldBy)).size;
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
 * for messages that were sent and not noted, whose report is told again.
 */
export function misplaced(reports: readonly Report[], messages: readonly ChatCall[]): string[] {
  const opening = new Map(reports.flatMap((report) => (report.openedAt ? [[nameOf(report), report.openedAt]] : [])));
  const appOf = (message: ChatCall) => toldBy(message).split(" ")[0];
  const sameOpening = (one: ChatCall, other: ChatCall) => {
    const [of, ofOther] = [opening.get(toldBy(one)), opening.get(toldBy(other))];
    return one.channel === other.channel && appOf(one) === appOf(other) && (!of || !ofOther || of === ofOther);
  };
  const byTs = new Map(messages.map((message) => [message.ts, message]));
  const replies = messages.filter(({ thread_ts }) => thread_ts !== undefined);
  const wrongReplies = replies.filter((reply) => {
    const parent = byTs.get(reply.thread_ts);
    return !parent || parent.thread_ts !== undefined || !sameOpening(reply, parent);
  });
  const openers = messages.filter((message) => message.thread_ts === undefined && opening.has(toldBy(message)));
  const byOpening = Map.groupBy(
    openers,
    (opener) => `${opener.channel} ${appOf(opener)} ${opening.get(toldBy(opener))}`,
  );
  const second = [...byOpening.values()].flatMap((openers) =>
    openers.slice(0, -1).filter((opener) => !toldLater(opener)),
  );
  return [
    ...wrongReplies.map((reply) => `the reply of ${toldBy(reply)} is below ${reply.thread_ts}`),
    ...second.map((opener) => `${toldBy(opener)} opened a thread, and so did a later one`),
  ];

  function toldLater(message: ChatCall): boolean {
    const at = messages.indexOf(message);
    return messages.slice(at + 1).some((later) => toldBy(later) === toldBy(message));
  }
}
