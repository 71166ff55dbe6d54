import * as z from 'zod';
import { ServiceError } from '../../errors.ts';
import { defineRaw, type RawRequest, type Reply } from '../../server/route.ts';
import { uniqueKey } from '../schemas.ts';
import { PRIVATE } from './private-headers.ts';
import { refusalPage } from './result-page.ts';

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
/** Maximum size of all encoded form fields together, in bytes. */
const MAX_BYTES = 8 * 1024;
const MAX_NAME = 64;

/**
 * The callback for providers that return a form (OAuth 2.0 Form Post Response Mode), as some do when they include the user's name
 * or e-mail address. It redirects to the GET callback, because the cookie that binds a flow to its browser is not sent with a
 * POST from another site.
 */
const FORM_CALLBACK = {
  method: 'POST',
  access: 'public',
  isPage: true,
  tag: 'Authorization',
  maxBodyBytes: MAX_BYTES,
  formExample: { code: 'example', state: 'example' },
  responses: {
    303: { description: 'Redirect to the same address by GET, with the fields in its query.' },
    400: { description: 'The name of a field is too long, or the form cannot be read.' },
    413: { description: 'The fields exceed 8 KiB in total.' },
    415: { description: 'The body is not a form.' },
  },
  errorPage: (error, visit) => {
    const page = refusalPage(error, visit);
    return { ...page, headers: { ...page.headers, ...PRIVATE } };
  },
  handle: (_services, { body }) => toQuery(body),
} as const satisfies Partial<Parameters<typeof defineRaw<unknown, z.ZodType>>[0]>;

const formCallback = defineRaw({
  ...FORM_CALLBACK,
  path: '/oauth/callback',
  operationId: 'returnByForm',
  summary: 'Callback URL for providers that send a form',
});

const ownFormCallback = defineRaw({
  ...FORM_CALLBACK,
  path: '/oauth/callback/:uniqueKey',
  operationId: 'returnByFormToIntegration',
  summary: 'Callback URL of an integration that has its own, for providers that send a form',
  params: z.strictObject({ uniqueKey }),
});

export const formCallbackRoutes = [formCallback, ownFormCallback];

/**
 * Redirects with the form fields as query parameters. The location is relative, since the browser may know this service by
 * another host name.
 */
async function toQuery(request: RawRequest): Promise<Reply> {
  if (!FORM.test(request.headers['content-type'] ?? ''))
    throw new ServiceError('invalid_content_type', 'send the fields as application/x-www-form-urlencoded');
  const { bytes } = await request.readBody();
  const fields = new URLSearchParams(bytes.toString('utf8'));
  if ([...fields.keys()].some((name) => name.length > MAX_NAME))
    throw new ServiceError('invalid_body', `the name of a form field may have at most ${MAX_NAME} characters`);
  const [, query] = request.target.split(/\?(.*)/s, 2);
  const parameters = [query ?? '', fields.toString()].filter((part) => part !== '').join('&');
  return { status: 303, headers: { ...PRIVATE, location: `?${parameters}` } };
}
