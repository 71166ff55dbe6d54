/** The icons of both apps. Drawn on a grid of 16 px, with one line weight. */
export const COMMON_ICONS = {
  close: 'M4 4l8 8M12 4l-8 8',
  find: 'M7 2.8a4.2 4.2 0 100 8.4 4.2 4.2 0 000-8.4M10.2 10.2L14 14',
  go: 'M6 3l5 5-5 5',
  tick: 'M3.5 8.5l3 3 6-7',
  warn: 'M8 2.5l6 10.8H2zM8 6.6v3M8 11.4v.1',
  out: 'M6.5 3.5h-3v9h9v-3M9 3h4v4M13 3L7.5 8.5',
} as const;

interface IconProps<Name> {
  readonly name: Name;
  /** True if the icon is mirrored in right-to-left writing. */
  readonly flips?: boolean;
}

/**
 * Creates the component for a set of icons. Screen readers skip the icons: each is beside a word with the same meaning, or in a
 * button with an `aria-label`.
 */
export function iconOf<Name extends string>(paths: Readonly<Record<Name, string>>) {
  return ({ name, flips = false }: IconProps<Name>) => (
    <svg class={flips ? 'i flips' : 'i'} viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

export const Icon = iconOf(COMMON_ICONS);
