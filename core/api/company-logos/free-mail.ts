/** Beginnings of the domains of free mail providers that have many top-level domains: `yahoo.com`, `yahoo.co.uk`, `hotmail.fr`. */
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

/** Free mail providers with one domain, and those whose name has another meaning under another top-level domain. */
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
 * The top-level domain of a country, also with a second level as in `co.uk` and `com.br`; or one of the few others that such
 * providers have.
 */
const ENDING = /^(?:[a-z]{2}|com|net|org|(?:com?|net|org)\.[a-z]{2})$/;

/**
 * Returns whether a domain belongs to a free mail provider: its icon says nothing about the company.
 *
 * @param domain in lower case
 */
export function isFreeMail(domain: string): boolean {
  const end = domain.indexOf('.') + 1;
  return ONE_BY_ONE.has(domain) || (EVERYWHERE.has(domain.slice(0, end)) && ENDING.test(domain.slice(end)));
}
