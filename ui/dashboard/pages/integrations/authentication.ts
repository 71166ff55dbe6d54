import { AUTH_WORDS } from '../../../../core/catalogue/auth-words.ts';

export function authWord(mode: string | null): string {
  return mode === null ? '–' : (AUTH_WORDS[mode] ?? mode);
}

/** Returns the name of a category in words: "Dev tools" for "dev-tools". */
export function categoryWord(name: string): string {
  const words = name.replaceAll('-', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
