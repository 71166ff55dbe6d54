/** The only routes that a member may use before having completed a step of the sign-in, by that step. */
export const BEFORE = {
  'the second factor was shown': [
    'POST /api/ui/logout',
    'GET /api/ui/login/factor',
    'POST /api/ui/login/factor',
    'POST /api/ui/me/passkey-challenge',
  ],
  'one was enrolled that is required': [
    'POST /api/ui/logout',
    'GET /api/ui/login/factor',
    'POST /api/ui/login/factor',
    'POST /api/ui/me/passkey-challenge',
    'GET /api/ui/me',
    'POST /api/ui/me/confirm',
    'GET /api/ui/me/factors',
    'POST /api/ui/me/factors/totp',
    'POST /api/ui/me/factors/totp/confirm',
    'POST /api/ui/me/factors/passkeys',
    'POST /api/ui/me/factors/passkeys/confirm',
  ],
} as const;
