import { ApiError } from '../../../kit/api-error.ts';

/** The options that the service passes to the browser, in JSON (WebAuthn §5.1). */
export type CreationOptions = PublicKeyCredentialCreationOptionsJSON;
export type RequestOptions = PublicKeyCredentialRequestOptionsJSON;

/**
 * Asks the browser to create a passkey.
 *
 * @throws ApiError `passkey_known` if the authenticator already has a passkey of this member, otherwise `passkey_not_made`
 */
export async function makePasskey(options: CreationOptions): Promise<object> {
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    return jsonOf(await navigator.credentials.create({ publicKey }));
  } catch (cause) {
    // WebAuthn §5.1.3: the authenticator has one of `excludeCredentials`.
    const isKnown = cause instanceof DOMException && cause.name === 'InvalidStateError';
    throw new ApiError(isKnown ? 'passkey_known' : 'passkey_not_made', { status: 0 });
  }
}

/**
 * Asks the browser for the signature of a passkey.
 *
 * @throws ApiError `passkey_cancelled` if there is none, for whatever reason: browsers do not say why
 */
export async function usePasskey(options: RequestOptions): Promise<object> {
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    return jsonOf(await navigator.credentials.get({ publicKey }));
  } catch {
    throw new ApiError('passkey_cancelled', { status: 0 });
  }
}

function jsonOf(credential: Credential | null): object {
  if (credential instanceof PublicKeyCredential) return credential.toJSON();
  throw new TypeError('the browser gave no passkey');
}
