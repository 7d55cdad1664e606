import type { IncomingHttpHeaders } from "node:http";
import { expect, test } from "vitest";
import { sessionIn } from "./session-cookie.ts";

const [mine, planted] = ["m".repeat(43), "p".repeat(43)];
const plain = `maturity_session=${planted}`;
const both = `${plain}; __Host-maturity_session=${mine}`;

const overTls: Readonly<Record<string, IncomingHttpHeaders>> = {
  "a page over TLS": { origin: "https://maturity.acme.example" },
  "a proxy with TLS": { "x-forwarded-proto": "https" },
  "proxies, the first with TLS": { "x-forwarded-proto": "https, http" },
  "a browser, by its own headers": { "sec-fetch-site": "none", host: "maturity.acme.example" },
  "a page that hides its origin, behind a proxy with TLS": { origin: "null", "x-forwarded-proto": "https" },
};

test.each(Object.entries(overTls))("from %s only the cookie that no neighbour can set counts", (_, headers) => {
  expect(sessionIn({ ...headers, cookie: plain })).toBe(undefined);
  expect(sessionIn({ ...headers, cookie: both })).toBe(mine);
});

const withoutTls: Readonly<Record<string, IncomingHttpHeaders>> = {
  "a page without TLS": { origin: "http://maturity.internal:8080", "sec-fetch-site": "same-origin" },
  "a proxy without TLS": { "x-forwarded-proto": "http" },
  "a browser to loopback": { "sec-fetch-site": "same-origin", host: "localhost:8080" },
  "a browser to the address of loopback": { "sec-fetch-site": "same-origin", host: "127.0.0.1:8080" },
  "what says nothing of itself": {},
};

test.each(Object.entries(withoutTls))("from %s the plain cookie counts", (_, headers) => {
  expect(sessionIn({ ...headers, cookie: plain })).toBe(planted);
  expect(sessionIn({ ...headers, cookie: both })).toBe(mine); // there is TLS after all, or no browser would send it
});
