// Dates as upstreams write them: in ISO 8601, or as in RSS, by RFC 822, with the liberties that its writers take. A day that no
// calendar has is not moved to the next month, as JavaScript does, nor is a 60th minute left out.

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const MONTH =
  "Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?";
/** `Wed, 05 Nov 2026 10:00:00 +0000`, `Tue,  6 August 2024 8:00 EST`; two-digit years are not taken. */
const RFC_822 = new RegExp(
  String.raw`^(?:[A-Z][a-z]{2,8}(?:, *| +))?(?<day>\d{1,2}) +(?<month>${MONTH}) +(?<year>\d{4})(?: +(?<time>\d{1,2}:\d{2}(?::\d{2})?) *(?<zone>GMT|UTC?|Z|[A-Z]{3}|[+-]\d{2}:?\d{2}))?$`,
);
const ISO_8601 =
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[T ](?<time>\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(?<zone>Z|[+-]\d{2}:?\d{2})?)?$/;

/** With the end of a day and a leap second. */
const TIME = /^(?:(?:[01]?\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:\.\d+)?)?|24:00(?::00)?)$/;

/** `September 30, 2026` */
const DAY = new RegExp(String.raw`^(?<month>${MONTH}) +(?<day>\d{1,2}),? +(?<year>\d{4})$`);

/** A time of RFC 822 in ISO 8601, in UTC; any other text, and a day or time that there is not, as it is. */
export function dateText(date: string): string {
  const text = date.trim();
  const time = RFC_822.exec(text)?.groups?.time === undefined ? undefined : timeOf(text);
  return time === undefined ? text : new Date(time).toISOString().replace(".000Z", "Z");
}

/** Milliseconds since the epoch; undefined for a text that is no date, or not in the calendar. Without a zone it is in UTC. */
export function timeOf(date: string): number | undefined {
  const parts = partsOf(date);
  if (!parts?.isInCalendar) return undefined;
  const { year, month, day, time = "0:00", zone = "Z" } = parts;
  const parsed = Date.parse(`${day} ${MONTHS[month]} ${year} ${time} ${zone.replace(":", "")}`);
  return Number.isNaN(parsed) ? undefined : parsed;
}

/** True for a date whose day or time there is not, such as 31 September, or 25:00. */
export function isNoDay(date: string): boolean {
  return partsOf(date)?.isInCalendar === false;
}

function partsOf(date: string) {
  const text = date.trim();
  const groups = (ISO_8601.exec(text) ?? RFC_822.exec(text) ?? DAY.exec(text))?.groups;
  if (!groups) return undefined;
  const { year = "", month: name = "", day = "", time, zone } = groups;
  const month = /\d/.test(name) ? Number(name) - 1 : MONTHS.indexOf(name.slice(0, 3));
  const inUtc = new Date(Date.UTC(Number(year), month, Number(day)));
  return {
    year,
    month,
    day,
    time,
    zone,
    isInCalendar:
      inUtc.getUTCDate() === Number(day) && MONTHS[month] !== undefined && (time === undefined || TIME.test(time)),
  };
}
