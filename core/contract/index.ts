export { ExactNumber, parseJson } from '../kit/exact-json.ts';
export type { AuthorizationInput, AuthRules, CodeGrant } from './auth.ts';
export { COMMON_SETTINGS, checkListSettings, splitList } from './common-settings.ts';
export { compilePattern } from './compile-pattern.ts';
export type { ConnectionHooks } from './connection.ts';
export type { AuthContext, ClientFacts, ConnectionFacts, HookContext, Json, JsonObject, RefreshContext } from './context.ts';
export type { TokenRefusal, TokenSet } from './credentials.ts';
export { sandboxAt } from './definition/sandbox-at.ts';
export type { SignedJwtTemplate } from './definition/signed-token.ts';
export { type UrlTemplate, urlTemplatesOf } from './definition/url-templates.ts';
export { type EffectiveDefinition, effectiveDefinition } from './effective-definition.ts';
export { PluginError } from './errors.ts';
export { isRequired, isVisible } from './field-rules.ts';
export { checkFields, type FieldFault, withDefaults } from './fields.ts';
export type { FormField } from './form-field.ts';
export { anyJson, isObject, jsonObject } from './json.ts';
export { hasSecretKey, JWT_ALGORITHMS, type JwtAlgorithm, KEY_ENCODINGS, type KeyEncoding } from './jwt-algorithms.ts';
export { decidingFieldsOf, mapValues } from './maps.ts';
export { trimPasted } from './pasted.ts';
export { findRunawayPattern } from './patterns.ts';
export type { ProviderPlugin } from './plugin.ts';
export { type ModeRules, type ProviderDefinition, providerSchema, SLUG } from './provider.ts';
export type { ProviderAccount } from './provider-account.ts';
export type { OutgoingRequest, ProxyRules, RequestSignature, SignableRequest, SigningCredentials } from './proxy.ts';
export { scopeNames } from './scope-names.ts';
export type { SubscriptionRules, SubscriptionTarget } from './subscription.ts';
export { type HostField, hostFieldsOf, hostPlaceholdersOf, type JsonTemplate, splitPlaceholder } from './templates.ts';
export { timedSignature } from './timed-signature.ts';
export { textAt, valueAt } from './value-at.ts';
export type {
  ConnectionKey,
  CustomRule,
  HmacRule,
  IncomingWebhook,
  IntegrationSecrets,
  JwtRule,
  ProviderFacts,
  PublicKeyJwtRule,
  SecretSource,
  SharedSecretJwtRule,
  SignatureRule,
  TokenRule,
  WebhookEvent,
  WebhookReply,
  WebhookRules,
} from './webhook.ts';
export type { CaseDelivery, WantedDelivery, WebhookCase } from './webhook-case.ts';
