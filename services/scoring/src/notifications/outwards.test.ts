import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { useCertificate, useTrust } from "../../test/support/certificate.ts";
import { createOutwards } from "./outwards.ts";

type Settings = Parameters<typeof createOutwards>[0];
type Resolve = NonNullable<Settings["resolve"]>;

/** A resolver that gives these addresses in turn, the last one for ever. */
function answering(...turns: string[][]): Resolve & { asked: string[] } {
  const asked: string[] = [];
  const resolve: Resolve = async (name) => {
    const addresses = turns[Math.min(asked.push(name), turns.length) - 1] ?? [];
    return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  };
  return Object.assign(resolve, { asked });
}

async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** A server on 127.0.0.1 that keeps the paths it was asked for. */
async function usePeer(listener: RequestListener): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    request.resume();
    listener(request, response);
  });
  const port = await listening(server);
  onTestFinished(() => void server.close().closeAllConnections());
  return { port, asked };
}

/** A peer that does what it likes with the connection. */
async function useRawPeer(behave: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on("error", () => {}).on("close", () => sockets.delete(socket)));
    behave(socket);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return listening(server);
}

const patient = () => new AbortController().signal;

function post(address: string, settings: Partial<Settings> = {}, signal = patient()) {
  const outwards = createOutwards({ allowPrivate: true, ...settings });
  return outwards.request(new URL(address), { headers: { "content-type": "text/plain" }, body: "{}", signal });
}

const refused = { message: "its address is not of the internet", isLasting: true };

describe("an address that is written as", () => {
  const forms = {
    decimal: "127.0.0.1",
    "one number": "2130706433",
    octal: "0177.0.0.01",
    hexadecimal: "0x7f.0x0.0x0.0x1",
    "one hexadecimal number": "0x7f000001",
    short: "127.1",
    "with a dot at its end": "127.0.0.1.",
    "with full-width digits": "１２７.０.０.１",
    "with enclosed digits": "①②⑦.⓪.⓪.①",
    "percent-encoded": "%31%32%37.0.0.1",
    "with an ideographic full stop": "127。0。0。1",
    "IPv6 of this machine": "[::1]",
    "IPv4-mapped": "[::ffff:127.0.0.1]",
    "IPv4-mapped in hexadecimal": "[::ffff:7f00:1]",
    "translated by NAT64": "[64:ff9b::7f00:1]",
    unspecified: "0.0.0.0",
    "unspecified, as zero": "0",
    "unspecified, of IPv6": "[::]",
    metadata: "169.254.169.254",
    "metadata as a number": "2852039166",
    "after a user and a password": "example.com:80@127.0.0.1",
  };

  test.each(Object.entries(forms))("%s is refused before a connection", async (_form, host) => {
    const { port, asked } = await usePeer((_request, response) => response.end());
    await expect(post(`http://${host}:${port}/`, { allowPrivate: false })).rejects.toMatchObject(refused);
    await expect(post(`https://${host}:${port}/`, { allowPrivate: false })).rejects.toMatchObject(refused);
    expect(asked).toEqual([]);
  });

  test.each(["localhost", "LOCALHOST", "ⓛocalhost"])("%s is refused as it resolves", async (host) => {
    await expect(post(`http://${host}:9/`, { allowPrivate: false })).rejects.toMatchObject(refused);
  });

  test.each(["0177.0.0.1", "0x7f.1", "2130706433", "127.1"])(
    "%s is refused for a connection too, whatever resolves it",
    async (host) => {
      const { connect } = createOutwards({ allowPrivate: false });
      await expect(connect(host, 9, patient())).rejects.toMatchObject(refused);
    },
  );
});

