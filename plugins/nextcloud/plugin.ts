import type { ProviderPlugin } from '#contract';
import { createAppPassword, deleteAppPassword } from './app-password.ts';

export default {
  contract: 1,
  auth: { authenticate: createAppPassword },
  connection: { revoke: deleteAppPassword },
} satisfies ProviderPlugin;
