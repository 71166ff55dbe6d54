import { createHash } from 'node:crypto';
import type { Clock } from '../../../core/kit/clock.ts';
import { canary } from '../canaries.ts';
import type { PresentedToken } from '../scripted-server/ledger.ts';

export interface GrantRules {
  /**
   * `strict`: using a refresh token twice revokes its whole family (RFC 9700 §4.14.2). `grace`: only if `graceSeconds` have
   * passed since the first use. `none`: a refresh token never changes.
   */
  rotation: 'strict' | 'grace' | 'none';
  graceSeconds: number;
  accessTokenTtlSeconds: number;
  pkce: 'required' | 'ignored';
}

export interface CodeRequest {
  readonly clientId?: string;
  readonly redirectUri: string;
  readonly scope: string;
  readonly challenge?: string;
}

export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly scope: string;
}

interface Family {
  readonly id: number;
  readonly clientId: string | undefined;
  readonly scope: string;
  generation: number;
  revoked: boolean;
  refreshToken: string;
}

interface IssuedToken extends PresentedToken {
  readonly owner: Family;
  readonly expiresAt?: Date;
  supersededAt?: Date;
}

/** The codes and tokens that the provider has issued, and their states. All tokens that follow from one code form a family. */
export class Grants {
  readonly #rules: Readonly<GrantRules>;
  readonly #clock: Clock;
  readonly #codes = new Map<string, CodeRequest>();
  readonly #tokens = new Map<string, IssuedToken>();
  readonly #families: Family[] = [];

  constructor(rules: Readonly<GrantRules>, clock: Clock) {
    this.#rules = rules;
    this.#clock = clock;
  }

  issueCode(request: CodeRequest): string {
    const code = canary('provider: authorization code');
    this.#codes.set(code, request);
    return code;
  }

  redirectUriOf(code: string): string | undefined {
    return this.#codes.get(code)?.redirectUri;
  }

  /** Redeems a code. @returns undefined for `invalid_grant` (unknown or used code, another redirect URI, wrong verifier) */
  redeem(code: string, redirectUri: string | undefined, verifier: string | undefined): TokenPair | undefined {
    const request = this.#codes.get(code);
    this.#codes.delete(code);
    if (request === undefined || request.redirectUri !== redirectUri) return undefined;
    if (this.#rules.pkce === 'required' && !answersChallenge(verifier, request.challenge)) return undefined;
    const { clientId, scope } = request;
    const family: Family = { id: this.#families.length, clientId, scope, generation: 0, revoked: false, refreshToken: '' };
    this.#families.push(family);
    return this.#issue(family);
  }

  /** Issues a token for client credentials (RFC 6749 §4.4), without a refresh token. */
  issueToApp(scope: string): TokenPair {
    const family: Family = {
      id: this.#families.length,
      clientId: undefined,
      scope,
      generation: 0,
      revoked: false,
      refreshToken: '',
    };
    this.#families.push(family);
    return { ...this.#issue(family), refreshToken: '' };
  }

  /** Exchanges a refresh token for new tokens. @returns undefined for `invalid_grant` */
  refresh(refreshToken: string): TokenPair | undefined {
    const token = this.#tokens.get(refreshToken);
    if (token?.kind !== 'refresh' || token.owner.revoked) return undefined;
    if (token.supersededAt !== undefined && !this.#inGrace(token.supersededAt)) {
      token.owner.revoked = true;
      return undefined;
    }
    token.owner.generation += 1;
    if (this.#rules.rotation !== 'none') token.supersededAt ??= this.#clock.now();
    return this.#issue(token.owner);
  }

  /**
   * Describes a token that a request presents. If refresh tokens do not rotate, a refresh token gets the current generation of
   * its family, so that two refreshes of the same generation can be recognized with every kind of rotation.
   *
   * @returns undefined if the token was never issued
   */
  describe(text: string): PresentedToken | undefined {
    const token = this.#tokens.get(text);
    if (token === undefined) return undefined;
    const stays = token.kind === 'refresh' && this.#rules.rotation === 'none';
    return { kind: token.kind, family: token.family, generation: stays ? token.owner.generation : token.generation };
  }

  /** Returns the generation of the newest refresh token of a grant. */
  newestGeneration(family: number): number | undefined {
    return this.#families[family]?.generation;
  }

  /** Tells whether the client may use this code or refresh token. Any client may use a code that was issued without one. */
  isIssuedTo(text: string, clientId: string): boolean {
    const owner = this.#codes.get(text)?.clientId ?? this.#tokens.get(text)?.owner.clientId;
    return owner === undefined || owner === clientId;
  }

  isLive(accessToken: string): boolean {
    const token = this.#tokens.get(accessToken);
    if (token?.kind !== 'access' || token.owner.revoked || token.expiresAt === undefined) return false;
    return token.expiresAt > this.#clock.now();
  }

  expiryOf(accessToken: string): Date | undefined {
    return this.#tokens.get(accessToken)?.expiresAt;
  }

  /** Revokes a grant, as if the user had withdrawn consent, so that none of its tokens works any more. */
  revoke(family: number): void {
    const found = this.#families[family];
    if (found !== undefined) found.revoked = true;
  }

  #inGrace(supersededAt: Date): boolean {
    const ageMs = this.#clock.now().getTime() - supersededAt.getTime();
    return this.#rules.rotation === 'grace' && ageMs <= this.#rules.graceSeconds * 1000;
  }

  #issue(owner: Family): TokenPair {
    const issued = { owner, family: owner.id, generation: owner.generation };
    const accessToken = canary('provider: access token');
    const expiresAt = new Date(this.#clock.now().getTime() + this.#rules.accessTokenTtlSeconds * 1000);
    this.#tokens.set(accessToken, { ...issued, kind: 'access', expiresAt });
    if (owner.refreshToken === '' || this.#rules.rotation !== 'none') {
      owner.refreshToken = canary('provider: refresh token');
      this.#tokens.set(owner.refreshToken, { ...issued, kind: 'refresh' });
    }
    return { accessToken, refreshToken: owner.refreshToken, scope: owner.scope };
  }
}

/** Tells whether a verifier matches a challenge (RFC 7636 §4.6, method S256). */
function answersChallenge(verifier: string | undefined, challenge: string | undefined): boolean {
  if (verifier === undefined || challenge === undefined) return false;
  return createHash('sha256').update(verifier).digest('base64url') === challenge;
}
