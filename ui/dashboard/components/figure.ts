const FORMAT = new Intl.NumberFormat('en');

/** Formats a number in English, the language of the texts: "1,219". */
export function figure(count: number): string {
  return FORMAT.format(count);
}
