/** A plugin to begin with: one part, so that a compiler has something to check. */
export const PLUGIN = `import type { HookContext, ProviderPlugin } from '#contract';
import { PluginError } from '#contract';

/** Proves that the credentials work, before they are stored. */
async function verify(ctx: HookContext): Promise<void> {
  const headers = { authorization: \`Bearer \${ctx.tokens.accessToken}\` };
  const { status } = await ctx.fetch('https://api.example.com/me', { headers, signal: ctx.signal });
  if (status === 401) throw new PluginError('invalid_credentials', 'The API key was refused.');
}

export default { contract: 1, connection: { verify } } satisfies ProviderPlugin;
`;

/** Files of Node's kind beside it: what is imported is a module. */
export const PACKAGE = `{
  "private": true,
  "type": "module"
}
`;

/** @param schema path of `provider.schema.json`, for editors */
export function providerText(name: string, schema: string): string {
  const definition = {
    $schema: schema,
    display_name: name,
    docs: 'https://docs.example.com/api',
    auth_mode: 'API_KEY',
    proxy: { base_url: 'https://api.example.com' },
  };
  return `${JSON.stringify(definition, null, 2)}\n`;
}

/** Paths from the plugin's folder. */
interface Installation {
  /** The file that `#contract` means. */
  readonly contract: string;
  /** Of Node's types, where they are installed. */
  readonly nodeTypes: string | undefined;
}

/** For editors and `tsc`: `#contract` is this installation's, and only what can be run as it is written passes. */
export function tsconfigText({ contract, nodeTypes }: Installation): string {
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
