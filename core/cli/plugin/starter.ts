/** A starter plugin with one hook, so that the compiler has something to check. */
export const PLUGIN = `import type { HookContext, ProviderPlugin } from '#contract';
import { PluginError } from '#contract';

/** Proves that the credentials work, before they are stored. */
async function verify(ctx: HookContext): Promise<void> {
  const headers = { authorization: \`Bearer \${ctx.tokens.accessToken}\` };
  const { status } = await ctx.fetch('https://api.example.com/me', { headers, signal: ctx.signal });
  if (status === 401) throw new PluginError('invalid_credentials', 'The credentials were rejected.');
}

export default { contract: 1, connection: { verify } } satisfies ProviderPlugin;
`;

/** A `package.json` that makes the folder's files ES modules. */
export const PACKAGE = `{
  "private": true,
  "type": "module"
}
`;

const AUTH_HOST = 'auth.example.com';
const API_HOST = 'api.example.com';
const DOCS = 'https://docs.example.com/api';
const TOKEN_URL = { token_url: `https://${AUTH_HOST}/token` };

/** Fields that a definition needs for each of the common auth modes. */
const STARTERS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  OAUTH2: {
    authorization_url: `https://${AUTH_HOST}/authorize`,
    ...TOKEN_URL,
    default_scopes: ['read'],
    available_scopes: ['read', 'write'],
  },
  OAUTH2_CC: TOKEN_URL,
  API_KEY: {},
  BASIC: {},
};

/** Auth modes for which there is a starter; the first is the default. */
export const STARTER_MODES: readonly string[] = Object.keys(STARTERS);

interface StarterDefinition {
  readonly name: string;
  /** One of `STARTER_MODES`. */
  readonly authMode: string;
  /** Path to `provider.schema.json`, for editors. */
  readonly schema: string;
}

export function providerText({ name, authMode, schema }: StarterDefinition): string {
  const definition = {
    $schema: schema,
    display_name: name,
    docs: DOCS,
    auth_mode: authMode,
    ...STARTERS[authMode],
    proxy: { base_url: `https://${API_HOST}` },
  };
  return `${JSON.stringify(definition, null, 2)}\n`;
}

/**
 * Returns the text of `facts.json`: the provider's hosts once more, with the sources where they were read. The project requires
 * this file of every folder in its own catalogue.
 */
export function factsText(authMode: string, now: Date): string {
  const { authorization_url, token_url } = STARTERS[authMode] ?? {};
  const hosts = {
    ...(authorization_url !== undefined && { authorize: AUTH_HOST }),
    ...(token_url !== undefined && { token: AUTH_HOST }),
    api: API_HOST,
  };
  const facts = { sources: [DOCS, 'https://www.npmjs.com/package/example'], hosts, checked: now.toISOString().slice(0, 10) };
  return `${JSON.stringify(facts, null, 2)}\n`;
}

/** Paths relative to the plugin's folder. */
interface StarterPaths {
  /** The file that `#contract` resolves to. */
  readonly contract: string;
  /** Folder of Node's types; undefined if they are not installed. */
  readonly nodeTypes: string | undefined;
}

/**
 * Returns a `tsconfig.json` for editors and `tsc`: it resolves `#contract` to this installation and allows erasable syntax only.
 */
export function tsconfigText({ contract, nodeTypes }: StarterPaths): string {
  const compilerOptions = {
    target: 'es2024',
    ...(nodeTypes === undefined && { lib: ['es2024', 'dom'] }),
    module: 'nodenext',
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    paths: { '#contract': [contract] },
    ...(nodeTypes === undefined ? { types: [] } : { typeRoots: [nodeTypes], types: ['node'] }),
  };
  return `${JSON.stringify({ compilerOptions }, null, 2)}\n`;
}
