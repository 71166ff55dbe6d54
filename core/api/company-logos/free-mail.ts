/** The part before the top-level domain, for free mail providers with many of them: `yahoo.com`, `yahoo.co.uk`, `hotmail.fr`. */
const EVERYWHERE: ReadonlySet<string> = new Set([
  'aol.',
  'fastmail.',
  'gmail.',
  'gmx.',
  'googlemail.',
  'hotmail.',
  'icloud.',
  'msn.',
  'outlook.',
  'protonmail.',
  'tutanota.',
  'yahoo.',
  'yandex.',
  'ymail.',
  'zoho.',
]);

/** Free mail providers with a single domain, and those whose name belongs to somebody else under other top-level domains. */
const ONE_BY_ONE: ReadonlySet<string> = new Set([
  'bk.ru',
  'bluewin.ch',
  'btinternet.com',
  'free.fr',
  'freenet.de',
  'hey.com',
  'laposte.net',
  'libero.it',
  'live.com',
  'live.co.uk',
  'live.fr',
  'live.nl',
  'mac.com',
  'mail.com',
  'mail.de',
  'mail.ru',
  'mailbox.org',
  'me.com',
  'naver.com',
  'orange.fr',
  'pm.me',
  'posteo.de',
  'proton.me',
  'qq.com',
  'rocketmail.com',
  'seznam.cz',
  't-online.de',
  'tuta.com',
  'tuta.io',
  'wanadoo.fr',
  'web.de',
  'wp.pl',
  '126.com',
  '163.com',
]);

/**
 * Matches the ending of a domain in `EVERYWHERE`: a country's top-level domain, with or without a second level as in `co.uk` and
 * `com.br`, or `com`, `net` or `org`.
 */
const ENDING = /^(?:[a-z]{2}|com|net|org|(?:com?|net|org)\.[a-z]{2})$/;

/**
 * Returns whether a domain belongs to a free mail provider, whose icon says nothing about the user's company.
 *
 * @param domain in lower case
 */
export function isFreeMail(domain: string): boolean {
  const end = domain.indexOf('.') + 1;
  return ONE_BY_ONE.has(domain) || (EVERYWHERE.has(domain.slice(0, end)) && ENDING.test(domain.slice(end)));
}
