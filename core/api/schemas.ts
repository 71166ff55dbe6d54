import * as z from 'zod';
import { type JsonObject, jsonObject } from '#contract';
import { jsonBytes, MAX_OBJECT_BYTES } from '../connections/metadata.ts';
import { asciiUrl } from '../kit/ascii-url.ts';
import { isUnsafe } from '../kit/unsafe-characters.ts';
import { isCallbackUrl } from '../tenants/environments/environments.ts';
import { isWebhookUrl } from '../tenants/environments/webhook-login.ts';
import { CONNECTION_ID, INTEGRATION_KEY } from './examples.ts';

/** Schemas shared by several endpoints. */

export const dateTime = z.iso.datetime();

/**
 * The rule for names that people choose, as arguments of `refine`. Names are shown within other text, also in a terminal, which
 * control characters could garble.
 */
export const isPlain = [
  (text: string) => !isUnsafe(text),
  'must not contain control characters or characters that change the direction of text',
] as const;

/** The maximum size of a stored object, as arguments of `refine`. */
export const fitsInObject = [
  (value: JsonObject) => jsonBytes(value) <= MAX_OBJECT_BYTES,
  'may have at most 64 KB as JSON',
] as const;

export const boundedObject = jsonObject.refine(...fitsInObject);

/** Returns the schema of a whole number in a query, written in digits only. */
export function count({ from, to }: { readonly from: number; readonly to: number }) {
  const digits = (text: unknown) => (typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : text);
  return z.preprocess(digits, z.int().min(from).max(to));
}

const MAX_LISTED = 20;

/** Returns the schema of a filter with several values, separated by commas. @param one the schema of one value */
export function listOf<T extends z.ZodType<string, string>>(one: T) {
  return z
    .string()
    .max(5_200)
    .transform((text) => text.split(','))
    .pipe(z.array(one).min(1).max(MAX_LISTED));
}

/** Returns the schema of a row ID in a path. */
export function rowIdInPath(description: string) {
  return z
    .string()
    .regex(/^[1-9]\d{0,14}$/)
    .transform(Number)
    .meta({ description, example: '8113' });
}

/** A point in time in a query, with any time zone. */
export const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** The shape of tags; `readTags` checks their number and contents. */
export const tagsShape = z
  .record(z.string(), z.string())
  .meta({ description: 'up to 10 keys of your choice, e.g. to identify the user', example: { end_user_id: 'user-123' } });

const DOT_SEGMENT = 'must not be "." or ".."';

/**
 * Returns whether a path segment is neither "." nor "..". Clients remove such segments before they send a path, even if the dots
 * are encoded (RFC 3986 §5.2.4).
 */
function isNoDotSegment(segment: string): boolean {
  return segment !== '.' && segment !== '..';
}

export const uniqueKey = z
  .string()
  .regex(/^[a-zA-Z0-9~:.@ _-]{1,255}$/)
  .refine(isNoDotSegment, DOT_SEGMENT)
  .meta({ description: 'the key of an integration', example: INTEGRATION_KEY });

export const connectionId = z
  .string()
  .min(1)
  .max(255)
  .regex(/^\P{Cc}*$/u, 'must not contain control characters')
  .refine(isNoDotSegment, DOT_SEGMENT)
  .meta({ description: 'the ID of a connection', example: CONNECTION_ID });

export const callbackUrl = z
  .string()
  .max(2048)
  .refine(isCallbackUrl, 'must be an http(s) URL without user name, password and fragment')
  .transform(asciiUrl);

const MAX_URL = 2048;
const TOO_LONG = `may be at most ${MAX_URL} characters long, in ASCII`;

const LOGIN_HINT = 'must be an http(s) URL; user name and password percent-encoded, the name without a colon';

/**
 * A webhook URL, of which only the syntax is checked; `checkWebhookUrl` checks whether the URL may be called. `user:password@` is
 * sent as HTTP Basic authentication.
 */
export const webhookUrl = z.string().max(MAX_URL).refine(isWebhookUrl, LOGIN_HINT).transform(asciiUrl).refine(isShort, TOO_LONG);

/** A webhook URL, or an empty string to remove the URL. */
export const clearableWebhookUrl = z
  .string()
  .max(MAX_URL)
  .refine((text) => text === '' || isWebhookUrl(text), `${LOGIN_HINT}; or empty`)
  .transform(asciiUrl)
  .refine(isShort, TOO_LONG);

const done = z.strictObject({ success: z.literal(true) }).meta({ id: 'Success' });

/** Returns the response of an endpoint that reports only its success. */
export function success(description: string) {
  return { description, schema: done, example: { success: true } };
}

/**
 * Checks the length of a URL after its conversion to ASCII, which can make it nine times as long, and then too long for a
 * database index.
 */
function isShort(url: string): boolean {
  return url.length <= MAX_URL;
}
