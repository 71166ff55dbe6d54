/** The accepted types: raster images only, since other images may contain scripts. */
export type ImageType = 'image/gif' | 'image/jpeg' | 'image/png' | 'image/webp' | 'image/x-icon';

const STARTS: readonly (readonly [ImageType, string])[] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
  ['image/x-icon', '\0\0\x01\0'],
];

/** Detects an image's type by its content, since the type that a server states may be wrong. Undefined for any other content. */
export function imageTypeOf(bytes: Buffer): ImageType | undefined {
  const start = bytes.toString('latin1', 0, 16);
  if (start.startsWith('RIFF') && start.startsWith('WEBPVP8', 8)) return 'image/webp';
  return STARTS.find(([, magic]) => start.startsWith(magic))?.[0];
}
