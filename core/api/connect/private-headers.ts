/** Headers of responses at addresses whose query contains a token or a code. */
export const PRIVATE = { 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' } as const;
