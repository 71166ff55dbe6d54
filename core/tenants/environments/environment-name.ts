import * as z from 'zod';

export const environmentName = z
  .string()
  .regex(/^[a-z0-9_-]{1,255}$/, 'must be 1 to 255 lower-case letters, digits, hyphens and underscores');
