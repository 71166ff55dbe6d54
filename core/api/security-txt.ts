import { ServiceError } from '../errors.ts';
import type { Clock } from '../kit/clock.ts';
import { defineRoute } from '../server/route.ts';

const PATH = '/.well-known/security.txt';
/** How far ahead `Expires` is: less than a year, which RFC 9116 §2.5.5 recommends. */
const VALID_MS = 180 * 86_400_000;

interface SecurityTxtServices {
  readonly baseUrl: string;
  readonly clock: Clock;
  /** The value of `SVC_SECURITY_CONTACT`: URIs, the preferred one first. */
  readonly securityContacts: readonly string[];
}

export const securityTxtRoutes = [
  defineRoute({
    method: 'GET',
    path: PATH,
    operationId: 'getSecurityTxt',
    access: 'public',
    tag: 'Operation',
    summary: 'Where to report vulnerabilities of this installation (RFC 9116)',
    responses: {
      200: { description: 'The fields Contact, Expires and, for a service at an https address, Canonical.', type: 'text/plain' },
      404: { description: 'The setting `SVC_SECURITY_CONTACT` names no contact.' },
    },
    handle: async ({ securityContacts, baseUrl, clock }: SecurityTxtServices) => {
      if (securityContacts.length === 0) throw new ServiceError('not_found', 'there is nothing at this URL');
      return {
        type: 'text/plain; charset=utf-8',
        body: securityTxt(securityContacts, { baseUrl, now: clock.now() }),
        headers: { 'cache-control': 'public, max-age=3600' },
      };
    },
  }),
];

/** Returns the fields as RFC 9116 §2.5 defines them. `Preferred-Languages` is left out: nobody states which ones the contacts read. */
function securityTxt(contacts: readonly string[], { baseUrl, now }: { readonly baseUrl: string; readonly now: Date }): string {
  // Begins a day in UTC, so that the file changes once a day.
  const expires = new Date(now.getTime() + VALID_MS).toISOString().replace(/T.*/, 'T00:00:00Z');
  // The file belongs at the root of the host (§3), also where the service has a base path.
  const canonical = new URL(PATH, baseUrl);
  const lines = [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires}`,
    // §2.5.2: a web URI must be https.
    ...(canonical.protocol === 'https:' ? [`Canonical: ${canonical.href}`] : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
