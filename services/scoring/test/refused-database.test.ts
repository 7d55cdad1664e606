import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { TLSSocket } from "node:tls";
import { expect, inject, onTestFinished, test } from "vitest";
import { useCertificate } from "./support/certificate.ts";
import { createEmptyDatabase } from "./support/empty-database.ts";
import { query } from "./support/postgres.ts";
import { createDatabase } from "./support/service.ts";
import { runWithoutSettings } from "./support/service-command.ts";

const nameOf = (url: string) => new URL(url).pathname.slice(1);

/** The URL with other parts. */
const withParts = (url: string, parts: Partial<URL>) => Object.assign(new URL(url), parts).href;

/** The URL for a role of its own, which owns nothing. */
async function asStranger(url: string): Promise<string> {
  const role = `stranger_${randomUUID().replaceAll("-", "")}`;
  await query(url, `CREATE ROLE ${role} LOGIN PASSWORD 'sesame'`);
  onTestFinished(async () => void (await query(inject("postgresUrl"), `DROP ROLE ${role}`)));
  return withParts(url, { username: role, password: "sesame" });
}

/** A server that says yes to TLS, as PostgreSQL does, and shows a certificate that nobody knows. */
async function useUntrusted(): Promise<string> {
  const certificate = await useCertificate("db.internal");
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      socket.write("S");
      new TLSSocket(socket, { isServer: true, ...certificate }).on("error", () => {});
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  return `postgres://maturity:sesame@127.0.0.1:${port}/maturity?sslmode=verify-full`;
}

const rights = "its role must own the database and the tables in it, or be granted this right";

const refused: Readonly<Record<string, { url(): Promise<string>; says: string }>> = {
  "a wrong password": {
    url: async () => withParts(await createDatabase("postgres"), { password: "sesame" }),
    says: "password authentication failed .+; it needs the user and the password of a role that may log in there",
  },
  "no such database": {
    url: async () => withParts(await createDatabase("postgres"), { pathname: "/none", password: "postgres" }),
    says: 'database "none" does not exist; create this database there, or name another',
  },
  "a role that may not make tables": {
    url: async () => asStranger(await createEmptyDatabase("postgres")),
    says: `permission denied for schema public; ${rights}`,
  },
  "a role that may not see the schema": {
    async url() {
      const url = await createEmptyDatabase("postgres");
      await query(url, "REVOKE ALL ON SCHEMA public FROM public");
      return asStranger(url);
    },
    says: `no schema has been selected to create in; ${rights}`,
  },
  "tables of another role": {
    async url() {
      const url = await createDatabase("postgres");
      await query(url, "GRANT CREATE ON SCHEMA public TO public");
      return asStranger(url);
    },
    says: 'relation "knex_migrations" already exists; it needs a database of its own, whose tables belong to its role',
  },
  "a role that may not connect": {
    async url() {
      const url = await createEmptyDatabase("postgres");
      await query(url, `REVOKE CONNECT ON DATABASE ${nameOf(url)} FROM public`);
      return asStranger(url);
    },
    says: `permission denied for database ".+"; ${rights}`,
  },
  "a role that may only read the tables": {
    async url() {
      const url = await createDatabase("postgres");
      await query(url, "GRANT SELECT ON ALL TABLES IN SCHEMA public TO public");
      return asStranger(url);
    },
    says: `permission denied for table knex_migrations_lock; ${rights}`,
  },
  "a database that takes no writes": {
    async url() {
      const url = await createDatabase("postgres");
      await query(url, `ALTER DATABASE ${nameOf(url)} SET default_transaction_read_only = on`);
      return url;
    },
    says: "cannot execute UPDATE in a read-only transaction; it must name the primary, .+",
  },
  "a server without TLS": {
    url: async () => withParts(await createDatabase("postgres"), { search: "?sslmode=verify-full" }),
    says: "The server does not support SSL connections; turn on TLS there, or leave out sslmode .+",
  },
  "a certificate that nobody knows": {
    url: useUntrusted,
    says: "self-signed certificate.*; sslrootcert=FILE must name the certificate of the authority that signed it",
  },
  "a file of certificates that is missing": {
    url: async () => withParts(await createDatabase("postgres"), { search: "?sslrootcert=/none.pem" }),
    says: "ENOENT: no such file or directory, open '/none.pem'",
  },
  "a host that nobody knows": {
    url: async () => "postgres://maturity:sesame@none.invalid:5432/maturity",
    says: "getaddrinfo ENOTFOUND none.invalid; correct the host",
  },
  "a port at which nothing listens": {
    url: async () => "postgres://maturity:sesame@127.0.0.1:1/maturity",
    says: "connect ECONNREFUSED 127.0.0.1:1; start PostgreSQL there, or correct the host and the port",
  },
};

test.each(Object.entries(refused))("%s ends a command with what is wrong and what would be right", async (_, at) => {
  const DATABASE_URL = await at.url();
  const { code, stdout, stderr } = await runWithoutSettings(["token", "list"], { DATABASE_URL });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  const { password } = new URL(DATABASE_URL);
  const shown = withParts(DATABASE_URL, { password: "", search: "" });
  expect(stderr).toMatch(new RegExp(`^maturity-service: DATABASE_URL ${shown.replaceAll(".", "\\.")}: ${at.says}\n$`));
  expect(stderr).not.toContain(`:${password}@`);
});

test("every mode of TLS checks the certificate in full, and none gives a warning of the driver", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  const url = await useUntrusted();
  for (const mode of ["allow", "prefer", "require", "verify-ca", "verify-full"]) {
    const DATABASE_URL = url.replace("verify-full", mode);
    const { stderr } = await runWithoutSettings(["token", "list"], { DATABASE_URL });
    expect(stderr, mode).toContain("self-signed certificate");
  }
  expect(warnings).toEqual([]);
});

test("a command that reads names the setting of the replica if that is at fault", async () => {
  const DATABASE_URL = await createDatabase("postgres");
  const DATABASE_READ_URL = withParts(DATABASE_URL, { password: "sesame" });
  const { code, stderr } = await runWithoutSettings(["digest"], { DATABASE_URL, DATABASE_READ_URL });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^maturity-service: DATABASE_READ_URL postgres:\S+: password authentication failed .+\n$/);
});

test("a PostgreSQL that is too old is refused", async () => {
  const DATABASE_URL = await createEmptyDatabase("postgres");
  await query(DATABASE_URL, "CREATE FUNCTION public.current_setting(text) RETURNS text RETURN '13.23'");
  await query(DATABASE_URL, `ALTER DATABASE ${nameOf(DATABASE_URL)} SET search_path = public, pg_catalog`);
  const { code, stderr } = await runWithoutSettings(["token", "list"], { DATABASE_URL });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: "maturity-service: DATABASE_URL names a PostgreSQL 13.23; it must be 14 or newer\n",
  });
});

test.each(["SQL_ASCII", "LATIN1"])("a database with the encoding %s is refused", async (encoding) => {
  const name = `encoded_${randomUUID().replaceAll("-", "")}`;
  await query(inject("postgresUrl"), `CREATE DATABASE ${name} ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`);
  onTestFinished(async () => void (await query(inject("postgresUrl"), `DROP DATABASE ${name}`)));
  const DATABASE_URL = withParts(inject("postgresUrl"), { pathname: `/${name}` });
  const { code, stderr } = await runWithoutSettings(["token", "list"], { DATABASE_URL });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `maturity-service: DATABASE_URL names a database with the encoding ${encoding}; it must be UTF8, as by CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0\n`,
  });
});
