/**
 * SQL to run on each new connection. With other defaults of a database or a role, dates would be cast to other moments,
 * times, numbers and keys would have other texts, and one of two writes at once would fail. pgbouncer applies the first three
 * to each connection of the server.
 */
export const sessionSettings: string = [
  "SET TimeZone = 'UTC'",
  "SET DateStyle = 'ISO, MDY'",
  "SET standard_conforming_strings = on",
  "SET extra_float_digits = 1",
  "SET bytea_output = 'hex'",
  "SET default_transaction_isolation = 'read committed'",
].join("; ");
