import type { NoteFault } from "./collect-file.ts";
import { parseDuration } from "./duration.ts";
import type { PostgresSource, PrometheusSource, Source } from "./query.ts";
import type { SourceEntry } from "./schema.ts";
import { fillIn } from "./secrets.ts";

const defaultTimeoutMs = 30_000;

/** A source with the variables of the environment filled in, and what of it is secret. */
export function sourceOf(
  name: string,
  entry: SourceEntry,
  env: Readonly<Record<string, string | undefined>>,
  fault: NoteFault,
): { readonly source: Source; readonly hidden: readonly string[] } {
  const fill = (text = "", ...path: string[]): string => {
    const filled = fillIn(text, env);
    for (const variable of filled.missing) fault(path, `needs the environment variable ${variable}, which is not set`);
    return filled.text;
  };
  const timeoutMs = parseDuration(entry.timeout ?? "") ?? defaultTimeoutMs;
  if (entry.postgres !== undefined) {
    const url = fill(entry.postgres, "postgres");
    if (url !== "" && !/^postgres(?:ql)?:\/\//.test(url)) {
      fault(["postgres"], "must be postgres://user:password@host:5432/database");
    }
    const source: PostgresSource = { kind: "postgres", name, url, timeoutMs };
    return { source, hidden: [url, ...passwordsOf(url)] };
  }
  const url = fill(entry.prometheus, "prometheus").replace(/\/+$/, "");
  const urlFault = url === "" ? undefined : prometheusFault(url);
  if (urlFault) fault(["prometheus"], urlFault);
  const [user, password, token] = [
    fill(entry.user, "user"),
    fill(entry.password, "password"),
    fill(entry.token, "token"),
  ];
  const hidden = [password, token];
  const headers = new Map<string, string>();
  for (const [header, text] of Object.entries(entry.headers ?? {})) {
    const value = fill(text, "headers", header);
    headers.set(header, value);
    if (value !== text) hidden.push(value);
  }
  if (token) headers.set("authorization", `Bearer ${token}`);
  if (user) {
    const credentials = Buffer.from(`${user}:${password}`).toString("base64");
    headers.set("authorization", `Basic ${credentials}`);
    hidden.push(credentials);
  }
  const source: PrometheusSource = { kind: "prometheus", name, url, headers: Object.fromEntries(headers), timeoutMs };
  return { source, hidden };
}

function prometheusFault(text: string): string | undefined {
  const { protocol, username, password, search, hash } = URL.canParse(text) ? new URL(text) : ({} as Partial<URL>);
  if (protocol !== "http:" && protocol !== "https:") return "must be an address such as http://prometheus:9090";
  if (username || password) return "must hold no user and no password; give them as user and password";
  return search || hash ? "must hold nothing behind its path" : undefined;
}

/** The password in an address, as it stands there and as it is meant. */
function passwordsOf(url: string): string[] {
  const password = URL.canParse(url) ? new URL(url).password : "";
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}
