import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { sign as signByOctokit } from '@octokit/webhooks-methods';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import type { HmacRule } from '#contract';

type Headers = Readonly<Record<string, string>>;

/**
 * A way to sign deliveries: the rule by which the service verifies them, a genuine sender that does not use the service's code,
 * and functions for forging signatures.
 */
export interface Scheme {
  readonly rule: HmacRule;
  /** Returns the headers that the genuine provider sends with the body. */
  honest(secret: string, body: Buffer, at: Date): Promise<Headers>;
  /** Returns the headers with this text in place of the digest. */
  place(digest: string, at: Date): Headers;
  /** Returns the bytes that are signed. */
  content(body: Buffer, at: Date): Buffer;
  key(secret: string): Buffer;
  /** True if the header may contain several digests, of which only one needs to be valid. */
  readonly splits: boolean;
}

const seconds = (at: Date) => String(Math.floor(at.getTime() / 1000));
const utf8 = (secret: string) => Buffer.from(secret, 'utf8');
const base = { scheme: 'hmac', secret: { in: 'webhookSecret' }, withoutSecret: 'refuse' } as const;

type Plain = Pick<HmacRule, 'algorithm' | 'encoding' | 'header' | 'prefix'>;

/** Returns a scheme whose header holds only the digest of the body, which openssl computes for the genuine sender. */
function plain(named: Plain): Scheme {
  const place = (digest: string) => ({ [named.header]: `${named.prefix ?? ''}${digest}` });
  return {
    rule: { ...base, ...named },
    honest: async (secret, body) => place(byOpenssl(named.algorithm, utf8(secret), body).toString(named.encoding)),
    place,
    content: (body) => body,
    key: utf8,
    splits: false,
  };
}

const HUB: Plain = { algorithm: 'sha256', encoding: 'hex', header: 'x-hub-signature-256', prefix: 'sha256=' };
const hub: Scheme = {
  ...plain(HUB),
  honest: async (secret, body) => ({ [HUB.header]: await signByOctokit(secret, body.toString()) }),
};

const MESSAGE_ID = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
/** The scheme of https://www.standardwebhooks.com, with several digests separated by blanks. */
const standard: Scheme = {
  rule: {
    ...base,
    algorithm: 'sha256',
    encoding: 'base64',
    header: 'webhook-signature',
    key: (secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'),
    signatures: (header) => header.split(' ').flatMap((part) => (part.startsWith('v1,') ? [part.slice(3)] : [])),
    signedBytes: ({ headers, rawBody }) =>
      Buffer.concat([Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`), rawBody]),
    timestamp: { toleranceSeconds: 300, read: ({ headers }) => new Date(Number(headers['webhook-timestamp'] ?? 'none') * 1000) },
  },
  honest: async (secret, body, at) => ({
    'webhook-id': MESSAGE_ID,
    'webhook-timestamp': seconds(at),
    'webhook-signature': new StandardWebhook(secret).sign(MESSAGE_ID, at, body.toString()),
  }),
  place: (digest, at) => ({
    'webhook-id': MESSAGE_ID,
    'webhook-timestamp': seconds(at),
    'webhook-signature': `v1,${digest}`,
  }),
  content: (body, at) => Buffer.concat([Buffer.from(`${MESSAGE_ID}.${seconds(at)}.`), body]),
  key: (secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'),
  splits: true,
};

const partOf = (header: string, name: string) =>
  header.split(',').flatMap((part) => (part.startsWith(`${name}=`) ? [part.slice(name.length + 1)] : []));

/** A scheme with the time and the digests in one header. */
const timed: Scheme = {
  rule: {
    ...base,
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-timed-signature',
    signatures: (header) => partOf(header, 'v1'),
    signedBytes: ({ headers, rawBody }) =>
      Buffer.concat([Buffer.from(`${partOf(headers['x-timed-signature'] ?? '', 't')[0]}.`), rawBody]),
    timestamp: {
      toleranceSeconds: 300,
      read: ({ headers }) => new Date(Number(partOf(headers['x-timed-signature'] ?? '', 't')[0] ?? 'none') * 1000),
    },
  },
  honest: async (secret, body, at) => {
    const signed = Buffer.concat([Buffer.from(`${seconds(at)}.`), body]);
    return { 'x-timed-signature': `t=${seconds(at)},v1=${byOpenssl('sha256', utf8(secret), signed).toString('hex')}` };
  },
  place: (digest, at) => ({ 'x-timed-signature': `t=${seconds(at)},v1=${digest}` }),
  content: (body, at) => Buffer.concat([Buffer.from(`${seconds(at)}.`), body]),
  key: utf8,
  splits: true,
};

/** A scheme with the time in a separate header, which is signed together with the body. */
const versioned: Scheme = {
  ...plain({ algorithm: 'sha256', encoding: 'hex', header: 'x-versioned-signature', prefix: 'v0=' }),
  rule: {
    ...base,
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-versioned-signature',
    prefix: 'v0=',
    signedBytes: ({ headers, rawBody }) => Buffer.concat([Buffer.from(`v0:${headers['x-request-timestamp']}:`), rawBody]),
    timestamp: {
      toleranceSeconds: 300,
      read: ({ headers }) => new Date(Number(headers['x-request-timestamp'] ?? 'none') * 1000),
    },
  },
  honest: async (secret, body, at) => {
    const signed = Buffer.concat([Buffer.from(`v0:${seconds(at)}:`), body]);
    const digest = byOpenssl('sha256', utf8(secret), signed).toString('hex');
    return { 'x-request-timestamp': seconds(at), 'x-versioned-signature': `v0=${digest}` };
  },
  place: (digest, at) => ({ 'x-request-timestamp': seconds(at), 'x-versioned-signature': `v0=${digest}` }),
  content: (body, at) => Buffer.concat([Buffer.from(`v0:${seconds(at)}:`), body]),
};

export const SCHEMES: Readonly<Record<string, Scheme>> = {
  'SHA-256 in hex behind a prefix': hub,
  'SHA-256 in hex': plain({ algorithm: 'sha256', encoding: 'hex', header: 'x-scheduler-signature-256' }),
  'SHA-256 in base64': plain({ algorithm: 'sha256', encoding: 'base64', header: 'x-hmac-sha256' }),
  'SHA-512 in hex': plain({ algorithm: 'sha512', encoding: 'hex', header: 'x-signature' }),
  'SHA-1 in base64 behind a prefix': plain({
    algorithm: 'sha1',
    encoding: 'base64',
    header: 'x-hook-signature',
    prefix: 'sha1=',
  }),
  'several digests in base64, with ID and time': standard,
  'time and digest in one header': timed,
  'a version, with the time in a header of its own': versioned,
};

/** Returns the HMAC that a forger computes; the genuine sender uses other code. */
export function forge(algorithm: string, key: string | Buffer, content: string | Buffer): Buffer {
  return createHmac(algorithm, key).update(content).digest();
}

function byOpenssl(algorithm: string, key: Buffer, content: Buffer): Buffer {
  return execFileSync(
    'openssl',
    ['dgst', `-${algorithm}`, '-mac', 'HMAC', '-macopt', `hexkey:${key.toString('hex')}`, '-binary'],
    {
      input: content,
    },
  );
}
