import { extname } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
};

/** Returns the media type of a file that pages are built from. @throws Error when its kind is unknown */
export function mediaTypeOf(file: string): string {
  const type = TYPES[extname(file)];
  if (type === undefined) throw new Error(`${file}: no media type is known for this kind of file`);
  return type;
}
