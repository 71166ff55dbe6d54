import type { ProviderPlugin } from '#contract';
import { sign } from './signature.ts';

export default {
  contract: 1,
  proxy: { sign, signsBody: ({ method }) => method !== 'GET' && method !== 'HEAD' },
} satisfies ProviderPlugin;