describe("a name", () => {
  test("is refused if one of its addresses is private", async () => {
    const resolve = answering(["8.8.8.8", "10.0.0.1"]);
    await expect(post("http://hooks.example/", { allowPrivate: false, resolve })).rejects.toMatchObject(refused);
  });

  test("of metadata is refused where private networks are allowed", async () => {
    const resolve = answering(["169.254.169.254"]);
    await expect(post("http://metadata.example/", { resolve })).rejects.toMatchObject(refused);
  });

  test("that changes its address leads to the checked one: it is resolved once", async () => {
    const { port, asked } = await usePeer((_request, response) => response.end());
    const resolve = answering(["127.0.0.1"], ["169.254.169.254"]);
    expect(await post(`http://hooks.example:${port}/once`, { resolve })).toMatchObject({ status: 200 });
    expect(resolve.asked).toEqual(["hooks.example"]);
    expect(asked).toEqual(["/once"]);
    await expect(post(`http://hooks.example:${port}/twice`, { resolve })).rejects.toMatchObject(refused);
    expect(asked).toEqual(["/once"]);
  });

  test("that changes its address leads a connection to the checked one", async () => {
    const port = await useRawPeer((socket) => socket.end("220 hello\r\n"));
    const resolve = answering(["127.0.0.1"], ["10.0.0.1"]);
    const { connect } = createOutwards({ allowPrivate: true, resolve });
    const socket = await connect("mail.example", port, patient());
    expect(socket.remoteAddress).toBe("127.0.0.1");
    expect(resolve.asked).toEqual(["mail.example"]);
    socket.destroy();
  });

  test("whose name server does not answer is asked for once, however many messages wait", async () => {
    const { port } = await usePeer((_request, response) => response.end());
    const answers: ((addresses: Awaited<ReturnType<Resolve>>) => void)[] = [];
    const outwards = createOutwards({
      allowPrivate: true,
      limitMs: 5_000,
      resolve: () => new Promise((resolve) => answers.push(resolve)),
    });
    const send = () =>
      outwards.request(new URL(`http://hooks.example:${port}/`), { headers: {}, body: "", signal: patient() });
    const sent = Promise.all(Array.from({ length: 50 }, send));
    await nextTurn();
    expect(answers).toHaveLength(1);
    answers[0]?.([{ address: "127.0.0.1", family: 4 }]);
    expect(new Set((await sent).map(({ status }) => status))).toEqual(new Set([200]));
    void send().catch(() => {});
    await nextTurn();
    expect(answers).toHaveLength(2);
  });

  test("is asked for in the Host header, as it was written", async () => {
    const { port } = await usePeer(({ headers }, response) => response.end(headers.host));
    const resolve = answering(["127.0.0.1"]);
    expect((await post(`http://hooks.example:${port}/`, { resolve })).body).toBe(`hooks.example:${port}`);
  });

  test.each([
    ["without an address", answering([])],
    ["that nothing knows", () => Promise.reject({ ...new Error(), code: "ENOTFOUND" })],
  ])("%s may have one later", async (_case, resolve) => {
    const failure = { message: "ENOTFOUND", isLasting: false };
    await expect(post("http://hooks.example/", { resolve })).rejects.toMatchObject(failure);
  });
});

