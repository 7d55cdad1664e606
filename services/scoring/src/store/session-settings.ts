/**
 * SQL that each new connection begins with. A database or a role may have other defaults, and by them a date would be cast
 * to another moment, and the texts of times, numbers and keys read otherwise. pgbouncer hands the first three on to
 * whichever connection of the server it takes.
 */
export const sessionSettings: string = [
  "SET TimeZone = 'UTC'",
  "SET DateStyle = 'ISO, MDY'",
  "SET standard_conforming_strings = on",
  "SET extra_float_digits = 1",
  "SET bytea_output = 'hex'",
].join("; ");
