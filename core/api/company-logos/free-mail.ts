/** How domains of providers of mailboxes for anybody begin, whatever their ending: `yahoo.com`, `yahoo.co.uk`, `hotmail.fr`. */
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

/** Those of one ending, and those whose name says nothing below another. */
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

/** A country's, also below a second level as in `co.uk` and `com.br`; or one of the few others that such providers have. */
const ENDING = /^(?:[a-z]{2}|com|net|org|(?:com?|net|org)\.[a-z]{2})$/;

/** Whether a domain is of mailboxes for anybody: its icon says nothing of the company. @param domain in lower case */
export function isFreeMail(domain: string): boolean {
  const end = domain.indexOf('.') + 1;
  return ONE_BY_ONE.has(domain) || (EVERYWHERE.has(domain.slice(0, end)) && ENDING.test(domain.slice(end)));
}
