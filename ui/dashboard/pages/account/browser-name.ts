/** Names in `User-Agent`, in the order in which they must be checked, since most browsers also name others. */
const BROWSERS = { Edg: 'Edge', OPR: 'Opera', Firefox: 'Firefox', Chrome: 'Chrome', Safari: 'Safari' };
const SYSTEMS = { Android: 'Android', iPhone: 'iOS', iPad: 'iPadOS', 'Mac OS': 'macOS', Windows: 'Windows', Linux: 'Linux' };

/** Returns the common names of the browser and the system that `User-Agent` names; undefined for unknown ones. */
export function browserOf(userAgent: string): { readonly browser: string | undefined; readonly system: string | undefined } {
  return { browser: firstIn(userAgent, BROWSERS), system: firstIn(userAgent, SYSTEMS) };
}

function firstIn(text: string, names: Readonly<Record<string, string>>): string | undefined {
  return Object.entries(names).find(([mark]) => text.includes(mark))?.[1];
}
