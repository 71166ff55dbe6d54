import { checkFields, type SignedJwtTemplate } from '#contract';
import { ServiceError } from '../../../errors.ts';
import { TemplateError } from '../../../kit/template.ts';
import { type ModeInput, TokenFailure } from '../../auth-mode.ts';
import { readDefinedJwt } from './defined-jwt.ts';
import { fittedFields, type KeyFields } from './key-fields.ts';
import { SigningKeyError } from './signing-key-error.ts';

/** An example for the API description. The key is from RFC 7515 appendix A.3. */
export const KEY_EXAMPLE = {
  privateKey: [
    '-----BEGIN PRIVATE KEY-----',
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjpsQnnGQmL+YBIff',
    'H1136cspYG6+0iY7X1fCE9+E9LKhRANCAAR/zc4ncPbEXUGDy+5v20t7WAczNXvp',
    '7xO6z248e9FURcfxRM0bvZt+hyzf7bnuufSzaV1uqQskrYpGIyiFiOWt',
    '-----END PRIVATE KEY-----',
  ].join('\n'),
  privateKeyId: 'example-key-id',
  issuerId: 'example-issuer',
};

/**
 * Checks that the entered values fit the definition's form and can sign this token.
 *
 * @throws ServiceError `invalid_body` if they do not
 */
export function checkKeyFields(template: SignedJwtTemplate, input: ModeInput, fields: KeyFields): void {
  checkDeclared(input.definition, fields);
  try {
    readDefinedJwt(template, input, fittedFields(input.definition, template, fields));
  } catch (cause) {
    throw invalidField(input, cause);
  }
}

/**
 * Checks the fields against the definition. Fields that the mode itself knows need not be declared there, and a key in two parts
 * has already been validated by the mode's schema.
 */
function checkDeclared({ credentials = {} }: ModeInput['definition'], { privateKey, otherFields, ...names }: KeyFields): void {
  const { privateKey: keyField, ...others } = credentials;
  const isText = typeof privateKey === 'string';
  const fields = isText && keyField !== undefined ? credentials : others;
  const own = Object.entries({ ...names, ...(isText && { privateKey }) }).filter(([name]) => Object.hasOwn(fields, name));
  const details = checkFields(fields, { ...otherFields, ...Object.fromEntries(own) });
  if (details.length > 0) throw new ServiceError('invalid_body', details.map(({ message }) => message).join(' '), { details });
}

/**
 * Turns a failure to sign into an `invalid_body` error. It quotes no value, and drops the parser's error, which may describe the
 * key.
 */
function invalidField({ definition }: ModeInput, error: unknown): unknown {
  if (error instanceof SigningKeyError) {
    const title = definition.credentials?.['privateKey']?.title ?? 'Private key';
    return invalidBody(`${title} cannot be used: ${error.message}`, 'privateKey');
  }
  if (!(error instanceof TemplateError)) return error;
  const [group, name] = error.placeholder.split('.', 2);
  return invalidBody(
    `the token cannot be signed: ${error.message}`,
    ...(group === 'credentials' && name !== undefined ? [name] : []),
  );
}

function invalidBody(message: string, ...path: string[]): ServiceError {
  return new ServiceError('invalid_body', message, { details: [{ code: 'invalid_format', message, path }] });
}

/**
 * Turns an expected error of signing into a `transient` failure: the definition or the integration must have changed since the
 * fields were checked, and can be corrected without the user.
 */
export function signingFailure(error: unknown): unknown {
  const isExpected = error instanceof SigningKeyError || error instanceof TemplateError;
  return isExpected ? new TokenFailure('transient', `the token cannot be signed: ${error.message}`) : error;
}
