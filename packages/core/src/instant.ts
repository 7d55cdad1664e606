/** PostgreSQL takes no offset of 16 hours or more; the largest in use is +14:00. */
const instantForm = /^[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-5]):\d\d)$/;

/** Whether a text is an existing time with its zone, by RFC 3339, less than 16 hours from UTC. */
export function isInstant(text: string): boolean {
  return instantForm.test(text) && dayExists(text.slice(0, 10)) && !Number.isNaN(Date.parse(text));
}

/** Whether a day such as 2026-01-31 exists: JavaScript accepts the 31st of February. */
export function dayExists(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
