export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const MAX_NAME = 100;
export const MAX_RADIUS = 32;
/** Neither control characters nor those that change the direction of the text around them. */
const UNSAFE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** How the pages look on which end users connect. */
export interface Brand {
  /** The application's, for end users. */
  readonly name: string | null;
  readonly logo: BrandLogo | null;
  /** `#rrggbb` in lower case. */
  readonly color: string | null;
  /** Of corners, in CSS pixels. */
  readonly radius: number | null;
  readonly theme: Theme;
}

/** What the logo's address is made of. */
export interface BrandLogo {
  readonly hash: string;
  readonly type: LogoType;
}

export const LOGO_TYPES = ['png', 'webp'] as const;
export type LogoType = (typeof LOGO_TYPES)[number];

export function isBrandName(text: string): boolean {
  return text.trim() === text && text !== '' && text.length <= MAX_NAME && !UNSAFE.test(text);
}

export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

/** Absolute, since the pages may be elsewhere. */
export function brandLogoUrl(baseUrl: string, environmentUuid: string, { hash, type }: BrandLogo): string {
  return `${baseUrl}/connect/brand/${environmentUuid}/${hash}.${type}`;
}

/** The text on a colour, black or white, that is easier to read, and the contrast between both (WCAG 2.2 §1.4.3). */
export function readableOn(color: string): { readonly text: '#000000' | '#ffffff'; readonly contrast: number } {
  const luminance = luminanceOf(color);
  const [black, white] = [(luminance + 0.05) / 0.05, 1.05 / (luminance + 0.05)];
  const rounded = Math.round(Math.max(black, white) * 100) / 100;
  return { text: black >= white ? '#000000' : '#ffffff', contrast: rounded };
}

/** Relative luminance, of WCAG 2.2. */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
