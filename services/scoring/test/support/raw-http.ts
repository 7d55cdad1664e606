import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { Server } from "./requests.ts";

/** A connection to whoever listens at the address, for one test. */
export async function useConnection(address: string): Promise<Socket> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

/** Sends these bytes on a connection of their own; returns all that comes back until it is closed. */
export async function sendBytes({ server }: Server, bytes: string): Promise<string> {
  const socket = await useConnection(server.info.uri);
  const closed = once(socket, "close");
  let answer = "";
  socket.setEncoding("latin1").on("data", (text) => {
    answer += text;
  });
  socket.write(Buffer.from(bytes, "latin1"));
  await closed;
  return answer;
}
