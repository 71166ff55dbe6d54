import type * as z from 'zod';
import { type ErrorDetail, ServiceError } from '../errors.ts';
import { NAMING_ALTERNATIVES } from '../kit/union-faults.ts';

/** Maximum number of details in a response, so that a body with thousands of faults does not produce thousands of entries. */
const MAX_DETAILS = 100;

const MESSAGES = {
  invalid_body: 'the body does not match the schema of this endpoint',
  invalid_query_params: 'the query does not match the schema of this endpoint',
  invalid_uri_params: 'the path does not match the schema of this endpoint',
} as const;

type InputCode = keyof typeof MESSAGES;

/** Parses the input by the schema and returns the result. @throws ServiceError with the code and one detail for each fault */
export function checkInput(schema: z.ZodType, input: unknown, code: InputCode): unknown {
  const result = schema.safeParse(input, NAMING_ALTERNATIVES);
  if (result.success) return result.data;
  throw inputError(code, result.error.issues.flatMap(toDetails));
}

export function inputError(code: InputCode, details: readonly ErrorDetail[]): ServiceError {
  return new ServiceError(code, MESSAGES[code], { details: details.slice(0, MAX_DETAILS) });
}

/** Returns one detail for each unknown field or parameter, at its path; any other fault is a single detail. */
function toDetails(issue: z.core.$ZodIssue): ErrorDetail[] {
  const path = issue.path.map(String);
  if (issue.code !== 'unrecognized_keys') return [{ code: issue.code, message: issue.message, path }];
  return issue.keys.map((key) => ({ code: issue.code, message: 'there is no such field or parameter', path: [...path, key] }));
}
