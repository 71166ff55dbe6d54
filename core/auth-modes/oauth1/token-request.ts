import { effectiveDefinition, type ProviderDefinition } from '#contract';
import type { ModeInput } from '../auth-mode.ts';
import { clientValues } from '../building-blocks/client-values.ts';
import type { Parameters, SignatureMethod } from '../building-blocks/oauth1-signature/signature.ts';
import { oauth1Signer } from '../building-blocks/oauth1-signature/signer.ts';
import { fillHeaders, fillJson } from '../building-blocks/provider-template.ts';
import { encodedBody, type TokenRequest, tokenUrl } from '../building-blocks/token-endpoint/token-call.ts';

interface TokenCall {
  readonly url: 'request_url' | 'token_url';
  /** The definition's `request_params` or `token_params`. */
  readonly templates: ProviderDefinition['token_params'];
  /** The request token; absent in the request for it. */
  readonly token?: string;
  readonly tokenSecret?: string;
  /** Additional protocol parameters. */
  readonly parameters: Parameters;
  readonly at: Date;
}

export function signatureMethod({ signature_method: method }: Pick<ProviderDefinition, 'signature_method'>): SignatureMethod {
  return method ?? 'HMAC-SHA1';
}

/**
 * Builds the signed request for a request token or a user's token (RFC 5849 §2.1, §2.3). The definition's parameters are sent in
 * the form body, which the signature covers.
 *
 * @throws TemplateError if a value is missing or not allowed; ServiceError as `oauth1Signer`
 */
export function tokenRequest(input: ModeInput, { url: name, templates, at, ...signed }: TokenCall): TokenRequest {
  const definition = effectiveDefinition(input.definition, input.integrationConfig);
  const url = tokenUrl(input, definition[name]);
  const source = { ...input, credentials: clientValues(input.client) };
  const form = encodedBody({ body_format: 'form' }, fillJson(templates, source));
  const sign = oauth1Signer({ client: input.client, method: signatureMethod(definition), ...signed });
  return {
    url,
    headers: {
      ...(form !== '' && { 'content-type': 'application/x-www-form-urlencoded' }),
      accept: '*/*',
      'accept-encoding': 'identity',
      ...fillHeaders(definition.token_headers, source),
      ...sign({ method: 'POST', origin: url.origin, path: url.pathname + url.search, form, at }),
    },
    body: form,
  };
}
