/** The red, green and blue parts of a colour, 0 to 255. */
export type Rgb = readonly [number, number, number];

/** The colour of texts on bright backgrounds; softer than black. */
const DARK: Rgb = [14, 17, 24];
const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
const STEP = 0.04;
/** Minimum contrast ratio of text to its background (WCAG 2.2 §1.4.3, level AA). */
export const MIN_TEXT_CONTRAST = 4.5;

/** Parses a colour of the form `#rrggbb`; undefined for any other text. */
export function rgbOf(hex: string): Rgb | undefined {
  const digits = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex);
  if (digits === null) return undefined;
  const [red = 0, green = 0, blue = 0] = digits.slice(1).map((part) => Number.parseInt(part, 16));
  return [red, green, blue];
}

export function hexOf(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** Returns the contrast ratio of two colours (WCAG 2.2, "contrast ratio"), 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/**
 * Returns the text colour that is easier to read on the background, dark or white. If neither has enough contrast, it is black or
 * white, whichever has more.
 */
export function textOn(ground: Rgb): Rgb {
  const readable = contrast(DARK, ground) >= contrast(WHITE, ground) ? DARK : WHITE;
  if (contrast(readable, ground) >= MIN_TEXT_CONTRAST) return readable;
  return contrast(BLACK, ground) >= contrast(WHITE, ground) ? BLACK : WHITE;
}

/** Returns the colour, or the nearest one towards black or white that has at least this contrast to the background. */
export function withContrast(color: Rgb, ground: Rgb, ratio: number): Rgb {
  const target = contrast(WHITE, ground) >= contrast(BLACK, ground) ? WHITE : BLACK;
  for (let share = 0; share < 1; share += STEP) {
    const mixed = mix(color, target, share);
    if (contrast(mixed, ground) >= ratio) return mixed;
  }
  return target;
}

function mix(one: Rgb, other: Rgb, share: number): Rgb {
  const part = (index: 0 | 1 | 2) => Math.round(one[index] + (other[index] - one[index]) * share);
  return [part(0), part(1), part(2)];
}

/** Returns the relative luminance of a colour, 0 to 1 (WCAG 2.2, "relative luminance"). */
function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
