import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

/** Matches a file with the texts of a page in one language, which is loaded when it is needed. */
const LANGUAGE = /\/texts\/[a-z]{2}(?:-[a-z]{2})?\.ts$/;
/** Matches the file that imports all of them. */
const LIST = /\/texts\/languages\.ts$/;
const KEYS = '\0text-keys:';

/**
 * Builds language files without their keys, which would be a quarter of their size: the page's script contains the keys once, in
 * the order of `en.ts`.
 */
export function languageFiles(): Plugin {
  return {
    name: 'language-files',
    resolveId: (id) => (id.startsWith(KEYS) ? id : null),
    load(id) {
      if (id.startsWith(KEYS)) return keysModule(id.slice(KEYS.length));
      return LANGUAGE.test(id) ? languageModule(id) : null;
    },
    transform: (code, id) => (LIST.test(id) ? `import ${keysOf(id)};\n${code}` : null),
  };
}

/** Returns the name of the module with the keys, quoted for an import. @param file a file in `texts/` */
function keysOf(file: string): string {
  return JSON.stringify(KEYS + join(dirname(file), 'en.ts'));
}

async function keysModule(english: string): Promise<{ readonly code: string; readonly moduleSideEffects: true }> {
  const keys = Object.keys((await exportOf(english)).texts).join(' ');
  const code = `const keys = ${JSON.stringify(keys)}.split(' ');
export const named = (texts) => Object.fromEntries(keys.map((key, index) => [key, texts[index]]));\n`;
  // Keeps the module in the page's script, which imports it but uses none of its exports.
  return { code, moduleSideEffects: true };
}

async function languageModule(file: string): Promise<string> {
  const english = await exportOf(join(dirname(file), 'en.ts'));
  const { name, texts } = await exportOf(file);
  const missing = Object.keys(english.texts).filter((key) => texts[key] === undefined);
  if (missing.length > 0) throw new Error(`${file} lacks ${missing.join(', ')}`);
  const list = JSON.stringify(Object.keys(english.texts).map((key) => texts[key]));
  return `import { named } from ${keysOf(file)};\nexport const ${name} = named(${list});\n`;
}

interface Exported {
  readonly name: string;
  readonly texts: Readonly<Record<string, string>>;
}

async function exportOf(file: string): Promise<Exported> {
  const [[name, texts] = []] = Object.entries<Exported['texts']>(await import(pathToFileURL(file).href));
  if (name === undefined || texts === undefined) throw new Error(`${file} exports no texts`);
  return { name, texts };
}
