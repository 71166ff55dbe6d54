/** Drawn on a grid of 16 px, with one line weight. */
const PATHS = {
  plug: 'M6 2.5v3M10 2.5v3M4.2 5.5h7.6v2.2a3.8 3.8 0 01-7.6 0zM8 11.5v2.5',
  home: 'M2.5 7.5L8 3l5.5 4.5M4 6.8V13h8V6.8',
  grid: 'M3.5 2.5H6a1 1 0 011 1V6a1 1 0 01-1 1H3.5a1 1 0 01-1-1V3.5a1 1 0 011-1M10 2.5h2.5a1 1 0 011 1V6a1 1 0 01-1 1H10a1 1 0 01-1-1V3.5a1 1 0 011-1M3.5 9H6a1 1 0 011 1v2.5a1 1 0 01-1 1H3.5a1 1 0 01-1-1V10a1 1 0 011-1M10 9h2.5a1 1 0 011 1v2.5a1 1 0 01-1 1H10a1 1 0 01-1-1V10a1 1 0 011-1',
  log: 'M3 4h10M3 8h10M3 12h6',
  code: 'M5.5 4.5L2 8l3.5 3.5M10.5 4.5L14 8l-3.5 3.5',
  gear: 'M8 5.8a2.2 2.2 0 100 4.4 2.2 2.2 0 000-4.4M8 1.8v2M8 12.2v2M1.8 8h2M12.2 8h2M3.6 3.6l1.4 1.4M11 11l1.4 1.4M3.6 12.4L5 11M11 5l1.4-1.4',
  find: 'M7 2.8a4.2 4.2 0 100 8.4 4.2 4.2 0 000-8.4M10.2 10.2L14 14',
  plus: 'M8 3v10M3 8h10',
  down: 'M4 6l4 4 4-4',
  go: 'M6 3l5 5-5 5',
  dots: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  warn: 'M8 2.5l6 10.8H2zM8 6.6v3M8 11.4v.1',
  about: 'M8 2.2a5.8 5.8 0 100 11.6A5.8 5.8 0 008 2.2M8 7.4v3.4M8 5.1v.1',
  tick: 'M3.5 8.5l3 3 6-7',
  copy: 'M7 5.5h5A1.5 1.5 0 0113.5 7v5a1.5 1.5 0 01-1.5 1.5H7A1.5 1.5 0 015.5 12V7A1.5 1.5 0 017 5.5M10.5 5.5V3.8A1.3 1.3 0 009.2 2.5H3.8a1.3 1.3 0 00-1.3 1.3v5.4a1.3 1.3 0 001.3 1.3h1.7',
  eye: 'M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8zM8 6.2a1.8 1.8 0 100 3.6 1.8 1.8 0 000-3.6',
  key: 'M5 8.4a2.6 2.6 0 100 5.2 2.6 2.6 0 000-5.2M7 9l6-6M10.5 5.5l2 2',
  close: 'M4 4l8 8M12 4l-8 8',
  lines: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.5v9l7-4.5z',
  out: 'M6.5 3.5h-3v9h9v-3M9 3h4v4M13 3L7.5 8.5',
  person: 'M8 2.8a2.6 2.6 0 100 5.2 2.6 2.6 0 000-5.2M3 13.5a5 5 0 0110 0',
} as const;

export type IconName = keyof typeof PATHS;

/** Beside a word that says the same, or in a button with an `aria-label`: screen readers pass over it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
