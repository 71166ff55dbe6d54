/** A starter plugin with one hook, so that the compiler has something to check. */
export const PLUGIN = `import type { HookContext, ProviderPlugin } from '#contract';
import { PluginError } from '#contract';

/** Proves that the credentials work, before they are stored. */
async function verify(ctx: HookContext): Promise<void> {
  const headers = { authorization: \`Bearer \${ctx.tokens.accessToken}\` };
  const { status } = await ctx.fetch('https://api.example.com/me', { headers, signal: ctx.signal });
  if (status === 401) throw new PluginError('invalid_credentials', 'The API key was rejected.');
}

export default { contract: 1, connection: { verify } } satisfies ProviderPlugin;
`;

/** Makes the folder's files ES modules. */
export const PACKAGE = `{
  "private": true,
  "type": "module"
}
`;

/** @param schema path to `provider.schema.json`, for editors */
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

/** Paths relative to the plugin's folder. */
interface StarterPaths {
  /** The file that `#contract` resolves to. */
  readonly contract: string;
  /** Node's types, if they are installed. */
  readonly nodeTypes: string | undefined;
}

/** For editors and `tsc`: resolves `#contract` to this installation and allows erasable syntax only. */
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