describe("an answer", () => {
  test.each([301, 302, 303, 307, 308])("of %i is not followed", async (status) => {
    const { port, asked } = await usePeer((_request, response) =>
      response.writeHead(status, { location: `http://127.0.0.1:${port}/inside` }).end(),
    );
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ status });
    expect(asked).toEqual(["/"]);
  });

  test("without an end is cut after 64 KiB, and its status counts", async () => {
    const { port } = await usePeer((_request, response) => {
      const write = () => {
        while (!response.destroyed && response.write("x".repeat(10_000)));
        response.once("drain", write);
      };
      write();
    });
    const { status, body } = await post(`http://127.0.0.1:${port}/`);
    expect([status, body.length]).toEqual([200, 65_536]);
  });

  test("that drips is cut at the end of the time, and its status counts", async () => {
    const { port } = await usePeer((_request, response) => {
      const drips = setInterval(() => response.write("."), 20);
      response.once("close", () => clearInterval(drips));
    });
    const { status, body } = await post(`http://127.0.0.1:${port}/`, { limitMs: 2_000 });
    expect(status).toBe(200);
    expect(body).toMatch(/^\.*$/);
  });

  const peers: Readonly<Record<string, [RegExp, (socket: Socket) => void]>> = {
    "that never comes": [/^no answer in time$/, () => {}],
    "with a status that drips": [
      /^no answer in time$/,
      (socket) => {
        const drips = setInterval(() => socket.write("H"), 50);
        socket.once("close", () => clearInterval(drips));
        socket.write("HTTP/1.1 200 ");
      },
    ],
    "with headers that drip": [
      /^no answer in time$/,
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\n");
        const drips = setInterval(() => socket.write("x: y\r\n"), 50);
        socket.once("close", () => clearInterval(drips));
      },
    ],
    "with endless headers": [
      /^HPE_HEADER_OVERFLOW$/,
      (socket) => socket.write(`HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(20_000)}`),
    ],
    "of another protocol": [/^HPE_INVALID_CONSTANT$/, (socket) => socket.write("220 mail.example ESMTP\r\n")],
    "that changes the protocol": [
      /^(?:ECONNRESET|no answer in time)$/,
      (socket) => socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
    ],
    "that breaks off": [/^ECONNRESET$/, (socket) => socket.destroy()],
  };
  test.each(Object.entries(peers))("%s is none, and may come later", async (_case, [message, behave]) => {
    const port = await useRawPeer(behave);
    const failure = { message: expect.stringMatching(message), isLasting: false };
    await expect(post(`http://127.0.0.1:${port}/`, { limitMs: 500 })).rejects.toMatchObject(failure);
  });

  test("is not waited for when the sender stops", async () => {
    const stopping = new AbortController();
    const { port } = await usePeer(() => stopping.abort());
    await expect(post(`http://127.0.0.1:${port}/`, {}, stopping.signal)).rejects.toMatchObject({ isLasting: false });
  });
});

describe("over TLS", () => {
  async function useSecurePeer(...names: string[]) {
    const certificate = await useCertificate(...names);
    const server = createSecureServer(certificate, (_request, response) => response.end());
    const port = await listening(server);
    onTestFinished(() => void server.close().closeAllConnections());
    return { port, cert: certificate.cert };
  }
  const resolve = answering(["127.0.0.1"]);

  test("a certificate that is not trusted is refused, and one that is trusted is not", async () => {
    const { port, cert } = await useSecurePeer("hooks.example");
    const failure = { message: "DEPTH_ZERO_SELF_SIGNED_CERT", isLasting: false };
    await expect(post(`https://hooks.example:${port}/`, { resolve })).rejects.toMatchObject(failure);
    useTrust(cert);
    expect(await post(`https://hooks.example:${port}/`, { resolve })).toMatchObject({ status: 200 });
  });

  test("a certificate of another name is refused", async () => {
    const { port, cert } = await useSecurePeer("other.example");
    useTrust(cert);
    const failure = { message: "ERR_TLS_CERT_ALTNAME_INVALID", isLasting: false };
    await expect(post(`https://hooks.example:${port}/`, { resolve })).rejects.toMatchObject(failure);
  });
});

test("a failure repeats neither the address nor the body", async () => {
  const { port } = await usePeer((_request, response) => response.end());
  const failures = await Promise.all(
    [`http://127.0.0.1:9/hook?sig=SECRET`, `https://127.0.0.1:${port}/hook?sig=SECRET`, "http://SECRET.invalid/"].map(
      (address) =>
        post(address).catch((error) => `${error.message} ${error.stack} ${JSON.stringify(error)} ${error.cause}`),
    ),
  );
  expect(failures).toHaveLength(3);
  for (const failure of failures) expect(failure).not.toMatch(/SECRET|sig=/i);
});
