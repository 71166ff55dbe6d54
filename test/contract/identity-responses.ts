import type { Json, ProviderAccount } from '#contract';

interface IdentityCase {
  /** The response that the provider documents, without the fields that svc does not read. */
  readonly responds: Json;
  readonly account: ProviderAccount;
}

const ada = { name: 'Ada', email: 'ada@example.com' };
const picture = 'https://pictures.example.com/ada.png';

/** Documented responses to the calls of `identity`, by provider slug. */
export const IDENTITIES: Readonly<Record<string, IdentityCase>> = {
  asana: {
    responds: { data: { gid: '12345', ...ada, photo: { image_128x128: picture } } },
    account: { id: '12345', ...ada, picture },
  },
  'atlassian-jira': {
    responds: { accountId: '5b10a2844c20165700ede21g', displayName: 'Ada', avatarUrls: { '48x48': picture } },
    account: { id: '5b10a2844c20165700ede21g', name: 'Ada', picture },
  },
  'cal-com': {
    responds: { status: 'success', data: { id: 7, username: 'Ada', email: ada.email, avatarUrl: null } },
    account: { id: '7', ...ada },
  },
  calendly: {
    responds: { resource: { uri: 'https://api.calendly.com/users/A', ...ada, avatar_url: picture } },
    account: { id: 'https://api.calendly.com/users/A', ...ada, picture },
  },
  emarsys: {
    responds: { replyCode: 0, replyText: 'OK', data: { id: 123456789, environment: 'suite.example', name: 'Ada' } },
    account: { id: '123456789', name: 'Ada' },
  },
  etsy: { responds: { user_id: 5, shop_id: 6 }, account: { id: '5' } },
  facebook: { responds: { id: '100', name: 'Ada' }, account: { id: '100', name: 'Ada' } },
  github: {
    responds: { id: 1, login: 'ada', email: null, avatar_url: picture },
    account: { id: '1', name: 'ada', picture },
  },
  'github-app-user': {
    responds: { id: 1, login: 'ada', email: ada.email, avatar_url: picture },
    account: { id: '1', name: 'ada', email: ada.email, picture },
  },
  gitlab: {
    responds: { id: 2, username: 'ada', email: ada.email, avatar_url: picture },
    account: { id: '2', name: 'ada', email: ada.email, picture },
  },
  google: { responds: { sub: '3', ...ada, picture }, account: { id: '3', ...ada, picture } },
  gmail: { responds: { sub: '3', ...ada, picture }, account: { id: '3', ...ada, picture } },
  hubspot: { responds: { portalId: 1234567 }, account: { id: '1234567' } },
  instagram: { responds: { user_id: '200', username: 'Ada', id: '300' }, account: { id: '200', name: 'Ada' } },
  linear: {
    responds: { data: { viewer: { id: 'a-1', ...ada, avatarUrl: picture } } },
    account: { id: 'a-1', ...ada, picture },
  },
  microsoft: { responds: { id: 'b-2', displayName: 'Ada', mail: null }, account: { id: 'b-2', name: 'Ada' } },
  nextcloud: {
    responds: { ocs: { meta: { status: 'ok' }, data: { id: 'ada', displayname: ada.name, email: ada.email } } },
    account: { id: 'ada', ...ada },
  },
  notion: {
    responds: { object: 'user', bot: { owner: { user: { id: 'c-3', name: 'Ada', person: { email: ada.email } } } } },
    account: { id: 'c-3', ...ada },
  },
  salesforce: {
    responds: { sub: 'https://login.example/id/1/2', ...ada, picture },
    account: { id: 'https://login.example/id/1/2', ...ada, picture },
  },
  'salesforce-cc': {
    responds: { sub: 'https://login.example/id/1/2', ...ada, picture },
    account: { id: 'https://login.example/id/1/2', ...ada, picture },
  },
  sendgrid: { responds: { username: 'Ada', user_id: 42 }, account: { id: '42', name: 'Ada' } },
  shopify: {
    responds: { data: { shop: { id: 'gid://shopify/Shop/1', ...ada } }, extensions: {} },
    account: { id: 'gid://shopify/Shop/1', ...ada },
  },
  slack: { responds: { ok: true, team: 'Ada', team_id: 'T1', user_id: 'U1' }, account: { id: 'T1', name: 'Ada' } },
  stripe: {
    responds: { id: 'acct_1', email: ada.email, settings: { dashboard: { display_name: 'Ada' } } },
    account: { id: 'acct_1', ...ada },
  },
  'tiktok-ads': {
    responds: { code: 0, message: 'OK', data: { core_user_id: '9', display_name: 'Ada', email: ada.email, avatar_url: picture } },
    account: { id: '9', ...ada, picture },
  },
  trello: { responds: { id: 'd-4', fullName: 'Ada', email: null }, account: { id: 'd-4', name: 'Ada' } },
  'x-oauth1': { responds: { data: { id: '10', name: 'Ada L.', username: 'Ada' } }, account: { id: '10', name: 'Ada' } },
  zoho: {
    responds: { ZUID: 11, First_Name: 'Ada', Last_Name: 'L.', Display_Name: 'Ada', Email: ada.email },
    account: { id: '11', ...ada },
  },
};
