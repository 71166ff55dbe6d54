import * as z from 'zod';
import { AUTH_MODES } from '../auth-modes/index.ts';

/** The credentials of a connection as they are returned, by `type`; an unauthenticated one has none. */
export const returnedCredentials = z.union(AUTH_MODES.map(({ presented }) => presented)).meta({ id: 'Credentials' });
