import * as z from 'zod';

export const environmentName = z.string().regex(/^[a-z0-9_-]{1,255}$/);
