import { canary } from '../support/canaries.ts';
import type { ScriptedResponse } from '../support/scripted-server/behaviour.ts';

/** One call of a sign-in as the provider documents it. */
export interface DocumentedCall {
  /** Method, host and path. */
  readonly call: string;
  /** The parsed body, absent for calls without one. */
  readonly sends?: unknown;
  readonly responds: ScriptedResponse;
}

export interface SignInCase {
  readonly entered: Readonly<Record<string, string>>;
  /** The calls by which svc obtains this token. */
  readonly calls: (token: string) => readonly DocumentedCall[];
  /** The response to the last call if the credentials are wrong. */
  readonly refuses: ScriptedResponse;
  /** The lifetime of the session in seconds. */
  readonly lifetime: number;
  /** The headers that a proxied call must carry; absent if the provider has no API for the proxy. */
  readonly carries?: (token: string) => Readonly<Record<string, string>>;
  /** The fields that the sign-in adds to the `connection_config` that the user entered. */
  readonly finds?: Readonly<Record<string, string>>;
}

const password = canary('password of a walked sign-in');
const HOUR = 3600;

export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): ScriptedResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

function xml(operation: string): ScriptedResponse {
  const control = '<control><status>success</status><senderid>acme</senderid><dtdversion>3.0</dtdversion></control>';
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<response>${control}<operation>${operation}</operation></response>`;
  return { status: 200, headers: { 'content-type': 'text/xml; encoding="UTF-8"' }, body };
}

function bill(): SignInCase {
  const dev_key = canary('walked developer key');
  const entered = { username: 'ada@example.com', password, organization_id: '00802ABC', dev_key };
  return {
    entered,
    calls: (sessionId) => [
      {
        call: 'POST gateway.prod.bill.com/connect/v3/login',
        sends: { username: 'ada@example.com', password, organizationId: '00802ABC', devKey: dev_key },
        responds: json(200, { sessionId, organizationId: '00802ABC', userId: '00601XYZ' }),
      },
    ],
    refuses: json(400, [{ code: 'BDC_1101', severity: 'ERROR', category: 'REQUEST', message: 'do not match our records' }]),
    lifetime: 35 * 60,
    carries: (sessionId) => ({ devkey: dev_key, sessionid: sessionId }),
  };
}

function tableau(): SignInCase {
  return {
    entered: { token_name: 'svc', token_secret: password, site: 'marketing' },
    calls: (token) => [
      {
        call: 'POST 10ay.online.tableau.com/api/3.22/auth/signin',
        sends: {
          credentials: {
            personalAccessTokenName: 'svc',
            personalAccessTokenSecret: password,
            site: { contentUrl: 'marketing' },
          },
        },
        responds: json(200, {
          credentials: {
            site: { id: 'site-luid', contentUrl: 'marketing' },
            user: { id: 'user-luid' },
            token,
            estimatedTimeToExpiration: '119:59:30',
          },
        }),
      },
    ],
    refuses: json(401, { error: { summary: 'Signin Error', detail: 'The personal access token is invalid.', code: '401001' } }),
    lifetime: 120 * HOUR - 30,
    carries: (token) => ({ 'x-tableau-auth': token, accept: 'application/json' }),
    finds: { 'credentials.site.id': 'site-luid', 'credentials.user.id': 'user-luid' },
  };
}

function sageIntacct(): SignInCase {
  const company = 'R&D <Acme>';
  const login = '<authentication><status>success</status><userid>xml</userid>';
  const until = () => new Date(Date.now() + 2 * HOUR * 1000).toISOString().replace(/\.\d+Z$/, '+00:00');
  const data = (session: string) => `<sessionid>${session}</sessionid><endpoint>https://api-p1.intacct.com/ia/xml</endpoint>`;
  const request =
    '<?xml version="1.0" encoding="UTF-8"?><request><control><senderid>acme</senderid><password>sender-password</password>' +
    '<controlid>sign-in</controlid><uniqueid>false</uniqueid><dtdversion>3.0</dtdversion>' +
    '<includewhitespace>false</includewhitespace></control><operation><authentication><login><userid>xml</userid>' +
    `<companyid>R&amp;D &lt;Acme&gt;</companyid><password>${password}</password></login></authentication>` +
    '<content><function controlid="sign-in"><getAPISession></getAPISession></function></content></operation></request>';
  return {
    entered: { company_id: company, user_id: 'xml', password },
    calls: (session) => [
      {
        call: 'POST api.intacct.com/ia/xml/xmlgw.phtml',
        sends: request,
        responds: xml(
          `${login}<sessiontimeout>${until()}</sessiontimeout></authentication>` +
            `<result><status>success</status><function>getAPISession</function><data><api>${data(session)}</api></data></result>`,
        ),
      },
    ],
    refuses: xml(
      '<authentication><status>failure</status></authentication><errormessage><error><errorno>XL03000006</errorno>' +
        '<description2>Sign-in information is incorrect</description2></error></errormessage>',
    ),
    lifetime: 2 * HOUR,
    finds: { 'response.operation.result.data.api.endpoint': 'https://api-p1.intacct.com/ia/xml' },
  };
}

function docuware(): SignInCase {
  const identity = 'https://login-emea.docuware.cloud/0ab1';
  const form = { grant_type: 'password', scope: 'docuware.platform', client_id: 'docuware.platform.net.client' };
  return {
    entered: { username: 'ada', password },
    calls: (access_token) => [
      {
        call: 'GET acme.docuware.cloud/DocuWare/Platform/Home/IdentityServiceInfo',
        responds: json(200, { IdentityServiceUrl: identity, RefreshTokenSupported: true }),
      },
      {
        call: 'GET login-emea.docuware.cloud/0ab1/.well-known/openid-configuration',
        responds: json(200, { issuer: identity, token_endpoint: `${identity}/connect/token` }),
      },
      {
        call: 'POST login-emea.docuware.cloud/0ab1/connect/token',
        sends: { ...form, username: 'ada', password },
        responds: json(200, { access_token, expires_in: HOUR, token_type: 'Bearer', scope: 'docuware.platform' }),
      },
    ],
    refuses: json(400, { error: 'invalid_grant', error_description: 'invalid_username_or_password' }),
    lifetime: HOUR,
    carries: (token) => ({ authorization: `Bearer ${token}`, accept: 'application/json' }),
  };
}

function sapBusinessOne(): SignInCase {
  return {
    entered: { company: 'SBODEMOUS', username: 'manager', password },
    calls: (cookies) => [
      {
        call: 'POST sap.example.com:50000/b1s/v2/Login',
        sends: { CompanyDB: 'SBODEMOUS', UserName: 'manager', Password: password },
        responds: json(
          200,
          { SessionId: 'session', Version: '1000190', SessionTimeout: 30 },
          { 'set-cookie': `${cookies.replace('; ', ';HttpOnly;Secure, ')};path=/b1s` },
        ),
      },
    ],
    refuses: json(401, { error: { code: 100000027, message: { lang: 'en-us', value: 'Login failed' } } }),
    lifetime: HOUR / 2,
    carries: (cookies) => ({ cookie: cookies }),
  };
}

/** The documented sign-ins by provider slug. */
export const SIGN_INS: Readonly<Record<string, SignInCase>> = {
  bill: bill(),
  docuware: docuware(),
  'sage-intacct': sageIntacct(),
  'sap-business-one': sapBusinessOne(),
  tableau: tableau(),
};
