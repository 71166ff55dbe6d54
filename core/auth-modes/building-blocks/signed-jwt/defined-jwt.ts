import { effectiveDefinition, type JsonObject, type SignedJwtTemplate } from '#contract';
import type { ModeInput } from '../../auth-mode.ts';
import { fillJson, fillTexts, type TemplateSource } from '../provider-template.ts';
import { scopeParam } from '../scopes.ts';
import { certificateThumbprint, publicKeyFingerprint } from './fingerprint.ts';
import { type KeyFields, keyValues } from './key-fields.ts';
import { signJwt, timeClaims } from './sign-jwt.ts';
import { readSigningKey, type SigningKey } from './signing-key.ts';

/** A JWT that the definition describes, without its time claims. */
interface UnsignedJwt {
  readonly header: JsonObject;
  readonly claims: JsonObject;
  readonly key: SigningKey;
}

export interface DefinedJwt {
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Signs the JWT that a definition describes.
 *
 * @throws SigningKeyError if the key cannot sign it; TemplateError if a value of the header or the claims is missing or not
 *   allowed
 */
export async function signDefinedJwt(
  template: SignedJwtTemplate,
  source: ModeInput,
  { fields, now }: { readonly fields: KeyFields; readonly now: Date },
): Promise<DefinedJwt> {
  const { header, claims, key } = readDefinedJwt(template, source, fields);
  const times = timeClaims(now, template.expires_in_ms);
  const token = await signJwt({ header, claims: { ...claims, ...times } }, key);
  return { token, expiresAt: new Date(times.exp * 1000) };
}

/** Reads the key, and fills in header and claims. @throws SigningKeyError, TemplateError as `signDefinedJwt` */
export function readDefinedJwt(template: SignedJwtTemplate, source: ModeInput, fields: KeyFields): UnsignedJwt {
  const {
    header: { alg: algorithm, ...header },
    payload,
    signing_key,
    signing_key_encoding: encoding,
  } = template;
  const entered = keyValues(fields);
  const { text = '' } = fillTexts({ text: signing_key }, { ...source, credentials: entered });
  const key = readSigningKey(text, { algorithm, encoding });
  const fingerprint = publicKeyFingerprint(key);
  const credentials = {
    ...entered,
    ...scopesOf(source),
    ...(fingerprint !== undefined && { 'credentials.publicKeyFingerprint': fingerprint }),
  };
  const filled = { ...source, credentials };
  return {
    header: { ...fillJson(header, filled), ...thumbprintOf(template, filled, key) },
    claims: fillJson(payload, filled),
    key,
  };
}

/** Returns the integration's scopes as a template value; if it has none, the definition's. */
function scopesOf({ definition, integrationConfig, client }: ModeInput): Readonly<Record<string, string>> {
  const { scope: scopes } = scopeParam(client, effectiveDefinition(definition, integrationConfig));
  return scopes === undefined ? {} : { scopes };
}

/** Returns the header with the certificate's thumbprint; no header if the certificate is optional and was left out. */
function thumbprintOf({ certificate }: SignedJwtTemplate, source: TemplateSource, key: SigningKey): JsonObject {
  if (certificate === undefined) return {};
  const { pem } = fillJson({ pem: { omit_if_empty: certificate } }, source);
  return typeof pem === 'string' ? { 'x5t#S256': certificateThumbprint(pem, key) } : {};
}
