import { z } from 'zod';
import { isDecodable } from '../kit/is-decodable.ts';
import { postgresUrlFault } from '../kit/postgres-url.ts';

const ENCRYPTION_KEY = /^([A-Za-z0-9_-]{1,32}):[A-Za-z0-9+/]{43}=?$/;
// A host name by RFC 1123 §2.1.
const HOST_LABELS = /^(?=.{1,253}$)(?!-)[a-z0-9-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/i;
const HOST_AND_PORT = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/;

// Messages continue the sentence "<VARIABLE> …" and never repeat the value, which may be a secret in the wrong place.

/** A whole number, written with digits only: `Number('')` would be 0, which switches limits off. */
export const integer = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((number) => number >= min && number <= max, message);
};

export const toggle = z
  .enum(['on', 'off'], 'must be on or off')
  .default('off')
  .transform((word) => word === 'on');

export const hostName = z.string().refine(isHost, 'must be a host name or an IP address');

export const folders = z
  .string()
  .default('')
  .transform((text) => Object.freeze(text.split(':').filter((folder) => folder !== '')));

/** A key for an `Authorization: Bearer` header (RFC 6750 §2.1). */
export const key = z
  .string()
  .regex(/^[A-Za-z0-9._~+/=-]{32,255}$/, 'must have 32 to 255 characters, only letters, digits and . _ ~ + / = -');

export const publicUrl = z.string().transform((text, context) => {
  const url = URL.parse(text);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === '';
  if (isPlain) return url.href.replace(/(?<!\/)\/+$/, '');
  context.addIssue('must be an http or https URL without user, query and fragment, such as https://svc.example.com');
  return z.NEVER;
});

/**
 * Where company logos are loaded from. `{domain}` stands for a whole domain and is allowed only in the path or query of a URL, so
 * that only the operator chooses the host.
 */
export const companyLogos = z.string().refine((text) => {
  if (text === 'own' || text === 'off') return true;
  const url = URL.parse(text.replaceAll('{domain}', 'x'));
  const hasDomain = text.includes('{domain}') && !/^https:\/\/[^/?#]*[{}]/i.test(text);
  return hasDomain && url?.protocol === 'https:' && url.username + url.password === '';
}, 'must be own, off, or an https URL with {domain} after its host, such as https://logos.example/{domain}');

/** The URL of a proxy, with user and password percent-encoded, as in any URL. */
export const proxyUrl = z.string().refine((text) => {
  const url = URL.parse(text);
  const isPlace = url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search + url.hash === '';
  return isPlace && isDecodable(url.username + url.password);
}, 'must have the form http(s)://[user:password@]host:port, with user and password percent-encoded');

/** The URL of a Postgres database. The host may be a percent-encoded folder with the server's Unix socket. */
export const postgresUrl = z.string().superRefine((text, context) => {
  const fault = postgresUrlFault(text);
  if (fault !== undefined) context.addIssue(fault);
});

export const encryptionKeys = z.string().superRefine((text, context) => {
  const seen = new Set<string>();
  for (const [index, item] of text.split(',').entries()) {
    const id = ENCRYPTION_KEY.exec(item.trim())?.[1];
    if (id === undefined)
      context.addIssue(
        `key ${index + 1} must be id:base64 of exactly 32 bytes; correct it: a new key cannot read what is stored`,
      );
    else if (seen.has(id)) context.addIssue(`key ${index + 1} repeats the ID of an earlier key; give each key its own`);
    else seen.add(id);
  }
});

/** A source by CSP Level 3 §2.3.1, without a path: `frame-ancestors` never matches a source that has one. */
const FRAME_SOURCE = /^(?:\*|'self'|https?:|(?:https?:\/\/)?(?:\*\.)?(?!(?:self|none)$)[a-z0-9.-]+(?::(?:\d{1,5}|\*))?)$/i;

/** The value of the directive `frame-ancestors`: nothing in it can end the directive or the header. */
export const frameAncestors = z.string().transform((text, context) => {
  const sources = text.split(' ').filter((source) => source !== '');
  if (sources.join() === "'none'") return "'none'";
  const wrong = sources.findIndex((source) => !FRAME_SOURCE.test(source));
  if (wrong === -1 && sources.length > 0) return sources.join(' ');
  context.addIssue(
    `source ${wrong + 1 || 1} must be 'self', *, https: or an origin such as https://*.example.com, or all of it 'none'; ` +
      'sources are separated by spaces',
  );
  return z.NEVER;
});

export const outboundList = list((item) => isCidr(item) || isHostWithPort(item), 'must be a host, host:port or CIDR');

export const cidrList = list((item) => isCidr(item) || isAddress(item), 'must be an IP address or a CIDR');

/** Contacts of `security.txt` (RFC 9116 §2.5.3), which are written as they are: ASCII alone, so that none can end its line. */
export const contactList = list(isContact, 'must be a URI that begins with mailto:, https: or tel:');

export const domainList = list(
  (item) => item.includes('.') && isHost(item) && !isAddress(item),
  'must be a domain like acme.example',
);

function list(fits: (item: string) => boolean, message: string) {
  return z
    .string()
    .default('')
    .transform((text, context) => {
      const items = text === '' ? [] : text.split(',').map((item) => item.trim());
      for (const [index, item] of items.entries()) if (!fits(item)) context.addIssue(`item ${index + 1} ${message}`);
      return Object.freeze(items);
    });
}

function isCidr(text: string): boolean {
  return z.cidrv4().safeParse(text).success || z.cidrv6().safeParse(text).success;
}

function isContact(text: string): boolean {
  const url = /^[\x21-\x7e]+$/.test(text) && !/[<>"\\^`{|}]/.test(text) ? URL.parse(text) : null;
  if (url?.protocol === 'https:') return text.startsWith('https://') && url.username + url.password === '';
  // RFC 6068 and RFC 3966; both may have parameters at the end.
  if (url?.protocol === 'mailto:') return /^mailto:[^@?]+@[^@?]+(?:\?|$)/.test(text);
  return /^tel:\+?[\d().-]+(?:;|$)/.test(text);
}

function isAddress(text: string): boolean {
  return z.ipv4().safeParse(text).success || z.ipv6().safeParse(text).success;
}

/**
 * Returns whether the text is a host. The URL parser treats a name whose last label is a number as an IPv4 address, so such a
 * name must be a valid address.
 */
function isHost(text: string): boolean {
  const isName = HOST_LABELS.test(text) && !/(?:^|\.)(?:\d+|0x[0-9a-f]*)$/i.test(text);
  return isName || isAddress(text);
}

function isHostWithPort(text: string): boolean {
  if (isAddress(text)) return true;
  const [whole, bracketed, name = '', port = '1'] = HOST_AND_PORT.exec(text) ?? [];
  if (whole === undefined || Number(port) < 1 || Number(port) > 65_535) return false;
  return bracketed === undefined ? isHost(name) : z.ipv6().safeParse(bracketed).success;
}
