import type { IncomingWebhook } from '#contract';

/** Percent-encoded characters that are decoded before signing (docs: "Validate the v3 request signature"). */
const DECODED: Readonly<Record<string, string>> = {
  '%3A': ':',
  '%2F': '/',
  '%3F': '?',
  '%40': '@',
  '%21': '!',
  '%24': '$',
  '%27': "'",
  '%28': '(',
  '%29': ')',
  '%2A': '*',
  '%2C': ',',
  '%3B': ';',
};

/** Returns the bytes that HubSpot signs: method, URL, body and timestamp, with nothing between them. */
export function signedBytes({ method, url, headers, rawBody }: IncomingWebhook): Uint8Array {
  const address = url.replace(/%[0-9a-f]{2}/gi, (code) => DECODED[code.toUpperCase()] ?? code);
  return Buffer.concat([Buffer.from(method + address), rawBody, Buffer.from(headers['x-hubspot-request-timestamp'] ?? '')]);
}

/** Reads the time of sending from the header, which holds milliseconds since 1970. */
export function sentAt({ headers }: IncomingWebhook): Date | undefined {
  const milliseconds = headers['x-hubspot-request-timestamp'] ?? '';
  return /^\d{1,15}$/.test(milliseconds) ? new Date(Number(milliseconds)) : undefined;
}
