import { ServiceError } from '../../errors.ts';
import { fillText, TemplateError } from '../../kit/template.ts';
import type { SigningInput } from '../auth-mode.ts';
import { providerValues } from '../building-blocks/provider-template.ts';
import type { SigningScope } from './signature.ts';

/** Matches one part of a credential scope, such as the region or the service. */
const NAME = /^[a-z0-9-]{1,64}$/;

/**
 * Returns the service and the region that the definition declares.
 *
 * @throws ServiceError `invalid_credentials` if one of them contains a placeholder without a value, or is not a valid name
 */
export function signingScope(input: SigningInput): SigningScope {
  const { service = '', region = '' } = input.definition.aws_sigv4 ?? {};
  const values = providerValues(input);
  return { service: filledName(service, values), region: filledName(region, values) };
}

function filledName(template: string, values: Readonly<Record<string, string>>): string {
  const name = filled(template, values);
  if (NAME.test(name)) return name;
  throw new ServiceError('invalid_credentials', 'requests cannot be signed: the connection’s AWS service or region is invalid');
}

function filled(template: string, values: Readonly<Record<string, string>>): string {
  try {
    return fillText(template, values);
  } catch (cause) {
    if (!(cause instanceof TemplateError)) throw cause;
    throw new ServiceError('invalid_credentials', `requests cannot be signed: ${cause.message}`, { cause });
  }
}
