import { contrast, hexOf, rgbOf, textOn } from '../../kit/color.ts';
import type { LanguageTag } from '../../kit/language.ts';
import { isUnsafe } from '../../kit/unsafe-characters.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const MAX_NAME = 100;
export const MAX_RADIUS = 32;

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
  /** Of the window, where the application names none; null: the browser's. */
  readonly language: LanguageTag | null;
}

/** What the logo's address is made of. */
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

/** Absolute, since the pages may be elsewhere. */
export function brandLogoUrl(baseUrl: string, environmentUuid: string, { hash, type }: BrandLogo): string {
  return `${baseUrl}/connect/brand/${environmentUuid}/${hash}.${type}`;
}

/** What the pages write on the colour, and how well it can be read. */
export function textOnColor(color: string | null): { readonly text_color?: string; readonly contrast?: number } {
  const ground = color === null ? undefined : rgbOf(color);
  if (ground === undefined) return {};
  const text = textOn(ground);
  return { text_color: hexOf(text), contrast: Math.round(contrast(text, ground) * 100) / 100 };
}
