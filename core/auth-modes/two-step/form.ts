import * as z from 'zod';
import { checkFields } from '#contract';
import { ServiceError } from '../../errors.ts';
import type { CredentialForm, ModeInput, Unstamped } from '../auth-mode.ts';
import { credentialInput, password } from '../building-blocks/credential-input.ts';
import type { Entered } from '../building-blocks/sign-in/sign-in.ts';
import type { StoredTwoStep } from './stored.ts';

/** Members that clients send beside the fields. */
const accepted = {
  type: z.literal('TWO_STEP').optional(),
  assertionOption: z.unknown().optional().meta({ description: 'accepted and ignored' }),
};

const entered = credentialInput(
  z.object(accepted).catchall(password),
  (given): Unstamped<StoredTwoStep> => ({ type: 'TWO_STEP', credentials: fieldsOf(given), raw: {} }),
);

export const form: CredentialForm<Unstamped<StoredTwoStep>> = {
  ...entered,
  path: '/auth/two-step',
  operationId: 'connectWithTwoStep',
  summary: 'Connect with what the provider’s sign-in asks for: the fields in `credentials` of its definition',
  example: { username: 'ada', password: 'example-password' },
  fields: {},
  hasDeclaredFields: true,
  check: (given, { definition }: ModeInput) => {
    const details = checkFields(definition.credentials, fieldsOf(given));
    if (details.length > 0) throw new ServiceError('invalid_body', details.map(({ message }) => message).join(' '), { details });
  },
};

function fieldsOf(given: Readonly<Record<string, unknown>>): Entered {
  const texts = Object.entries(given).flatMap(([name, value]) =>
    !Object.hasOwn(accepted, name) && typeof value === 'string' ? [[name, value] as const] : [],
  );
  return Object.fromEntries(texts);
}
