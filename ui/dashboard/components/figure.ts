const FORMAT = new Intl.NumberFormat('en');

/** "1,219": texts are English. */
export function figure(count: number): string {
  return FORMAT.format(count);
}
