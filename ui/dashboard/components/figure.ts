const FORMAT = new Intl.NumberFormat('en');

/** Formats a number in English, the language of the texts: "1,219". */
export function figure(count: number): string {
  return FORMAT.format(count);
}

/** The number at which the service stops counting connections. */
export const MOST_COUNTED = 1_000;

/** The number at which the service stops counting webhooks and work that wait. */
export const MOST_WAITING = 10_000;

/** Formats a number that the service counts up to a limit: "1,000+" stands for that many or more. */
export function bounded(count: number, most = MOST_COUNTED): string {
  return count < most ? figure(count) : `${figure(most)}+`;
}
