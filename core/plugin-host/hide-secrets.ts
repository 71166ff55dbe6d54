import type { TokenSet } from '#contract';
import { redact } from '../kit/redact.ts';

const HIDDEN = '[redacted]';
/** Shorter ones are no tokens, and would tear holes into ordinary words. */
const MIN_LENGTH = 8;
const MAX_CAUSES = 5;

/** Takes a hook's tokens out of what it says: plugins quote answers, and providers repeat what they were sent. */
export class SecretHider {
  readonly #spellings: readonly string[];

  constructor({ accessToken, refreshToken = '', raw }: TokenSet) {
    const secrets = [accessToken, refreshToken, ...tokensIn(raw)].filter((secret) => secret.length >= MIN_LENGTH);
    this.#spellings = [...new Set(secrets.flatMap(spellingsOf))].toSorted((one, other) => other.length - one.length);
  }

  text(text: string): string {
    return this.#spellings.reduce((hidden, spelling) => hidden.replaceAll(spelling, HIDDEN), text);
  }

  /** A copy fit for a log. */
  facts(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return JSON.parse(this.text(JSON.stringify(redact(facts))));
  }

  /** A copy of an error and its causes, since whoever logs the whole chain would find them there. */
  error(error: unknown, depth = 0): Error | undefined {
    if (!(error instanceof Error) || depth > MAX_CAUSES) return undefined;
    const copy = new Error(this.text(error.message), { cause: this.error(error.cause, depth + 1) });
    return Object.assign(copy, { name: error.name, stack: this.text(error.stack ?? '') });
  }
}

/** Beside the two there may be an ID token, or the token of a parent account. */
function tokensIn(raw: TokenSet['raw']): string[] {
  return Object.entries(raw).flatMap(([name, value]) => (typeof value === 'string' && /token/i.test(name) ? [value] : []));
}

function spellingsOf(secret: string): string[] {
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
}
