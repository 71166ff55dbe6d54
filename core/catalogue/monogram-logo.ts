import { hexOf, type Rgb, textOn } from '../kit/color.ts';
import { monogram, tintOf } from '../kit/monogram.ts';

const TINTS: readonly Rgb[] = [
  [54, 89, 185],
  [111, 76, 170],
  [158, 62, 108],
  [166, 76, 45],
  [128, 98, 20],
  [48, 110, 69],
  [22, 108, 125],
];

/** Returns the logo of a provider that has none, as SVG: two letters of its name, on a colour that follows from it. */
export function monogramLogo(name: string): Buffer {
  const tint = TINTS[tintOf(name, TINTS.length)] ?? [0, 0, 0];
  // A name can hold any letter; those of a monogram are letters, marks or digits, but for the sign of an empty name.
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="${hexOf(tint)}"/>` +
      `<text x="20" y="20" dy=".36em" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="600" font-size="17" ` +
      `fill="${hexOf(textOn(tint))}">${monogram(name)}</text></svg>`,
  );
}
