import type { ProviderPlugin } from '#contract';
import { exchangeCode, renewToken } from './tokens.ts';

export default {
  contract: 1,
  // Instagram has no refresh tokens; a long-lived access token is exchanged for a new one.
  auth: { exchange: exchangeCode, refresh: renewToken, refreshable: () => true },
} satisfies ProviderPlugin;
