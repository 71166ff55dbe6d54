import { contrast, hexOf, MIN_TEXT_CONTRAST, type Rgb, rgbOf, textOn, withContrast } from '../../core/kit/color.ts';
import type { Brand, Theme } from './wire.ts';

/** The background `--surface` of `tokens.css`, in both schemes. */
const SURFACE = { light: [255, 255, 255], dark: [19, 22, 29] } as const satisfies Record<string, Rgb>;
/** Minimum contrast between a button and its surroundings (WCAG 2.2 §1.4.11). */
const MIN_SHAPE = 3;
/** Maximum radius of corners, in CSS pixels. */
export const MAX_RADIUS = 32;

/**
 * Returns the custom properties that a brand sets. Its colour is used unchanged where it differs enough from the background; for
 * texts, it is made darker or lighter until they can be read.
 */
export function brandProperties({ color, radius }: Pick<Brand, 'color' | 'radius'>): Readonly<Record<string, string>> {
  const rgb = color === null ? undefined : rgbOf(color);
  return {
    ...(rgb !== undefined && { ...colorsOf(rgb, 'light'), ...colorsOf(rgb, 'dark') }),
    ...(radius !== null && { '--radius': `${Math.min(Math.max(radius, 0), MAX_RADIUS)}px` }),
  };
}

function colorsOf(color: Rgb, scheme: keyof typeof SURFACE): Record<string, string> {
  const ground = SURFACE[scheme];
  // On white, a bright button can still be recognized by its text; on a dark background, a dark button cannot.
  const accent = scheme === 'dark' ? withContrast(color, ground, MIN_SHAPE) : color;
  const text = withContrast(color, ground, MIN_TEXT_CONTRAST);
  return {
    [`--brand-${scheme}`]: hexOf(accent),
    [`--on-brand-${scheme}`]: hexOf(textOn(accent)),
    [`--brand-text-${scheme}`]: hexOf(text),
  };
}

export interface Readability {
  /** Contrast between a button's text and its background, 1 to 21. */
  readonly onButton: number;
  /** True if texts in this colour can be read on a light background without changing the colour. */
  readonly isTextKept: boolean;
}

/** Returns how well a button or a text of this colour (`#rrggbb`) can be read; undefined if the text is not a colour. */
export function readabilityOf(color: string): Readability | undefined {
  const rgb = rgbOf(color);
  if (rgb === undefined) return undefined;
  return { onButton: contrast(textOn(rgb), rgb), isTextKept: contrast(rgb, SURFACE.light) >= MIN_TEXT_CONTRAST };
}

/**
 * Returns the colour scheme. The embedding page's choice takes precedence over the environment's; undefined leaves the choice to
 * the system.
 */
export function schemeOf(wanted: string | null, ofBrand: Theme | undefined): 'light' | 'dark' | undefined {
  const theme = wanted ?? ofBrand;
  if (theme === 'light' || theme === 'dark') return theme;
  return undefined;
}
