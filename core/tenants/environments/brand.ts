import { contrast, hexOf, rgbOf, textOn } from '../../kit/color.ts';
import type { LanguageTag } from '../../kit/language.ts';
import { isUnsafe } from '../../kit/unsafe-characters.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const MAX_NAME = 100;
export const MAX_RADIUS = 32;

/** The appearance of the pages on which end users connect. */
export interface Brand {
  /** The name of the application as end users see it. */
  readonly name: string | null;
  readonly logo: BrandLogo | null;
  /** `#rrggbb` in lower case. */
  readonly color: string | null;
  /** The radius of corners, in CSS pixels. */
  readonly radius: number | null;
  readonly theme: Theme;
  /** The language of the connect window where the application names none; null means the browser's. */
  readonly language: LanguageTag | null;
}

/** The parts of the logo's address. */
export interface BrandLogo {
  readonly hash: string;
  readonly type: LogoType;
}

export const LOGO_TYPES = ['png', 'webp'] as const;
export type LogoType = (typeof LOGO_TYPES)[number];

export function isBrandName(text: string): boolean {
  return text.trim() === text && text !== '' && text.length <= MAX_NAME && !isUnsafe(text);
}

export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

/** Returns the address of a logo. It is absolute, since the pages may be on another host. */
export function brandLogoUrl(baseUrl: string, environmentUuid: string, { hash, type }: BrandLogo): string {
  return `${baseUrl}/connect/brand/${environmentUuid}/${hash}.${type}`;
}

/** Returns the text colour that the pages use on the brand's colour, and its contrast ratio; `{}` without a colour. */
export function textOnColor(color: string | null): { readonly text_color?: string; readonly contrast?: number } {
  const ground = color === null ? undefined : rgbOf(color);
  if (ground === undefined) return {};
  const text = textOn(ground);
  return { text_color: hexOf(text), contrast: Math.round(contrast(text, ground) * 100) / 100 };
}
