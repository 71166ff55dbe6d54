import { AUTH_WORDS } from '../../../../core/catalogue/auth-words.ts';

export function authWord(mode: string | null): string {
  return mode === null ? '–' : (AUTH_WORDS[mode] ?? mode);
}

/** The names of categories that are written otherwise than their keys. */
const CATEGORIES: Readonly<Record<string, string>> = {
  crm: 'CRM',
  'dev-tools': 'Developer tools',
  'e-commerce': 'E-commerce',
  email: 'E-mail',
  erp: 'ERP',
  hris: 'HRIS',
  other: 'Generic',
};

/** Returns the name of a category in words: "Project management" for "project-management". */
export function categoryWord(name: string): string {
  if (CATEGORIES[name] !== undefined) return CATEGORIES[name];
  const words = name.replaceAll('-', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
