/** Drawn on a grid of 16 px, with one line weight. */
const PATHS = {
  close: 'M4 4l8 8M12 4l-8 8',
  back: 'M10 3L5 8l5 5',
  find: 'M7 2.8a4.2 4.2 0 100 8.4 4.2 4.2 0 000-8.4M10.2 10.2L14 14',
  go: 'M6 3l5 5-5 5',
  tick: 'M3.5 8.5l3 3 6-7',
  lock: 'M5 7h6a1.5 1.5 0 011.5 1.5V12a1.5 1.5 0 01-1.5 1.5H5A1.5 1.5 0 013.5 12V8.5A1.5 1.5 0 015 7M5.5 7V5.2a2.5 2.5 0 015 0V7',
  warn: 'M8 2.5l6 10.8H2zM8 6.6v3M8 11.4v.1',
  out: 'M6.5 3.5h-3v9h9v-3M9 3h4v4M13 3L7.5 8.5',
  clock: 'M8 2.2a5.8 5.8 0 100 11.6A5.8 5.8 0 008 2.2M8 4.8V8l2.2 1.6',
} as const;

export type IconName = keyof typeof PATHS;

/** Beside a word that says the same: screen readers pass over it. */
export function Icon({ name, flips = false }: { readonly name: IconName; readonly flips?: boolean }) {
  return (
    <svg class={flips ? 'i flips' : 'i'} viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
