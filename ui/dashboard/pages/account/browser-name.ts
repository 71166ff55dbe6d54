/** In the order in which they are told apart: every browser names others, too. */
const BROWSERS = { Edg: 'Edge', OPR: 'Opera', Firefox: 'Firefox', Chrome: 'Chrome', Safari: 'Safari' };
const SYSTEMS = { Android: 'Android', iPhone: 'iOS', iPad: 'iPadOS', 'Mac OS': 'macOS', Windows: 'Windows', Linux: 'Linux' };

/** What a person calls what `User-Agent` names. */
export function browserOf(userAgent: string): { readonly browser: string | undefined; readonly system: string | undefined } {
  return { browser: firstIn(userAgent, BROWSERS), system: firstIn(userAgent, SYSTEMS) };
}

function firstIn(text: string, names: Readonly<Record<string, string>>): string | undefined {
  return Object.entries(names).find(([mark]) => text.includes(mark))?.[1];
}
