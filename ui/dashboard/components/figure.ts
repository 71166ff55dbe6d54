const FORMAT = new Intl.NumberFormat('en');

/** Formats a number in English, the language of the texts: "1,219". */
export function figure(count: number): string {
  return FORMAT.format(count);
}

/** The number at which the service stops counting connections. */
export const MOST_COUNTED = 1_000;

/** Formats a number of connections: "1,000+" stands for that many or more. */
export function bounded(count: number): string {
  return count < MOST_COUNTED ? figure(count) : `${figure(MOST_COUNTED)}+`;
}
