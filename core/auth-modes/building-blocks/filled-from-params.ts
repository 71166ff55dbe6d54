import { ServiceError } from '../../errors.ts';
import { TemplateError } from '../../kit/template.ts';

/**
 * Fills a template that an authorization needs when it begins, such as that of the URL.
 *
 * @param what the name of the result in the error's message
 * @throws ServiceError `invalid_query_params`, which names the field of the connection configuration that is missing or invalid
 */
export function filledFromParams<T>(what: string, fill: () => T): T {
  try {
    return fill();
  } catch (cause) {
    throw cause instanceof TemplateError ? unfilled(what, cause) : cause;
  }
}

/** Returns the error `invalid_query_params`, which names the field of the connection configuration that is missing or invalid. */
export function unfilled(what: string, cause: TemplateError): ServiceError {
  const code = cause.reason === 'missing' ? 'required' : 'invalid_format';
  const details = [{ code, message: cause.message, path: ['params', fieldOf(cause.placeholder)] }];
  return new ServiceError('invalid_query_params', `${what} cannot be built`, { details, cause });
}

/** Returns the field that a placeholder `connectionConfig.<field>` or `maps.<field>.<name>` refers to. */
function fieldOf(placeholder: string): string {
  const parts = placeholder.split('.');
  return (parts[0] === 'maps' ? parts[1] : parts.at(-1)) ?? placeholder;
}
