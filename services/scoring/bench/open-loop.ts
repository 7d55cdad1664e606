import { connect, type Socket } from "node:net";

/** What became of a load. */
export interface Offered {
  /** A second, as planned. */
  readonly offered: number;
  /** Answered with 200, a second. */
  readonly accepted: number;
  /** Answered with 503, a second. */
  readonly refused: number;
  /** How long it took. */
  readonly seconds: number;
  /** Not sent, since every connection still waited for an answer, a second. */
  readonly unsent: number;
}

/** Sends its next request when it is asked to, without looking at more of an answer than its status and length. */
interface Client {
  send(request: Buffer): void;
  close(): void;
}

/**
 * Offers requests at a steady rate, whatever becomes of those before: unlike a client that waits for each answer, this does
 * not slow down with the service.
 *
 * @param requests whole requests with head and body, sent in turn
 * @param load perSecond is infinite for as many as the connections carry; `onConnected` is called when the first is about
 * to be sent
 */
export async function offer(
  url: string,
  requests: readonly Buffer[],
  load: { readonly perSecond: number; readonly connections: number; readonly seconds: number; onConnected(): void },
): Promise<Offered> {
  const free: Client[] = [];
  let [sent, accepted, refused, unsent] = [0, 0, 0, 0];
  const clients = await Promise.all(
    Array.from({ length: load.connections }, async () => {
      const client: Client = await openClient(url, (status) => {
        if (status === 200) accepted++;
        else if (status === 503) refused++;
        else throw new Error(`an answer had the status ${status}`);
        free.push(client);
        if (load.perSecond === Number.POSITIVE_INFINITY) sendOne();
      });
      return client;
    }),
  );
  free.push(...clients);
  load.onConnected();

  function sendOne(): void {
    const client = free.shift();
    if (client) client.send(requests[sent++ % requests.length] as Buffer);
    else unsent++;
  }

  const begin = performance.now();
  const elapsed = () => (performance.now() - begin) / 1_000;
  if (load.perSecond === Number.POSITIVE_INFINITY) while (free.length > 0) sendOne();
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      if (load.perSecond !== Number.POSITIVE_INFINITY) {
        const due = Math.min(elapsed(), load.seconds) * load.perSecond;
        while (sent + unsent < due) sendOne();
      }
      if (elapsed() < load.seconds) return;
      clearInterval(timer);
      resolve();
    }, 1);
  });
  const seconds = elapsed();
  const result = [sent + unsent, accepted, refused, unsent].map((count) => count / seconds);
  for (const client of clients) client.close();
  const [offered = 0, acceptedRate = 0, refusedRate = 0, unsentRate = 0] = result;
  return { offered, accepted: acceptedRate, refused: refusedRate, unsent: unsentRate, seconds };
}

/** @param onAnswer gets the status of each answer */
function openClient(url: string, onAnswer: (status: number) => void): Promise<Client> {
  const { hostname, port } = new URL(url);
  let answer = "";
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(Number(port), hostname)
      .setNoDelay()
      .setEncoding("latin1")
      .once("error", reject)
      .once("connect", () => resolve({ send: (request) => socket.write(request), close: () => socket.destroy() }))
      .on("data", (text) => {
        answer += text;
        const end = answer.indexOf("\r\n\r\n");
        if (end < 0) return;
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(answer)?.[1] ?? Number.NaN);
        if (answer.length < end + 4 + length) return;
        const status = Number(answer.slice(9, 12));
        answer = "";
        onAnswer(status);
      });
  });
}
