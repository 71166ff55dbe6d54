import * as z from 'zod';
import { headerName, text } from './parts.ts';

/** Where a value is in a delivery; `event` is one entry of `events.list`. */
const place = z
  .string()
  .regex(
    /^(?:body|event)(?:\.[^\s.]+)*$|^headers\.[a-z0-9!#$%&'*+.^_`|~-]+$|^query\.[^\s=&]+$/,
    'must be body, body.<path>, event.<path>, headers.<name in lower case> or query.<name>',
  );

const SIGNED_PART = /\$\{([^{}]*)\}/g;
const SIGNED = /^(?:body|timestamp|method|url|headers\.[a-z0-9!#$%&'*+.^_`|~-]+|query\.[^\s=&}]+)$/;
const signedTemplate = text.superRefine((template, check) => {
  const parts = Array.from(template.matchAll(SIGNED_PART), ([, name = '']) => name);
  const unknown = parts.find((name) => !SIGNED.test(name));
  if (unknown !== undefined) check.addIssue({ code: 'custom', message: `"${unknown}" is not a part of a delivery` });
  // Without `${body}` the signature does not cover the payload that is forwarded.
  if (!parts.includes('body')) check.addIssue({ code: 'custom', message: 'must contain ${body}' });
});

const SCHEMES = {
  hmac: { required: ['header', 'encoding'], refused: [] },
  timed_hmac: {
    required: ['header', 'encoding', 'tolerance_seconds'],
    refused: ['prefix', 'signed', 'timestamp'],
  },
  standard_webhooks: {
    required: [],
    refused: ['algorithm', 'header', 'encoding', 'prefix', 'signed', 'timestamp'],
  },
  token: {
    required: ['header'],
    refused: ['algorithm', 'encoding', 'prefix', 'signed', 'over', 'timestamp', 'tolerance_seconds'],
  },
} as const;

const signature = z
  .strictObject({
    scheme: z
      .enum(['hmac', 'timed_hmac', 'standard_webhooks', 'token'])
      .describe(
        '`hmac`: the header contains a digest; `timed_hmac`: the header is `t=<seconds>,v1=<digest>`, and `<seconds>.<body>` ' +
          'is signed; `standard_webhooks`: as specified at standardwebhooks.com, with headers named `webhook-…` or `svix-…`; ' +
          '`token`: the header contains the secret itself',
      ),
    header: headerName.optional().describe('header with the signature or the token'),
    algorithm: z.enum(['sha256', 'sha512', 'sha1']).optional().describe('default `sha256`'),
    encoding: z
      .enum(['hex', 'base64'])
      .optional()
      .describe('encoding of the digest: `hex` in lower case, or `base64` with padding'),
    prefix: text.optional().describe('text before the digest, e.g. `sha256=`'),
    signed: signedTemplate
      .optional()
      .describe(
        'template of the signed text, with `${body}`, `${timestamp}`, `${method}`, `${url}`, `${headers.x}` and `${query.x}`; ' +
          'default `${body}`',
      ),
    over: z
      .enum(['body', 'packed'])
      .optional()
      .describe('which bytes of a compressed body are signed: decompressed (`body`, default) or as received (`packed`)'),
    timestamp: place
      .optional()
      .describe(
        'place of the time of sending, as seconds or milliseconds since 1970 or in ISO 8601; the signature must cover it',
      ),
    tolerance_seconds: z
      .int()
      .positive()
      .max(86_400)
      .optional()
      .describe('maximum difference between the time of sending and the current time, in seconds'),
    secret: z
      .string()
      .regex(/^(?:webhook_secret|client_secret|handshake|connection_config\.[^\s.]+)$/)
      .optional()
      .describe(
        'secret that verifies deliveries: `webhook_secret` (default) or `client_secret` of the integration; or a field of the ' +
          'connection, `connection_config.<name>`; or `handshake`: the challenge of a handshake with `keep_secret`',
      ),
  })
  .superRefine((rule, check) => {
    const { required, refused } = SCHEMES[rule.scheme];
    const report = (name: string, message: string) => check.addIssue({ code: 'custom', path: [name], message });
    for (const name of required) if (rule[name] === undefined) report(name, `is required for ${rule.scheme}`);
    for (const name of refused) if (rule[name] !== undefined) report(name, `has no meaning for ${rule.scheme}`);
    if (rule.scheme !== 'hmac') return;
    if ((rule.timestamp === undefined) !== (rule.tolerance_seconds === undefined))
      report('timestamp', 'timestamp and tolerance_seconds must be set together');
    if (rule.signed?.includes('${timestamp}') && rule.timestamp === undefined)
      report('signed', '${timestamp} needs `timestamp`, which says where it is');
    const isCovered = rule.timestamp?.startsWith('body') || /\$\{(?:timestamp|headers\.|query\.)/.test(rule.signed ?? '');
    if (rule.timestamp !== undefined && !isCovered) report('timestamp', 'is not covered by the signature');
  });

/** The value by which a handshake is recognised: a text, the integration's webhook secret, or a field of its configuration. */
const expected = text.refine(
  (value) => !value.includes('${') || /^\$\{(?:webhookSecret|integration\.[^\s{}.]+)\}$/.test(value),
  'must be a text, ${webhookSecret} or ${integration.<field of the configuration>}',
);

const handshake = z
  .strictObject({
    method: z.enum(['GET', 'POST']).describe('method of the request by which the provider checks the URL'),
    when: z
      .array(z.strictObject({ path: place, equals: expected.optional().describe('expected value; default: any') }))
      .min(1)
      .optional()
      .describe('conditions that such a request must all meet; default: it has a challenge'),
    echo: place.describe('place of the challenge, which has at most 1,024 printable ASCII characters'),
    as: z
      .union([z.literal('text'), z.strictObject({ json: text }), z.strictObject({ header: headerName })])
      .describe('form of the response: the challenge as text, as a member of a JSON object, or as a header of an empty response'),
    status: z.int().min(200).max(299).optional().describe('status of the response; default 200'),
    keep_secret: z
      .literal(true)
      .optional()
      .describe(
        'the challenge is the secret of one registration and is stored with its connection; `signature.secret` must be `handshake`',
      ),
  })
  .superRefine(({ method, when = [], echo }, check) => {
    const places = [echo, ...when.map(({ path }) => path)];
    if (places.some((one) => one.startsWith('event')))
      check.addIssue({ code: 'custom', message: '"event" is an entry of `events.list`, so a handshake has none' });
    if (method === 'GET' && places.some((one) => one.startsWith('body')))
      check.addIssue({ code: 'custom', message: 'a GET has no body' });
  });

const payload = z.strictObject({
  form_field: text.describe('field of a form (`application/x-www-form-urlencoded`) that contains the payload as JSON'),
});

const connectionKey = z.strictObject({
  by: z.enum(['connection_id', 'connection_config', 'metadata', 'metadata_contains']),
  field: text
    .optional()
    .describe('field of `connection_config` or `metadata`; `metadata_contains`: a list that contains the value'),
  path: place.describe('place of the value in the delivery'),
  suffix: text
    .optional()
    .describe(
      'text that must follow the value, e.g. `.example.com` after a subdomain; case-insensitive; values without it are ignored',
    ),
});

const events = z.strictObject({
  list: place.optional().describe('place of a list whose entries are events; default: the delivery is one event'),
  type: place.optional().describe('place of the event’s type'),
  connection: z
    .array(connectionKey)
    .optional()
    .describe('how the connection of an event is found; the first key that finds one decides'),
});

/** The property `webhook` of `provider.json`: how the provider's webhooks are handled. A plugin's own rules take precedence. */
export const webhook = z
  .strictObject({
    signature: signature
      .optional()
      .describe('how deliveries are verified; default: as the plugin verifies them; without either, signatures are not verified'),
    handshake: z
      .array(handshake)
      .min(1)
      .optional()
      .describe('responses to a provider that checks the URL; the first that applies is sent'),
    payload: payload.optional().describe('where the payload is in bodies that are forms; any other body is itself the payload'),
    events: events.optional().describe('which events a delivery contains; default: one event that belongs to no connection'),
    delivery_id: place
      .optional()
      .describe(
        'place of an ID that all attempts of a delivery share; `body`: the digest of the body; default: the ID of ' +
          '`standard_webhooks`; without an ID, query, signature and body are compared',
      ),
    forward_headers: z.array(headerName).optional().describe('headers that are forwarded in addition to the signature'),
    signature_header: headerName.optional().describe('for a plugin that serves several providers: header with the signature'),
    connection_id_field: text
      .optional()
      .describe('for a plugin that serves several providers: field of the body, or query parameter, with the connection ID'),
  })
  .superRefine(({ signature: rule, ...rest }, check) => {
    for (const name of ['payload', 'events', 'delivery_id', 'forward_headers'] as const)
      if (rule === undefined && rest[name] !== undefined)
        check.addIssue({ code: 'custom', path: [name], message: 'is only allowed with a signature' });
    const keepsSecret = rest.handshake?.some(({ keep_secret: keeps }) => keeps === true) === true;
    if (keepsSecret !== (rule?.secret === 'handshake'))
      check.addIssue({
        code: 'custom',
        path: ['handshake'],
        message: '`keep_secret` requires the secret `handshake`, and vice versa',
      });
    const names = [...(rest.events?.connection ?? []).map(({ path }) => path), rest.events?.type ?? ''];
    if (rest.events?.list === undefined && names.some((name) => name.startsWith('event')))
      check.addIssue({ code: 'custom', path: ['events'], message: '"event" is an entry of `list`, which is not set' });
    for (const [at, { by, field }] of (rest.events?.connection ?? []).entries())
      if ((by === 'connection_id') !== (field === undefined))
        check.addIssue({
          code: 'custom',
          path: ['events', 'connection', at],
          message: 'every key except connection_id must have a field, and connection_id must have none',
        });
  });
