import { Cron } from "croner";

/** The weekly time at which a digest is due. */
export interface Schedule {
  /** The last due time before the given time. */
  lastDue(now: Date): Date;
  /** Formats a time in the time zone of the schedule, such as `Mon, 23 Nov 2026, 09:00`. */
  show(time: Date): string;
}

const form = /^(mon|tue|wed|thu|fri|sat|sun) ([01]\d|2[0-3]):([0-5]\d)(?: (\S+))?$/i;

/**
 * Reads a schedule such as `mon 09:00 Europe/Berlin`. Without a time zone it is UTC. A time that daylight saving skips is due
 * an hour later, and a time that it repeats is due once.
 *
 * @throws RangeError that says what is wrong with the text
 */
export function parseSchedule(text: string): Schedule {
  const [, day = "", hour = "", minute = "", timezone = "UTC"] = form.exec(text.trim().replace(/\s+/g, " ")) ?? [];
  if (!day) throw new RangeError("must be a day of the week and a time, such as mon 09:00 Europe/Berlin");
  const shown = format(timezone);
  const cron = new Cron(`${Number(minute)} ${Number(hour)} * * ${day}`, { timezone, paused: true });
  return {
    lastDue(now) {
      const [last] = cron.previousRuns(1, now);
      if (!last) throw new RangeError(`nothing was ever due at ${text}`);
      return last;
    },
    show: (time) => shown.format(time),
  };
}

function format(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-GB", {
      ...{ weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" },
      timeZone,
    });
  } catch {
    throw new RangeError("must end with a time zone of the IANA database, such as Europe/Berlin");
  }
}
